"""What is certain about a deal and a tableau: claims of the searches that an independent check has confirmed."""

from dataclasses import dataclass

from accordion_solver.arguments import Argument
from accordion_solver.cards import Card, Tableau
from accordion_solver.certificate import replay
from accordion_solver.derive import Derivable, Impossible, derive
from accordion_solver.fewest import fewest_piles
from accordion_solver.search import Budget, Deal, Move
from accordion_solver.verify import argument_holds, fewest_is

_MOST_STATES = 50_000


class WrongClaimError(Exception):
    """A search claimed what an independent check refutes: an error in this package."""


@dataclass(frozen=True)
class Bounds:
    """The smallest number of piles is at most `most`, which `moves` show; when `exact`, it is `most`."""

    most: int
    moves: tuple[Move, ...]
    exact: bool


def decide(deal: tuple[Card, ...], tableau: Tableau, seconds: float) -> Derivable | Impossible | None:
    """Whether the tableau can be derived; None when `seconds` of processor time do not tell.

    Raises WrongClaimError.
    """
    claim = derive(Deal(deal), tableau, Budget.of(seconds))
    if isinstance(claim, Derivable) and replay(deal, claim.moves) != tableau:
        raise WrongClaimError(f"moves do not lead to the tableau {tableau}")
    if isinstance(claim, Impossible) and not _confirmed(claim.argument, deal, tableau):
        return None
    return claim


def bounds(deal: tuple[Card, ...], seconds: float) -> Bounds:
    """What `seconds` of processor time tell of the smallest number of piles. Raises WrongClaimError."""
    claim = fewest_piles(Deal(deal), Budget.of(seconds))
    if len(replay(deal, claim.moves)) != claim.piles:
        raise WrongClaimError(f"moves do not lead to {claim.piles} piles")
    exact = claim.piles == 1 or (claim.listed is not None and fewest_is(deal, claim.piles, claim.listed))
    if claim.exact and not exact:
        raise WrongClaimError(f"{claim.piles} is not the smallest number of piles")
    return Bounds(claim.piles, claim.moves, exact)


def _confirmed(argument: Argument, deal: tuple[Card, ...], tableau: Tableau) -> bool:
    """Whether the argument was confirmed; an exhaustive one may be too much work to be checked."""
    holds = argument_holds(argument, deal, tableau, _MOST_STATES)
    if not holds and not argument.states:
        raise WrongClaimError(f"{argument.words}: this is not so")
    return holds
