#!/usr/bin/python3
"""Tests of what README.md and the guides tell people to type: every option exists, every file they
name is there, README can be skimmed and leads to each guide by a link, what ends by itself does so without a
complaint, and what does not is started, asked and stopped. An indented line is one to type, and each is
typed here or stands in ELSEWHERE; all else that is not prose is fenced. Ports are those that are typed,
in a network of the test's own where the system lets it have one."""

import fcntl
import functools
import json
import math
import os
import re
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import urllib.request

sys.dont_write_bytecode = True

import lib
from lib_guides import (DOCUMENTS, ELSEWHERE, GUIDES, PROGRAMS, README_LINES_MAX, README_WORDS_MAX,
                        SERVER_COMMANDS, all_options, check_options, check_places, check_prose,
                        check_tests, commands, lines_to_type, without_fences)

OWN_NETWORK = "APEX_TEST_OWN_NETWORK"
PAGE = "http://localhost:8080"


def enter_own_network():
    """Begins this script anew where no other program has a port."""
    if OWN_NETWORK in os.environ:
        up = struct.pack("16sh22x", b"lo", 0x41)  # IFF_UP, IFF_RUNNING
        with socket.socket() as any_socket:
            fcntl.ioctl(any_socket, 0x8914, up)  # SIOCSIFFLAGS
        return
    apart = ["unshare", "-n"] if os.geteuid() == 0 else ["unshare", "-rn"]
    if subprocess.call([*apart, "true"], stderr=subprocess.DEVNULL) == 0:
        os.environ[OWN_NETWORK] = "yes"
        lib.shutil.rmtree(lib.folder)
        os.execvp(apart[0], [*apart, sys.executable, *sys.argv])
    print("no network of its own: ports 26000 and 8080 have to be free")


def check_lines(name, text):
    """No line to type has lost its indentation, and none is left to the reader alone."""
    programs = (r"^(?:(?:build/release|deploy|tests|client-lite)/\S+ |apex-(?:server|client) "
                r"|curl |podman |cmake |ctest |cpack |export [A-Z_]+=).*")
    for line in re.findall(programs, without_fences(text), re.MULTILINE):
        lib.fail(f"{name}: indent {line}")
    for line in lines_to_type(text):
        words = shlex.split(line)
        is_typed = ends_by_itself(words) or is_hosting(words) or is_client(words)
        if not is_typed and line not in ELSEWHERE and not line.startswith("curl "):
            lib.fail(f"{name}: nobody types {line}")


def check_load():
    """Thousands of clients are told of with the server that lets them in."""
    told = commands(GUIDES["client-lite/LOADING.md"])
    if not any(is_hosting(words) for _, words in told):
        lib.fail("client-lite/LOADING.md hosts no server")


def check_elsewhere():
    told = {line for text in GUIDES.values() for line in lines_to_type(text)}
    for line, by in ELSEWHERE.items():
        if line not in told:
            lib.fail(f"no guide tells of {line}")
        if by.startswith("tests/") and not (lib.SOURCES / by).is_file():
            lib.fail(f"{line}: there is no {by}")


class Typed(lib.Program):
    """A line as it is typed, in a folder in which build/release is this build."""

    def __init__(self, line):
        name = re.sub(r"[^a-z0-9]+", "-", line.lower())[:60].strip("-")
        super().__init__(name, "bash", "-c", f"cd {shlex.quote(str(FOLDER))} && exec {line}", typed=True)
        self.line = line

    def type(self, text):
        self.child.stdin.write(text.encode() + b"\n")
        self.child.stdin.flush()

    def interrupt(self):
        self.child.send_signal(signal.SIGINT)

    def must_end(self, seconds, codes):
        code = self.ended(seconds)
        if code not in codes:
            lib.fail(f"{self.line}: exit code {code}")


FOLDER = lib.folder / "typed"


