"""The part that the Python scripts of this folder share: a folder of their own, programs that end with
them, and waiting with an end."""

import atexit
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SERVER = os.environ.get("APEX_SERVER", "")
CLIENT = os.environ.get("APEX_CLIENT", "")
SOURCES = pathlib.Path(os.environ.get("APEX_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
SKIPPED = 77

if not (os.access(SERVER, os.X_OK) and os.access(CLIENT, os.X_OK)):
    sys.exit("APEX_SERVER and APEX_CLIENT must name the programs to test")

folder = pathlib.Path(tempfile.mkdtemp(prefix="apex-e2e-"))
# Keys and known servers are the test's own.
os.environ["XDG_CONFIG_HOME"] = str(folder / "config")
os.environ["XDG_STATE_HOME"] = str(folder / "state")
os.environ.pop("STATE_DIRECTORY", None)
_children = []


def _is_let(*command):
    try:
        return subprocess.call([*command, "true"], stderr=subprocess.DEVNULL) == 0
    except FileNotFoundError:
        return False


# Programs come before all that wants processors beside them, where the system lets them.
ON_TIME = ["chrt", "--rr", "1"] if _is_let("chrt", "--rr", "1") else []


def come_on_time():
    """The thread that calls it comes as early as programs do."""
    if ON_TIME:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))


RACE = """kind: race
name: e2e
track: oval
cars: [boxster-s]
laps: 50
player_capacity: 32
start_players: 1
countdown_s: 1
results_s: 1
races: 1
server:
  port: 0
  address: 127.0.0.1
"""


@atexit.register
def _end_children():
    for child in _children:
        if child.poll() is None:
            child.kill()
            child.wait()
    shutil.rmtree(folder, ignore_errors=True)


# A signal from outside ends the script as an exception does: with what it has begun.
signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(130))


def fail(text):
    print(f"FAILED: {text}")
    for log in sorted(folder.glob("*.log")):
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        print(f"--- {log.name}")
        # A sanitizer's report stands at its beginning.
        for line in lines[-60:]:
            print(line[:200])
    sys.exit(1)


def expect(what, got, wanted):
    if got != wanted:
        fail(f"{what}: {got!r}, not {wanted!r}")


def wait_until(what, true, seconds):
    """Looks again and again until `true()` is, and returns what it gave."""
    until = time.monotonic() + seconds
    while True:
        got = true()
        if got:
            return got
        if time.monotonic() > until:
            fail(f"{what}: not within {seconds} s")
        time.sleep(0.05)


class Program:
    """A program with its log: both of its outputs, in one file."""

    def __init__(self, name, *arguments, typed=False):
        self.name = name
        self.log = folder / f"{name}.log"
        with open(self.log, "wb") as log:
            self.child = subprocess.Popen(  # pylint: disable=consider-using-with
                ON_TIME + [str(argument) for argument in arguments], stdout=log, stderr=log,
                stdin=subprocess.PIPE if typed else subprocess.DEVNULL)
        _children.append(self.child)

    def said(self):
        return self.log.read_text(encoding="utf-8", errors="replace")

    def wait_said(self, pattern, seconds=20):
        return wait_until(f"{self.name}: '{pattern}'",
                          lambda: re.search(pattern, self.said(), re.MULTILINE), seconds)

    def is_running(self):
        return self.child.poll() is None

    def ended(self, seconds):
        """The exit code of a program that ends by itself."""
        try:
            return self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            return fail(f"{self.name} still runs after {seconds} s")


class Server(Program):
    def __init__(self, *arguments, name="server"):
        race = folder / "race.yaml"
        race.write_text(RACE, encoding="utf-8")
        super().__init__(name, SERVER, "--config", race, *arguments, typed=True)
        self.port = int(self.wait_said(r"UDP port (\d+)", 30)[1])

    def ask(self, command, pattern):
        """Types a command; returns the answer from where the pattern is found."""
        before = len(self.said())
        self.child.stdin.write(command.encode() + b"\n")
        self.child.stdin.flush()
        found = wait_until(f"'{command}' answered by '{pattern}'",
                           lambda: re.search(pattern, self.said()[before:], re.MULTILINE), 20)
        return self.said()[before + found.start():]

    def counters(self):
        """The numbers that `status` says as "name: number"."""
        before = len(self.said())
        self.ask("status", r"^race \d+: ")
        # Answers come in order, so this one ends the other.
        self.ask("help", r"^ +help +this list")
        answer = self.said()[before:]
        return {name: int(value)
                for name, value in re.findall(r"^([a-z-]+): (\d+)$", answer, re.MULTILINE)}

    def quit(self):
        self.ask("quit", "closing")
        expect("the server's exit code", self.ended(10), 0)
        for word in ("ERROR: AddressSanitizer", "ERROR: LeakSanitizer", "runtime error:",
                     "Assertion", "assertion"):
            if word in self.said():
                fail(f"the server said '{word}'")


class Bots(Program):
    def __init__(self, server, *arguments, name="bots", port=None):
        super().__init__(name, CLIENT, "bot", "--json", *arguments,
                         f"127.0.0.1:{port or server.port}")
