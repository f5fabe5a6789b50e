#!/usr/bin/python3
"""With -h or --help that very program, command or script answers, and nothing else does:
exit code 0, nothing on standard error, and nothing done."""

import shutil
import subprocess
import sys

sys.dont_write_bytecode = True

import lib

SERVER = ("", "check", "default", "list", "replay", "car", "manoeuvre", "track", "track import",
          "token")
CLIENT = ("", "bot", "load", "watch", "key", "netsim")
SCRIPTS = ("deploy/demo", "deploy/manuals", "tests/run", "tests/layers", "tests/bench/run",
           "tests/bench/page.mjs", "tests/bench/page_ahead.mjs", "tests/bench/page_join.mjs",
           "tests/bench/web_answers.py", "tests/bench/web_spectators.py", "tests/golden/matrix",
           "tests/screenshots.mjs", "client-lite/examples/bot.py",
           "client-lite/examples/look_ahead.py")


def ask(command, option):
    done = subprocess.run([*command, option], capture_output=True, text=True, timeout=30,
                          check=False, stdin=subprocess.DEVNULL)
    asked = " ".join(str(word) for word in (*command, option))
    lib.expect(f"{asked}: exit code", done.returncode, 0)
    lib.expect(f"{asked}: standard error", done.stderr, "")
    if len(done.stdout) < 40:
        lib.fail(f"{asked}: {done.stdout!r} is no help")
    return done.stdout


def same_help(*command):
    said = ask(command, "-h")
    lib.expect(f"{command}: -h and --help", ask(command, "--help"), said)
    return said


def main():
    for program, commands in ((lib.SERVER, SERVER), (lib.CLIENT, CLIENT)):
        seen = {}
        for command in commands:
            said = same_help(program, *command.split())
            name = program.rsplit("/", 1)[-1]
            if command and f"usage: {name} {command.split()[0]}" not in said:
                lib.fail(f"{name} {command} -h is not its own: {said[:80]!r}")
            if said in seen:
                lib.fail(f"{command!r} and {seen[said]!r} have one help")
            seen[said] = command
    # Also behind what it would have worked on.
    lib.expect("check FILE --help", ask([lib.SERVER, "check", "none.yaml"], "--help"),
               ask([lib.SERVER, "check"], "-h"))
    for script in SCRIPTS:
        path = lib.SOURCES / script
        if script.endswith(".mjs") and shutil.which("node") is None:
            continue
        same_help(path)


main()
