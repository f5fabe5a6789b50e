#!/usr/bin/python3
"""What README.md tells people to type: every option exists, every file it names is there, and what
ends by itself does so without a complaint."""

import re
import shlex
import subprocess
import sys

sys.dont_write_bytecode = True

import lib

PROGRAMS = {"apex-server": lib.SERVER, "apex-client": lib.CLIENT}
SERVER_COMMANDS = ("check", "default", "list", "replay", "car", "manoeuvre", "track")
# In the order of README, from a folder of its own; recording what is verified needs a race.
RUN = ("default", "check", "car", "manoeuvre", "track")
README = (lib.SOURCES / "README.md").read_text(encoding="utf-8")


def commands():
    """Lines to type that call a program of ours: the line without its comment, and its words."""
    for line in re.findall(r"^    ((?:build/release/|deploy/|tests/)\S+.*)$", README, re.MULTILINE):
        words = shlex.split(line, comments=True)
        yield re.split(r"\s#\s", line)[0], words


def help_of(*command):
    done = subprocess.run([*command, "--help"], capture_output=True, text=True, timeout=20, check=False)
    return set(re.findall(r"--[a-z-]+", done.stdout + done.stderr))


def options_of(words):
    program = words[0].rsplit("/", 1)[-1]
    if program not in PROGRAMS:
        return help_of(lib.SOURCES / words[0])
    if program == "apex-server" and words[1:2] and words[1] in SERVER_COMMANDS:
        deeper = ["import"] if words[1:3] == ["track", "import"] else []
        return help_of(PROGRAMS[program], words[1], *deeper)
    return help_of(PROGRAMS[program], *([words[1]] if program == "apex-client" else []))


def check_options(words):
    known = options_of(words)
    for word in words[1:]:
        if word.startswith("--") and word.split("=")[0] not in known:
            lib.fail(f"README.md: {' '.join(words)}: there is no {word}")


def run(line):
    """As typed, in a folder in which build/release is this build."""
    done = subprocess.run(["bash", "-c", line], cwd=lib.folder / "typed", capture_output=True,
                          text=True, timeout=60, check=False)
    if done.returncode != 0 or done.stderr:
        lib.fail(f"README.md: {line}: exit code {done.returncode}: {done.stderr}")


def check_places():
    """`server/...` and the like in the text are files or folders."""
    for place in re.findall(r"`((?:server|client-lite|proto|tests|deploy)/[\w./-]+)`", README):
        if not (lib.SOURCES / place).exists():
            lib.fail(f"README.md: there is no {place}")


def main():
    typed = lib.folder / "typed"
    (typed / "build/release").mkdir(parents=True)
    for name, program in PROGRAMS.items():
        (typed / "build/release" / name).symlink_to(program)
    (typed / "cars").mkdir()
    seen = ran = 0
    for line, words in commands():
        seen += 1
        check_options(words)
        if words[0].endswith("apex-server") and words[1:2] and words[1] in RUN:
            if "import" not in words:  # of a table that is somebody else's
                run(line)
                ran += 1
    lib.expect("a README with commands in it", seen >= 25 and ran >= 8, True)
    check_places()


main()
