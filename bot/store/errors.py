"""What a store says when it cannot do what was wanted."""


class StoreUnavailable(Exception):
    """The database cannot be used. The message is one line for the host: what is wrong and what to do."""


class Overtaken(Exception):
    """Another's entry stands in the journal where this one was to go: catch up, and judge again."""

    def __init__(self, campaign_id: str) -> None:
        self.campaign_id = campaign_id
        super().__init__(campaign_id)


class SeenBefore(Exception):
    """This interaction was carried out already; Discord may deliver one twice."""


def newer(where: str, revision: str) -> StoreUnavailable:
    """What is said of a database at a revision that this code does not know."""
    return StoreUnavailable(
        f"The database {where} was written by a newer Plotroom (schema {revision}); "
        "install that version again. Nothing was changed."
    )
