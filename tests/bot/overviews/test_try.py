from tests.message_words import pressable
from tests.bot.worlds.simulated_server import said
from tests.bot.overviews.conftest import *
async def test_try(here):
    await here.begin()
    r = await here.slash(here.ann, "economy")
    m = r.response._message
    print(said(r)); print([(p.get("label"),p["custom_id"]) for p in pressable(m)])
    import json; print(json.dumps(m.components)[:1500])
    h = r.response
    r2 = await here.box(here.ann, h, "Write the budget", "economy: reserve 60\nD1: work build frigate; name Sprite\nH0999: cargo 5\nF1: course 0206\nH0205: cargo 9999\nD2: cpv x")
    print(said(r2)); 
