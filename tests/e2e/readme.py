#!/usr/bin/python3
"""Tests of what README.md and the guides tell people to type: every option exists, every file they
name is there, README can be skimmed, what ends by itself does so without a complaint, and what does not
is started, asked and stopped. Ports are those that are typed, in a network of the test's own where the
system lets it have one."""

import fcntl
import json
import math
import os
import re
import shlex
import signal
import socket
import struct
import subprocess
import sys
import urllib.request

sys.dont_write_bytecode = True

import lib

PROGRAMS = {"apex-server": lib.SERVER, "apex-client": lib.CLIENT}
SERVER_COMMANDS = ("check", "default", "list", "replay", "car", "manoeuvre", "track")
GUIDES = {name: (lib.SOURCES / name).read_text(encoding="utf-8") for name in (
    "README.md", "server/HOSTING.md", "server/OPERATING.md", "server/content/races/README.md",
    "server/content/cars/README.md", "server/content/tracks/README.md", "client-lite/BOTS.md",
    "client-lite/LOADING.md", "server/ARCHITECTURE.md")}
README_LINES_MAX, README_WORDS_MAX = 150, 1200
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


def commands(text):
    """Lines to type that call a program of ours: the line without its comment, and its words."""
    ours = r"^    ((?:build/release/|deploy/|tests/|client-lite/)\S+.*)$"
    for line in re.findall(ours, text, re.MULTILINE):
        words = shlex.split(line, comments=True)
        yield re.split(r"\s#\s", line)[0].rstrip(), words


def mentions(text):
    """Commands in the midst of sentences, as words: `apex-server car NAME`."""
    for line in re.findall(r"`(apex-(?:server|client)\s[^`]+)`", text):
        words = shlex.split(line)
        if words[0] in PROGRAMS:
            yield [f"build/release/{words[0]}", *words[1:]]


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


def check_options(name, words):
    known = options_of(words)
    for word in words[1:]:
        if word.startswith("--") and word.split("=")[0] not in known:
            lib.fail(f"{name}: {' '.join(words)}: there is no {word}")


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
SHOWS = {"watch": r"^race \d", "bot": r"^bot-12 joined", "netsim": r"127.0.0.1:26001",
         "load": r"\b[1-9]\d* in\b", "bot.py": r"^my bot drives "}


def joins(line, words, relays):
    """A client that is started, seen to work, and interrupted; a relay stays for the next one."""
    client = Typed(line)
    command = words[1] if is_of(words, "apex-client") else words[0].rsplit("/", 1)[-1]
    client.wait_said(SHOWS[command], 60)
    if command == "netsim":
        relays.append(client)
        return
    client.interrupt()
    client.must_end(20, (0, 1, 130))
    while relays:
        relay = relays.pop()
        relay.interrupt()
        relay.must_end(10, (0, 130))


def check_places(name, text):
    """`server/...` and the like in the text are files or folders, and so are links and pictures."""
    for place in re.findall(r"`((?:server|client-lite|proto|tests|deploy)/[\w./-]+)`", text):
        if not (lib.SOURCES / place).exists():
            lib.fail(f"{name}: there is no {place}")
    for place in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
        if not (lib.SOURCES / name).parent.joinpath(place).exists():
            lib.fail(f"{name}: there is no {place}")


def check_sizes():
    readme = GUIDES["README.md"]
    lines, words = readme.count("\n"), len(readme.split())
    if lines > README_LINES_MAX or words > README_WORDS_MAX:
        lib.fail(f"README.md has {lines} lines and {words} words: nobody skims that")
    for name in GUIDES:
        if name != "README.md" and name not in readme:
            lib.fail(f"README.md does not lead to {name}")


def check_orders():
    """Requests to a server with curl: each is answered without an error."""
    lines = re.findall(r"^    (curl .*localhost.*)$", "".join(GUIDES.values()), re.MULTILINE)
    lib.expect("lines with curl", len(lines) >= 2, True)
    os.environ["APEX_WEB_TOKEN"] = "readme-token"
    server = Hosted("build/release/apex-server --track oval")
    for line in lines:
        answer = run_to_its_end(line.replace("curl ", "curl --silent --show-error --fail-with-body "))
        if "{" in answer and "error" in json.loads(answer):
            lib.fail(f"README.md: {line}: {answer}")
    server.stop()
    del os.environ["APEX_WEB_TOKEN"]


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
        is_client = is_of(words, "apex-client") or words[0].startswith("client-lite/examples/")
        if server is not None and not is_client:
            server.stop()
            server = None
        if ends_by_itself(words):
            run_to_its_end(line)
            counts.ended += 1
        elif is_hosting(words):
            server = Hosted(line)
            counts.hosted += 1
        elif is_client:
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
        check_places(name, text)
        for words in mentions(text):
            check_options(name, words)
        follow(name, text, counts)
    if counts.seen < 45 or counts.ended < 17 or counts.hosted < 10 or counts.joined < 10:
        lib.fail(f"{counts.seen} commands, {counts.ended} ended, {counts.hosted} hosted, "
                 f"{counts.joined} joined: are these the guides?")
    print(f"{counts.seen} commands of {len(GUIDES)} guides")
    check_orders()


main()
