#!/usr/bin/python3
"""What README.md and the guides tell people to type: every option exists, every file they name is
there, README can be skimmed and leads to each guide by a link, what ends by itself does so without a
complaint, and what does not is started, asked and stopped. An indented line is one to type, and each is
typed here or stands in ELSEWHERE; all else that is not prose is fenced. Ports are those that are typed,
in a network of the test's own where the system lets it have one."""

import fcntl
import functools
import json
import math
import os
import pathlib
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

PROGRAMS = {"apex-server": lib.SERVER, "apex-client": lib.CLIENT}
SERVER_COMMANDS = ("check", "default", "list", "replay", "car", "manoeuvre", "track")


def texts_of(*names):
    return {name: (lib.SOURCES / name).read_text(encoding="utf-8") for name in names}


GUIDES = texts_of(
    "README.md", "server/HOSTING.md", "server/OPERATING.md", "server/api/API.md",
    "server/content/races/README.md", "server/content/cars/README.md",
    "server/content/tracks/README.md", "client-lite/BOTS.md", "client-lite/LOADING.md",
    "proto/PROTOCOL.md", "server/ARCHITECTURE.md")
# Texts that tell nobody to type anything, but name files and options.
DOCUMENTS = GUIDES | texts_of("server/DECISIONS.md", "deploy/CHANGELOG.md")
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
        deeper = ["import"] if words[1:3] == ["track", "import"] else []
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
    commands_of = {lib.SERVER: ("", *SERVER_COMMANDS, "track import"),
                   lib.CLIENT: ("bot", "load", "watch", "netsim")}
    known = {"--help", "--version"}
    for program, names in commands_of.items():
        for command in names:
            known |= help_of(program, *command.split())
    for script in ("deploy/demo", "tests/run", "client-lite/examples/bot.py"):
        known |= help_of(lib.SOURCES / script)
    return known


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


# What shows that a client does what it is for, by its command.
SHOWS = {"watch": r"^race \d", "bot": r"^bot-0*{count} joined", "netsim": r"127.0.0.1:26001",
         "load": r"\b[1-9]\d* in\b", "bot.py": r"^my bot drives "}
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
        client.must_end(20, (0, 1, 130))
    if command == "load":
        client.wait_said(LOADED, 1)
    while relays:
        relay = relays.pop()
        relay.interrupt()
        relay.must_end(10, (0, 130))


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


def check_sizes():
    readme = GUIDES["README.md"]
    lines, words = readme.count("\n"), len(readme.split())
    if lines > README_LINES_MAX or words > README_WORDS_MAX:
        lib.fail(f"README.md has {lines} lines and {words} words: nobody skims that")
    for name in DOCUMENTS:
        if name != "README.md" and f"]({name})" not in readme:
            lib.fail(f"README.md has no link to {name}")


def check_orders():
    """What is asked of a server with curl: each answered without an error."""
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
void draw_ahead_of_the_others(const apex_client_pose *pose);
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
    check_code()
    for name, text in GUIDES.items():
        follow(name, text, counts)
    if counts.seen < 45 or counts.ended < 17 or counts.hosted < 10 or counts.joined < 10:
        lib.fail(f"{counts.seen} commands, {counts.ended} ended, {counts.hosted} hosted, "
                 f"{counts.joined} joined: are these the guides?")
    print(f"{counts.seen} commands of {len(GUIDES)} guides")
    check_orders()


main()
