"""Measures how well the Accordion searches do on known deals of 52 cards, as JSON with processor seconds on one core.

Deal number n of each kind is made with random.Random(n). Every answer is confirmed by the independent verifier before
it counts. Run as `python -m benchmarks.accordion`.
"""

import argparse
import json
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "reference"))

import gen_game
from accordion_solver.arguments import Ground
from accordion_solver.cards import Card, Tableau
from accordion_solver.certificate import replay
from accordion_solver.derive import Impossible
from accordion_solver.fewest import good_play
from accordion_solver.search import Deal, reachable
from accordion_solver.truth import bounds, decide

_SECONDS = 10


def main() -> None:
    """Measure, and print the figures."""
    options = _options()
    result = {
        "one_pile": _one_pile(options.deals),
        "derivable_random_play": _derivable(options.tableaux, _random_play),
        "derivable_good_play": {
            f"{piles} piles": _derivable(options.good, partial(_good_play, piles)) for piles in (10, 5, 2, 1)
        },
        "corrupted": _corrupted(options.corrupted),
        "tame": _tame(),
    }
    print(json.dumps(result, indent=1))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=200, help="to find one pile for")
    parser.add_argument("--tableaux", type=int, default=100, help="of random play, to derive")
    parser.add_argument("--good", type=int, default=20, help="tableaux of good play, of each number of piles")
    parser.add_argument("--corrupted", type=int, default=400, help="tableaux of random play with one change")
    return parser.parse_args()


def _one_pile(count: int) -> dict[str, Any]:
    times, found = [], 0
    for number in range(count):
        deal = gen_game.random_deal(random.Random(number))
        started = time.process_time()
        known = bounds(deal, _SECONDS)
        times.append(time.process_time() - started)
        found += known.most == 1
    return {"deals": count, "one_pile_certified": found, "share": round(found / count, 4), **_spread(times)}


def _derivable(count: int, play: Callable[[random.Random, tuple[Card, ...]], Tableau | None]) -> dict[str, Any]:
    times, found, piles = [], 0, []
    for number in range(count):
        rng = random.Random(number)
        deal = gen_game.random_deal(rng)
        tableau = play(rng, deal)
        if tableau is None:
            continue
        started = time.process_time()
        found += decide(deal, tableau, _SECONDS) is not None
        times.append(time.process_time() - started)
        piles.append(len(tableau))
    middle = statistics.median(piles)
    return {"tableaux": len(times), "median_piles": middle, "share": round(found / len(times), 4), **_spread(times)}


def _random_play(rng: random.Random, deal: tuple[Card, ...]) -> Tableau:
    return replay(deal, gen_game.random_play(rng, deal))


def _good_play(piles: int, rng: random.Random, deal: tuple[Card, ...]) -> Tableau | None:
    return good_play(Deal(deal), rng, piles)


def _corrupted(count: int) -> dict[str, Any]:
    """Return corrupted tableaux, without the ones that were left unchanged or can still be derived."""
    grounds: Counter[str] = Counter()
    times = []
    for number in range(count):
        rng = random.Random(number)
        deal = gen_game.random_deal(rng)
        played = _random_play(rng, deal)
        tableau = gen_game.corrupted(rng, played)
        if tableau == played:
            continue
        started = time.process_time()
        answer = decide(deal, tableau, 0)
        times.append(time.process_time() - started)
        if isinstance(answer, Impossible):
            grounds[answer.argument.ground.name] += 1
        else:
            grounds["derivable" if decide(deal, tableau, 1) else "open"] += 1
    at_once = sum(grounds[ground.name] for ground in Ground)
    corrupted = sum(grounds.values()) - grounds["derivable"]
    return {
        "tableaux": corrupted,
        "settled_at_once": at_once,
        "share": round(at_once / corrupted, 4),
        "derivable_and_left_out": grounds.pop("derivable", 0),
        "by_ground": dict(grounds),
        **_spread(times),
    }


def _tame() -> dict[str, Any]:
    """Return, for each tame deal in the repository, whether it has the smallest number of piles claimed for it."""
    times, states, right = [], [], 0
    deals = gen_game.tame_fewest()
    for fewest, deal in deals.items():
        started = time.process_time()
        known = bounds(deal, _SECONDS)
        times.append(time.process_time() - started)
        right += (known.most, known.exact) == (fewest, True)
        states.append(len(reachable(Deal(deal), gen_game.MOST_TAME) or ()))
    return {"deals": len(deals), "smallest_number_proved": right, "most_states": max(states), **_spread(times)}


def _spread(times: list[float]) -> dict[str, float]:
    times = sorted(times)
    return {
        "median_seconds": round(statistics.median(times), 4),
        "ninetieth_percentile": round(times[int(len(times) * 0.9)], 4),
        "most_seconds": round(times[-1], 4),
    }


if __name__ == "__main__":
    main()
