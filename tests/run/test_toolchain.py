"""Tools that are installed outside the system are found, and a sandbox shows them."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from grader.model.assignment import Isolation
from grader.model.program import BuildCommands, Limits
from grader.run import toolchain
from grader.run.environment import sandboxed_environment
from grader.spec.languages import BUILD_LIMITS
from tests.building import TEST
from tests.sandbox import needs_sandbox


def script(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


@pytest.fixture
def bare_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A system whose node and rustc are in a home folder."""
    tools = tmp_path / "system"
    tools.mkdir()
    (tools / "sh").symlink_to("/bin/sh")
    home = tmp_path / "home" / "bin"
    home.mkdir(parents=True)
    monkeypatch.setattr(toolchain, "SYSTEM_PATH", str(tools))
    monkeypatch.setenv("PATH", f"{home}:/usr/bin:/bin")
    return home


def test_what_is_nowhere(bare_system: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(bare_system))
    assert toolchain.find_tool("node") is None
    assert toolchain.shown_outside_system() == ()


def test_only_what_is_known_is_looked_up_elsewhere(bare_system: Path) -> None:
    script(bare_system / "valgrind", "exit 0")
    assert toolchain.find_tool("valgrind") is None


def test_a_link_is_followed_and_only_its_target_is_shown(bare_system: Path, tmp_path: Path) -> None:
    real = script(tmp_path / "versions" / "v20" / "node", "echo node")
    (bare_system / "node").symlink_to(real)
    assert toolchain.find_tool("node") == str(real)
    assert real in toolchain.shown_outside_system()


def rustup(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A compiler behind the command of rustup; returns the folder of toolchains."""
    folder = tmp_path / "rustup" / "toolchains"
    compiler = script(folder / "stable" / "bin" / "rustc", 'echo "compiled by $0"')
    command = script(
        tmp_path / "cargo" / "rustup", f'test "$1 $2" = "--print sysroot" && echo {compiler.parent.parent}'
    )
    (home / "rustc").symlink_to(command)
    monkeypatch.setenv("RUSTUP_HOME", str(tmp_path / "rustup"))
    return folder


def test_the_command_of_rustup_is_asked_for_the_compiler(
    bare_system: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = rustup(bare_system, tmp_path, monkeypatch)
    assert toolchain.find_tool("rustc") == str(folder / "stable" / "bin" / "rustc")
    assert folder in toolchain.shown_outside_system()


def test_a_rustup_without_a_toolchain_is_no_compiler(bare_system: Path, tmp_path: Path) -> None:
    (bare_system / "rustc").symlink_to(script(tmp_path / "cargo" / "rustup", "echo no toolchain >&2; exit 1"))
    assert toolchain.find_tool("rustc") is None


def test_a_compiler_is_shown_with_its_libraries(bare_system: Path, tmp_path: Path) -> None:
    compiler = script(tmp_path / "rust" / "bin" / "rustc", "exit 0")
    (tmp_path / "rust" / "lib").mkdir()
    (bare_system / "rustc").symlink_to(compiler)
    assert toolchain.find_tool("rustc") == str(compiler)
    assert {compiler, tmp_path / "rust" / "lib"} <= set(toolchain.shown_outside_system())


@needs_sandbox
def test_a_sandbox_shows_the_compiler_and_nothing_beside_it(bare_system: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Inside there is another /tmp.
    with TemporaryDirectory(dir="/var/tmp") as name:
        place = Path(name).resolve()
        folder = rustup(bare_system, place, monkeypatch)
        (place / "rustup" / "secret").write_text("secret")
        look = script(place / "look.sh", f"ls {place} {place / 'rustup'}")
        with sandboxed_environment(()) as environment, environment.runner([(look, "look.sh")]) as runner:

            def shown(command: str) -> str:
                test = replace(
                    TEST, program="look.sh", recipe=BuildCommands(build=None, run=(command,), limits=BUILD_LIMITS)
                )
                return runner.run(test, Limits(wall_seconds=20), Isolation.FORK, {}).transcript

            assert shown("rustc") == f"compiled by {folder}/stable/bin/rustc\n"
            assert shown("./look.sh") == f"{place}:\nrustup\n\n{place}/rustup:\ntoolchains\n"
