"""gen-game: what it makes is what it says, and the same seed makes the same."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ROOT

sys.path.insert(0, str(ROOT / "reference"))

import gen_game
from accordion_solver.cards import GameSyntaxError, read_game
from accordion_solver.certificate import replay_certificate
from accordion_solver.search import Deal, reachable


def run(*arguments: str) -> str:
    command = [sys.executable, str(ROOT / "reference" / "gen_game.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("kind", gen_game.KINDS)
@pytest.mark.parametrize("tame", [pytest.param(["--tame", "--fewest", "23"], marks=pytest.mark.slow), []])
def test_every_kind_with_its_truth(
    kind: str, tame: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    truth = tmp_path / "truth.json"
    arguments = ["--seed", "2", "--kind", kind, *tame, "--truth", str(truth)]
    text = run(*arguments)
    # Here too, where every set and dictionary has another order.
    monkeypatch.setattr(sys, "argv", ["gen_game.py", *arguments])
    gen_game.main()
    assert capsys.readouterr().out == text
    known = json.loads(truth.read_text())
    if kind == "syntax-error":
        assert known == {"answer": "syntax-error"}
        with pytest.raises(GameSyntaxError):
            read_game(text)
        return
    game = read_game(text)
    assert known["answer"] in {"derivable": ("winning", "losing")}.get(kind, (kind,))
    assert len(replay_certificate(game.deal, "\n".join(known["moves_to_fewest"]))) == known["fewest_piles"]
    if kind != "impossible":
        assert replay_certificate(game.deal, "\n".join(known["moves_to_tableau"])) == game.tableau
    assert known["fewest_is_exact"]
    assert (known["impossible_because"] is not None) == (kind == "impossible")


def test_it_runs_where_nothing_is_installed() -> None:
    command = [sys.executable, "-I", "-S", str(ROOT / "reference" / "gen_game.py"), "-b", "--seed", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (run("-b", "--seed", "2"), "")


@pytest.mark.slow
def test_bad_games_and_numbers_of_piles() -> None:
    assert run("-b", "--seed", "2") == run("--kind", "impossible", "--seed", "2")
    assert len(run("--tame", "--fewest", "30", "--piles", "35", "--seed", "1").splitlines()) == 36


_AT_ANY_TIME = 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "error", [*range(_AT_ANY_TIME), *(pytest.param(one, marks=pytest.mark.slow) for one in range(_AT_ANY_TIME, 20))]
)
def test_every_syntax_error_is_one(error: int) -> None:
    made = gen_game.make(random.Random(error), "syntax-error", fewest=49)
    with pytest.raises(GameSyntaxError):
        read_game(made.text)


def test_the_tame_deals_are_what_they_are_said_to_be() -> None:
    deals = gen_game.tame_fewest()
    assert set(deals) == set(range(1, 52))
    for fewest, deal in deals.items():
        assert sorted(deal) == list(range(52))
        if fewest > 20:
            states = reachable(Deal(deal), gen_game.MOST_TAME)
            assert states is not None
            assert min(map(len, states)) == fewest
