"""Looking things up: ledgers and odds, each from what one side knows."""

from bot.campaigns.office import Office
from bot.campaigns.permissions import Caller, SeatRole, require
from bot.errors import Sorry, explain, there_is
from bot.queries.told_again import Logbook
from rules_engine.core.ledgers import Ledger
from rules_engine.core.odds import Odds, OddsMenu
from rules_engine.core.refusals import Refused
from rules_engine.core.reports import Report

DICE = "dice"


class Lookup:
    """What a side may look up, and the referee who plays none for every side."""

    def __init__(self, office: Office, logbook: Logbook) -> None:
        self._office = office
        self._logbook = logbook

    async def odds_menu(self, campaign_id: str, user_id: int) -> OddsMenu:
        """What the user may ask the odds of. Raises Sorry when the user commands no side."""
        side = await self._side(campaign_id, user_id)
        async with self._office.using(campaign_id) as referee:
            return referee.odds_menu(side)

    async def odds(self, campaign_id: str, user_id: int, own: str, target: str) -> Odds:
        """The chances of one's own force against a contact. Raises Sorry, naming what may be asked of."""
        side = await self._side(campaign_id, user_id)
        async with self._office.using(campaign_id) as referee:
            menu = referee.odds_menu(side)
            if not menu.own:
                raise Sorry("This rulebook has no odds to ask for.", code="no-odds")
            if not menu.targets:
                raise Sorry("Your side holds no contact now, so there are no odds to tell.", code="no-contact")
            try:
                return referee.odds(side, own.strip(), target.strip())
            except Refused as refused:
                raise Sorry(explain(refused.refusals), code="odds-of-what") from None

    async def ledgers(self, campaign_id: str, user_id: int) -> list[Ledger]:
        """The user's side's ledgers; for a referee who plays no side those of every side, under its name."""
        standing = await self._office.standing(campaign_id, user_id)
        require(standing, "ledger")
        sides = await self._sides_of(campaign_id, standing)
        found: list[Ledger] = []
        for side, name in sides:
            told = await self._logbook.reports_for(campaign_id, side)
            async with self._office.using(campaign_id) as referee:
                own = (*referee.ledgers(side), dice_ledger(told))
            found += [_named(ledger, side, name) for ledger in own]
        return found

    async def ledger(self, campaign_id: str, user_id: int, key: str) -> Ledger:
        """One of them. Raises Sorry, naming those there are."""
        known = {ledger.key: ledger for ledger in await self.ledgers(campaign_id, user_id)}
        if key not in known:
            raise Sorry(f"There is no ledger “{key[:40]}”. {there_is(key, known)}", code="unknown-ledger")
        return known[key]

    async def _side(self, campaign_id: str, user_id: int) -> str:
        standing = await self._office.standing(campaign_id, user_id)
        require(standing, "odds")
        if standing.side is None:
            raise Sorry("You command no side of this campaign.", code="no-side")
        return standing.side

    async def _sides_of(self, campaign_id: str, standing: Caller) -> list[tuple[str, str]]:
        """Whose ledgers somebody may read: key, and the name to put before them (none for one's own)."""
        if standing.side is not None:
            return [(standing.side, "")]
        if SeatRole.REFEREE not in standing.roles:
            return []
        campaign = await self._office.info(campaign_id)
        return list(campaign.side_names.items())


def _named(ledger: Ledger, side: str, name: str) -> Ledger:
    if not name:
        return ledger
    return ledger.model_copy(update={"key": f"{side}.{ledger.key}", "title": f"{name}: {ledger.title}"})


def dice_ledger(reports: list[Report]) -> Ledger:
    """Every die that a side was shown, in the order in which it was told of them."""
    rows = [
        (
            report.when.label,
            roll.purpose,
            f"{len(roll.dice)}D{roll.faces}",
            "+".join(map(str, roll.dice)),
            str(roll.total),
            report.why.rule,
        )
        for report in reports
        if report.why is not None
        for roll in report.why.dice
    ]
    columns = ("When", "Purpose", "Dice", "Faces", "Total", "Rule")
    return Ledger(key=DICE, title="Dice", columns=columns, rows=tuple(rows))