def run_to_its_end(line):
    done = subprocess.run(["bash", "-c", line], cwd=FOLDER, capture_output=True, text=True,
                          timeout=120, check=False)
    is_hosting = "hosting" in done.stderr or "race" in done.stderr  # a server's log is no complaint
    if done.returncode != 0 or (done.stderr and not is_hosting):
        lib.fail(f"{line}: exit code {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def is_of(words, program):
    return words[0] == f"build/release/{program}"


def ends_by_itself(words):
    return is_of(words, "apex-server") and (words[1:2] and words[1] in SERVER_COMMANDS or
                                            "--races" in words)


def is_hosting(words):
    return is_of(words, "apex-server") and not ends_by_itself(words)


def is_client(words):
    return is_of(words, "apex-client") or words[0].startswith("client-lite/examples/")


class Hosted:
    """The server that was typed last: started and asked, and stopped when the next is typed."""

    def __init__(self, line):
        self.server = Typed(line)
        lib.wait_until(f"{line}: its page", lambda: is_served(f"{PAGE}/healthz"), 40)
        self.server.type("status")
        self.server.wait_said(r"^race \d+: ", 10)
        with urllib.request.urlopen(f"{PAGE}/api/races", timeout=10) as answer:
            lib.expect(f"{line}: races", len(json.load(answer)), max(1, line.count("--config")))

    def stop(self):
        self.server.type("quit")
        self.server.must_end(20, (0,))


def is_served(address):
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False


# The output by which a client shows that it does what it is for, by its command.
SHOWS = {"watch": r"^race \d", "bot": r"^bot-0*{count} joined", "netsim": r"127.0.0.1:26001",
         "load": r"\b[1-9]\d* in\b", "bot.py": r"^my bot drives ",
         "look_ahead.py": r"^my bot drives "}
LOADED = r"^generator: .*\n.*\n  lateness p99 .*$"  # the last line of its report


def joins(line, words, relays):
    """A client that is started, seen to work, and interrupted; a relay stays for the next one."""
    client = Typed(line)
    command = words[1] if is_of(words, "apex-client") else words[0].rsplit("/", 1)[-1]
    count = words[words.index("--count") + 1] if "--count" in words else 1
    client.wait_said(SHOWS[command].replace("{count}", str(count)), 60)
    if command == "netsim":
        relays.append(client)
        return
    if "--fail-if" in words:  # whatever the verdict on this machine: it is given
        client.must_end(90, (0, 1))
    else:
        client.interrupt()
        client.must_end(20, (0, 1, 130, -2))  # -2: by the signal itself
    if command == "load":
        client.wait_said(LOADED, 1)
    while relays:
        relay = relays.pop()
        relay.interrupt()
        relay.must_end(10, (0, 130))


@functools.cache
def check_sizes():
    readme = GUIDES["README.md"]
    lines, words = readme.count("\n"), len(readme.split())
    if lines > README_LINES_MAX or words > README_WORDS_MAX:
        lib.fail(f"README.md has {lines} lines and {words} words: nobody skims that")
    for name in DOCUMENTS:
        if name != "README.md" and f"]({name})" not in readme:
            lib.fail(f"README.md has no link to {name}")


def check_orders():
    """Requests to a server with curl: each is answered without an error."""
    lines = [(name, line) for name, text in GUIDES.items() for line in lines_to_type(text)
             if line.startswith("curl ")]
    lib.expect("lines with curl", len(lines) >= 4, True)
    os.environ["APEX_WEB_TOKEN"] = "readme-token"
    server = Hosted("build/release/apex-server --track oval")
    for name, line in lines:
        answer = run_to_its_end(line.replace("curl ", "curl --silent --show-error --fail-with-body "))
        if "{" in answer and "error" in json.loads(answer):
            lib.fail(f"{name}: {line}: {answer}")
    server.stop()
    del os.environ["APEX_WEB_TOKEN"]


# What a reader of BOTS.md brings along, and the two functions that his code stands in.
C_BEFORE = """#include "client-lite/client.h"
uint64_t now_us(void);
void wait_for_a_few_milliseconds(void);
void draw(const apex_client_pose *own, const apex_client_pose *others, size_t count);
apex_control_sample decide(const apex_wire_car *own, const apex_wire_car *cars, size_t count);
void drive(void);
void show(apex_client_def def, apex_client *client);
"""
C_HEADS = ("void drive(void) {\n", "void show(apex_client_def def, apex_client *client) {\n")


def check_code():
    """The C of BOTS.md compiles."""
    compiler = shutil.which("cc")
    if compiler is None:
        print("no C compiler: the code of BOTS.md is left out")
        return
    blocks = re.findall(r"^```c\n(.*?)^```", GUIDES["client-lite/BOTS.md"], re.M | re.S)
    lib.expect("blocks of C in BOTS.md", len(blocks), len(C_HEADS))
    code = C_BEFORE
    for head, block in zip(C_HEADS, blocks):
        code += head + block.replace("...\n", "") + "}\n"
    done = subprocess.run(
        [compiler, "-std=c17", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-c", "-xc", "-",
         f"-I{lib.SOURCES}", f"-I{lib.SOURCES / 'server'}", "-o", FOLDER / "bots.o"],
        input=code, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0:
        lib.fail(f"client-lite/BOTS.md: {done.stderr[-2000:]}")


def write_circuit(path):
    """A table of points as the surveyed circuits come: 2.2 km, ten metres wide."""
    rows = ["# x_m,y_m,w_tr_right_m,w_tr_left_m"]
    for i in range(440):
        angle = 2 * math.pi * i / 440
        rows.append(f"{450 * math.cos(angle):.3f},{230 * math.sin(angle):.3f},5.0,5.0")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")


def prepare():
    (FOLDER / "build/release").mkdir(parents=True)
    for name, program in PROGRAMS.items():
        (FOLDER / "build/release" / name).symlink_to(program)
    (FOLDER / "cars").mkdir()
    write_circuit(FOLDER / "Suzuka.csv")  # the one that README names is somebody else's
    for place in ("server", "client-lite", "proto", "deploy"):
        (FOLDER / place).symlink_to(lib.SOURCES / place)


class Counts:
    seen = ended = hosted = joined = 0


def follow(name, text, counts):
    """Types what a guide tells, line after line."""
    server, relays = None, []
    for line, words in commands(text):
        counts.seen += 1
        check_options(name, words)
        if server is not None and not is_client(words):
            server.stop()
            server = None
        if ends_by_itself(words):
            run_to_its_end(line)
            counts.ended += 1
        elif is_hosting(words):
            server = Hosted(line)
            counts.hosted += 1
        elif is_client(words):
            server = server or Hosted("build/release/apex-server --track oval --bots 2")
            joins(line, words, relays)
            counts.joined += 1
    if server is not None:
        server.stop()


def main():
    enter_own_network()
    prepare()
    counts = Counts()
    check_sizes()
    for name, text in GUIDES.items():
        check_lines(name, text)
    check_load()
    check_elsewhere()
    known = all_options()
    for name, text in DOCUMENTS.items():
        check_places(name, text)
        check_prose(name, text, known)
    if check_tests("server/SECURITY.md", DOCUMENTS["server/SECURITY.md"]) < 30:
        lib.fail("server/SECURITY.md names hardly any tests")
    check_code()
    for name, text in GUIDES.items():
        follow(name, text, counts)
    if counts.seen < 45 or counts.ended < 17 or counts.hosted < 10 or counts.joined < 10:
        lib.fail(f"{counts.seen} commands, {counts.ended} ended, {counts.hosted} hosted, "
                 f"{counts.joined} joined: are these the guides?")
    print(f"{counts.seen} commands of {len(GUIDES)} guides")
    check_orders()


main()
