#!/usr/bin/python3
"""What a stranger's file says is told without acting on the terminal: controls, direction and
invisible characters come out as their bytes."""

import re
import subprocess
import sys

sys.dont_write_bytecode = True

import lib

# CSI of 7 bits and of 8, an override, an isolate, marks, a joiner, a tag.
HOSTILE = "\x1b[2J|\u009b2J|\u202e|\u2066|\u200e|\u061c|\u200b|\U000e0001"
ACTS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f"
                  "\ufeff\U000e0000-\U000e0fff]")


def said(*arguments):
    done = subprocess.run([lib.SERVER, *map(str, arguments)], capture_output=True, timeout=60,
                          check=False)
    return done.returncode, (done.stdout + done.stderr).decode()


def expect_shown(what, text, *wanted):
    found = ACTS.search(text)
    if found:
        lib.fail(f"{what}: {found[0]!r} in {text!r}")
    for part in wanted:
        if part not in text:
            lib.fail(f"{what}: no {part!r} in {text!r}")


def main():
    # As a key, which is told as it is.
    path = lib.folder / "hostile.yaml"
    key = HOSTILE.replace("\x1b", "\\e").replace("\u009b", "\\x9b")  # as YAML has them
    path.write_text(f'kind: race\n"{key}": 1\n', encoding="utf-8")
    code, text = said("check", path)
    lib.expect("check's exit code", code, 1)
    expect_shown("check", text, r"\xc2\x9b2J", r"\xe2\x80\xae", r"\xf3\xa0\x80\x81")

    # As the file's own name.
    odd = lib.folder / "odd\u202e\x1b[2J.yaml"
    odd.write_text(subprocess.run([lib.SERVER, "default", "race"], capture_output=True, text=True,
                                  check=True).stdout, encoding="utf-8")
    code, text = said("check", odd)
    lib.expect("check's exit code", code, 0)
    expect_shown("a file's name", text, r"odd\xe2\x80\xae\x1b[2J.yaml: race, fine")
    code, text = said("replay", "verify", lib.folder / "none\u202e.apexr")
    expect_shown("replay", text, r"none\xe2\x80\xae.apexr")

    # As a title, which may hold what is no control.
    track = (lib.SOURCES / "server/content/tracks/oval.yaml").read_text(encoding="utf-8")
    titled = re.sub(r"^title: .*$", 'title: "Ring\u202e\u200b"', track, count=1, flags=re.M)
    lib.expect("the track has a title", titled != track, True)
    path.write_text(titled, encoding="utf-8")
    code, text = said("track", path)
    lib.expect(f"track's exit code: {text}", code, 0)
    expect_shown("track", text, r"Ring\xe2\x80\xae\xe2\x80\x8b (")

    # The log of a server.
    path.write_text(lib.RACE.replace("name: e2e", 'name: "cup\u202e"'), encoding="utf-8")
    server = lib.Program("server", lib.SERVER, "--config", path, "--web", "off")
    server.wait_said(r"UDP port \d+", 30)
    server.child.terminate()
    lib.expect("the exit code", server.ended(20), 0)
    expect_shown("the log", server.said(), r"cup\xe2\x80\xae")


main()
