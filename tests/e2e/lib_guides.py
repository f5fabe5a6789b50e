"""The common part of the tests of guides: what they say, and whether the files and options that they
name exist."""

import functools
import os
import pathlib
import re
import shlex
import subprocess

import lib

PROGRAMS = {"apex-server": lib.SERVER, "apex-client": lib.CLIENT}
SERVER_COMMANDS = ("check", "default", "list", "replay", "car", "manoeuvre", "track",
                   "token")


def texts_of(*names):
    return {name: (lib.SOURCES / name).read_text(encoding="utf-8") for name in names}


GUIDES = texts_of(
    "README.md", "server/HOSTING.md", "server/OPERATING.md", "server/api/API.md",
    "server/content/races/README.md", "server/content/cars/README.md",
    "server/content/tracks/README.md", "client-lite/BOTS.md", "client-lite/LOADING.md",
    "proto/PROTOCOL.md", "server/ARCHITECTURE.md")
# Texts that tell nobody to type anything, but name files and options.
DOCUMENTS = GUIDES | texts_of("server/DECISIONS.md", "server/SECURITY.md",
                              "deploy/CHANGELOG.md")
# Lines to type that are not typed here: the test that does what they do, or why none can.
ELSEWHERE = {
    "deploy/demo": "tests/e2e/demo.sh",
    "deploy/demo --cars 20 --laps 2 --track oval": "tests/e2e/demo.sh",
    "tests/run": "it runs this test",
    "tests/run --long": "it runs this test",
    "tests/bench/run": "it measures for minutes, on a machine that has nothing else to do",
    "cmake --preset dev && cmake --build build/dev": "tests/run",
    "ctest --test-dir build/dev": "tests/run",
    "mkdir -p cars": "prepare() below",
    "export APEX_WEB_TOKEN=$(head -c 18 /dev/urandom | base64)": "check_orders() below",
    "cpack -G DEB --config build/release/CPackConfig.cmake": "tests/e2e/install.sh",
    "cmake --install build/release --prefix /usr/local": "tests/e2e/install.sh",
    "apt install ./apex_*.deb": "it would change the machine that tests",
    "podman build -f deploy/Containerfile -t apex .": "it fetches a system from the network",
    "podman run --rm -p 26000:26000/udp -p 8080:8080 apex --bots 6": "it needs what that built",
}
# What a text names in order to reject it, or of another machine.
NO_FILES = {"base.h", "base/base.h"}
README_LINES_MAX, README_WORDS_MAX = 150, 1200


def without_fences(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def lines_to_type(text):
    """Without their comments."""
    for line in re.findall(r"^    (\S.*)$", without_fences(text), re.MULTILINE):
        yield re.split(r"\s#\s", line)[0].rstrip()


def commands(text):
    """Lines to type that call a program of ours, and their words."""
    for line in lines_to_type(text):
        if re.match(r"(build/release|deploy|tests|client-lite)/", line):
            yield line, shlex.split(line, comments=True)


def mentions(text):
    """Commands in the midst of sentences, as words: `apex-server car NAME`."""
    for line in re.findall(r"`(apex-(?:server|client)\s[^`]+)`", text):
        words = shlex.split(line)
        if words[0] in PROGRAMS:
            yield [f"build/release/{words[0]}", *words[1:]]


def options_in_prose(text):
    """Of no command in particular: `--track NAME`."""
    for words in re.findall(r"`(--[a-z][^`]*)`", text):
        yield from re.findall(r"--[a-z-]+", words)


@functools.cache
def help_of(*command):
    done = subprocess.run([*command, "--help"], capture_output=True, text=True, timeout=20, check=False)
    return set(re.findall(r"--[a-z-]+", done.stdout + done.stderr))


def options_of(words):
    program = words[0].rsplit("/", 1)[-1]
    if program not in PROGRAMS:
        return help_of(lib.SOURCES / words[0])
    if program == "apex-server" and words[1:2] and words[1] in SERVER_COMMANDS:
        deeper = words[2:3] if words[1:3] in (["track", "import"], ["token", "sign"]) else []
        return help_of(PROGRAMS[program], words[1], *deeper)
    return help_of(PROGRAMS[program], *([words[1]] if program == "apex-client" else []))


def check_options(name, words):
    known = options_of(words)
    for word in words[1:]:
        if word.startswith("--") and word.split("=")[0] not in known:
            lib.fail(f"{name}: {' '.join(words)}: there is no {word}")


def check_prose(name, text, known):
    for words in mentions(text):
        check_options(name, words)
    for option in options_in_prose(text):
        if option not in known:
            lib.fail(f"{name}: no program has {option}")


def all_options():
    commands_of = {lib.SERVER: ("", *SERVER_COMMANDS, "track import", "token sign"),
                   lib.CLIENT: ("bot", "load", "watch", "key", "netsim")}
    known = {"--help", "--version"}
    for program, names in commands_of.items():
        for command in names:
            known |= help_of(program, *command.split())
    for script in ("deploy/demo", "tests/run", "client-lite/examples/bot.py",
                   "client-lite/examples/look_ahead.py"):
        known |= help_of(lib.SOURCES / script)
    return known


@functools.cache
def tails():
    """All ends of the paths of files of ours: "a/b/c.h", "b/c.h", "c.h"."""
    found = set()
    for top in ("server", "client-lite", "proto", "tests", "deploy"):
        for place, folders, names in os.walk(lib.SOURCES / top):
            folders[:] = [folder for folder in folders if folder != "node_modules"]
            for file in names:
                parts = (pathlib.Path(place) / file).relative_to(lib.SOURCES).parts
                found |= {"/".join(parts[i:]) for i in range(len(parts))}
    return found


def check_tests(name, text):
    """A promise names the tests that hold it: each is there."""
    places = {"unit": "tests/unit/*/test_{}.c", "e2e": "tests/e2e/{}.*", "fuzz": "tests/fuzz/fuzz_{}.c",
              "golden": "tests/golden/golden_{}.c"}
    named = re.findall(r"`(unit|e2e|fuzz|golden)\.([a-z_*]+)`", text)
    for kind, test in named:
        if not any(lib.SOURCES.glob(places[kind].format(test))):
            lib.fail(f"{name} names the test {kind}.{test}, which is not there")
    return len(named)


def check_places(name, text):
    """`server/...` and the like in the text are files or folders, and so are links and pictures;
    a name that ends like a source's is the end of some path."""
    for place in re.findall(r"`((?:server|client-lite|proto|tests|deploy)/[\w./-]+)`", text):
        if not (lib.SOURCES / place).exists() and not (lib.SOURCES / "server" / place).exists():
            lib.fail(f"{name}: there is no {place}")
    for place in re.findall(r"`([\w-][\w./-]*\.(?:c|h|ts|md|py|yaml|proto))`", text):
        if place not in tails() and place not in NO_FILES:
            lib.fail(f"{name}: no file is called {place}")
    for place in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
        if not (lib.SOURCES / name).parent.joinpath(place).exists():
            lib.fail(f"{name}: there is no {place}")
