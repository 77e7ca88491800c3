"""The services that a front end is given: everything it may ask for, room by room, and nothing of how it is kept."""

from dataclasses import dataclass

from bot.battles.tracking import BattleTracking
from bot.campaigns.directory import CampaignDirectory
from bot.campaigns.runtime import Runtime
from bot.campaigns.scenarios import InstalledScenarios
from bot.closing.batch import BatchCloser
from bot.closing.lost_battles import let_go_of_lost
from bot.letters.corresponding import Correspondence
from bot.letters.diplomacy import DiplomacyQueries
from bot.letters.handing import HandingOn
from bot.letters.reading import LetterReading
from bot.orders.agree import AccountSending
from bot.orders.answering import Answering
from bot.orders.fill import SheetFilling
from bot.orders.find_prompt import PromptFinder
from bot.orders.pictures import PicturesToFollow
from bot.orders.ready import Readiness
from bot.orders.typed import TypedOrdersReader
from bot.queries.bulletins import BulletinQueries
from bot.queries.dossiers import DossierQueries
from bot.queries.economy import EconomyQueries
from bot.queries.films import FilmQueries
from bot.queries.odds import OddsQueries
from bot.queries.side_tables import SideTableQueries
from bot.queries.told_again import ToldAgain
from bot.queries.views import ViewQueries
from bot.queries.waiting import WaitingSheets
from bot.referee.awaited import AwaitedSides
from bot.referee.clock import RefereeClock
from bot.referee.corrections import Corrections
from bot.referee.desk import RefereeDesk
from bot.referee.disputes import BattleDisputes
from bot.referee.export import RecordExport
from bot.referee.rewinding import Rewinding
from bot.referee.rulings import BattleRulings
from bot.referee.views import OmniscientViews
from bot.seats.card_places import CardPlaces
from bot.seats.found_campaign import CampaignFounding
from bot.seats.map_themes import MapThemes
from bot.seats.new_rules import can_begin_anew, carry_over
from bot.seats.quiet_hours import QuietHours
from bot.seats.seats import Seats
from bot.seats.ships import CaptainsShips


@dataclass(frozen=True)
class OrdersServices:
    """What commanders do with their side's sheets."""

    prompts: PromptFinder
    filling: SheetFilling
    accounts: AccountSending
    readiness: Readiness
    typed: TypedOrdersReader
    pictures: PicturesToFollow
    tracking: BattleTracking


@dataclass(frozen=True)
class SeatsServices:
    """Who plays what."""

    founding: CampaignFounding
    seats: Seats
    quiet_hours: QuietHours
    card_places: CardPlaces
    ships: CaptainsShips
    map_themes: MapThemes


@dataclass(frozen=True)
class RefereeServices:
    """What the referee does."""

    clock: RefereeClock
    awaited: AwaitedSides
    disputes: BattleDisputes
    rulings: BattleRulings
    corrections: Corrections
    rewinding: Rewinding
    record: RecordExport
    omniscient: OmniscientViews
    desk: RefereeDesk


@dataclass(frozen=True)
class QueryServices:
    """What may be looked up."""

    views: ViewQueries
    told_again: ToldAgain
    side_tables: SideTableQueries
    odds: OddsQueries
    waiting: WaitingSheets
    bulletins: BulletinQueries
    dossiers: DossierQueries
    economy: EconomyQueries
    films: FilmQueries


@dataclass(frozen=True)
class LetterServices:
    """What sides say to each other."""

    writing: Correspondence
    reading: LetterReading
    handing: HandingOn
    diplomacy: DiplomacyQueries


@dataclass(frozen=True)
class Services:
    """All of them. ``runtime`` is for the composition and for tests; a front end asks the rooms."""

    runtime: Runtime
    campaigns: CampaignDirectory
    scenarios: InstalledScenarios
    closing: BatchCloser
    orders: OrdersServices
    seats: SeatsServices
    referee: RefereeServices
    queries: QueryServices
    letters: LetterServices

    @classmethod
    def of(cls, runtime: Runtime, scenarios: InstalledScenarios) -> "Services":
        """The services of one running bot."""
        runtime.lets_go = let_go_of_lost
        runtime.carries_over = carry_over
        runtime.can_begin_anew = can_begin_anew
        seats = Seats(runtime)
        runtime.asks_all_sides = seats.ask_to_begin_anew
        closing = BatchCloser(runtime)
        prompts = PromptFinder(runtime)
        pictures = PicturesToFollow(runtime)
        answering = Answering(runtime, pictures)
        told_again = ToldAgain(runtime)
        writing = Correspondence(runtime)
        handing = HandingOn(runtime, writing)
        return cls(
            runtime=runtime,
            campaigns=runtime.directory,
            scenarios=scenarios,
            closing=closing,
            orders=OrdersServices(
                prompts=prompts,
                filling=SheetFilling(runtime, prompts, answering),
                accounts=AccountSending(runtime, prompts, answering),
                readiness=Readiness(runtime, prompts, answering),
                typed=TypedOrdersReader(runtime, prompts),
                pictures=pictures,
                tracking=BattleTracking(runtime),
            ),
            seats=SeatsServices(
                founding=CampaignFounding(runtime, scenarios),
                seats=seats,
                quiet_hours=QuietHours(runtime),
                card_places=CardPlaces(runtime),
                ships=CaptainsShips(runtime),
                map_themes=MapThemes(runtime),
            ),
            referee=RefereeServices(
                clock=RefereeClock(runtime, closing),
                awaited=AwaitedSides(runtime),
                disputes=BattleDisputes(runtime),
                rulings=BattleRulings(runtime),
                corrections=Corrections(runtime),
                rewinding=Rewinding(runtime),
                record=RecordExport(runtime),
                omniscient=OmniscientViews(runtime),
                desk=RefereeDesk(runtime),
            ),
            queries=QueryServices(
                views=ViewQueries(runtime),
                told_again=told_again,
                side_tables=SideTableQueries(runtime, told_again),
                odds=OddsQueries(runtime),
                waiting=WaitingSheets(runtime, prompts),
                bulletins=BulletinQueries(runtime),
                dossiers=DossierQueries(runtime, handing.told),
                economy=EconomyQueries(runtime, prompts),
                films=FilmQueries(runtime),
            ),
            letters=LetterServices(
                writing=writing,
                reading=LetterReading(runtime),
                handing=handing,
                diplomacy=DiplomacyQueries(runtime),
            ),
        )
