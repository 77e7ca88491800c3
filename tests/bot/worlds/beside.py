"""A second process's way to a database that is open already."""

from sqlalchemy.engine import make_url

from bot.store import addresses, database, engines, postgresql


async def store_beside(address: str) -> database.Store:
    """Another store on a database that is open already.

    Two bots on one file are kept apart by ``plotroom run``, so here the file is just opened again. On PostgreSQL the
    store itself holds the lock, so this one is made without it, as nothing in the product does.
    """
    url = make_url(address)
    if url.get_backend_name() == "sqlite":
        return await database.open_store(address)
    there = addresses.server_address(url)
    name = {"application_name": "beside"}
    writing = postgresql._engine(there, name)
    reading = postgresql._engine(there, {**name, **postgresql._READING})
    return database.Store(engines.Engines("beside", writing, reading, explained=lambda _: None))
