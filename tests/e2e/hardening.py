#!/usr/bin/python3
"""The programs have the protections that deploy/harden.cmake asks for, as the linker left them."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True

import lib


def readelf(program, *what):
    return subprocess.run(["readelf", "-W", *what, program], capture_output=True, text=True,
                          check=True, env={**os.environ, "LC_ALL": "C"}).stdout


def missing(program):
    """Names what a program lacks."""
    head = readelf(program, "--file-header", "--program-headers", "--dynamic")
    symbols = readelf(program, "--dyn-syms")
    stack = re.search(r"^ +GNU_STACK .* (R\S*) +0x", head, re.MULTILINE)
    # With a version behind them: the sanitizers' and our own have none.
    fortified = set(re.findall(r" __(\w+)_chk@", symbols))
    held = {
        "PIE": re.search(r"Type: +DYN", head) and "(FLAGS_1)" in head
               and re.search(r"\(FLAGS_1\).*\bPIE\b", head),
        "RELRO": re.search(r"^ +GNU_RELRO ", head, re.MULTILINE),
        "BIND_NOW": re.search(r"\(FLAGS\).*\bBIND_NOW\b|\(FLAGS_1\).*\bNOW\b|\(BIND_NOW\)", head),
        "a stack without code": stack and "E" not in stack[1],
        "canaries": " __stack_chk_fail@" in symbols,
        # Nearly every program formats into arrays whose size the compiler knows.
        "fortified calls": {"snprintf", "vsnprintf"} & fortified,
    }
    # Each segment is to be written or run, never both.
    mapped = re.findall(r"^ +LOAD .* 0x[0-9a-f]+ ([RWE ]+?) +0x", head, re.MULTILINE)
    held["segments apart"] = mapped and not any("W" in flags and "E" in flags for flags in mapped)
    return [name for name, is_held in held.items() if not is_held]


def main():
    cache = pathlib.Path(os.environ["APEX_BUILD_DIR"], "CMakeCache.txt").read_text(encoding="utf-8")
    is_off = (re.search(r"^APEX_HARDEN:BOOL=(OFF|0|FALSE|NO)$", cache, re.MULTILINE)
              or re.search(r"^APEX_SANITIZE:\w+=.", cache, re.MULTILINE)
              or re.search(r"^CMAKE_BUILD_TYPE:\w+=Debug$", cache, re.MULTILINE))
    if is_off or not shutil.which("readelf"):
        print("this build asks for no protections, or there is no readelf")
        sys.exit(lib.SKIPPED)
    for program in (lib.SERVER, lib.CLIENT):
        lib.expect(f"{program} lacks", missing(program), [])


main()
