#!/usr/bin/python3
"""The addresses that `--web :PORT` tells to send to friends lead to the page, by IPv4 and IPv6; on a
terminal the first address is a QR code as well, on a pipe it is not."""

import ctypes
import ctypes.util
import os
import pty
import re
import select
import subprocess
import sys
import time
import urllib.parse
import urllib.request

sys.dont_write_bytecode = True

import lib

SCRIPT = ("--port", "0", "--track", "skidpad")


def own_addresses():
    """As the system tells them to people: without loopback, and without link-local ones of IPv6."""
    said = subprocess.run(["hostname", "-I"], capture_output=True, text=True, check=False).stdout
    return sorted(said.split())


def places_in(said):
    return re.findall(r"for friends: http://\[?([0-9a-f.:]+?)\]?:(\d+)/ \(([^)]+)\)", said)


def answers(address, port):
    host = f"[{address}]" if ":" in address else address
    with urllib.request.urlopen(f"http://{host}:{port}/healthz", timeout=5) as answer:
        return answer.status


def on_a_pipe():
    server = lib.Program("every", lib.SERVER, *SCRIPT, "--web", ":0")
    server.wait_said("nobody is here", 30)
    said = server.said()
    lib.expect("the page for this machine", bool(re.search(r"page: http://localhost:\d+/$", said,
                                                           re.MULTILINE)), True)
    places = places_in(said)
    lib.expect("addresses", sorted(address for address, _, _ in places), own_addresses())
    for address, port, _ in places:
        lib.expect(f"health at {address}", answers(address, port), 200)
    lib.expect("a picture where nobody sees it", "\x1b" in said, False)
    server.child.terminate()
    server.ended(10)


def for_this_machine():
    server = lib.Program("local", lib.SERVER, *SCRIPT, "--web", "localhost:0")
    server.wait_said("nobody is here", 30)
    lib.expect("addresses of a local page", places_in(server.said()), [])
    server.child.terminate()
    server.ended(10)


def password_on_a_pipe():
    server = lib.Program("secret", lib.SERVER, *SCRIPT, "--web", ":0", "--password", "Sesam",
                         "--invite")
    server.wait_said("nobody is here", 30)
    lib.expect("a password in a log", "Sesam" in server.said(), False)
    if own_addresses():
        server.wait_said("--invite: the password is not put into a log that is no terminal")
    server.child.terminate()
    server.ended(10)


def on_a_terminal(*arguments, script=SCRIPT, **environment):
    ours, theirs = pty.openpty()
    with subprocess.Popen([lib.SERVER, *script, "--web", ":0", *arguments], stdin=theirs, stdout=theirs,
                          stderr=theirs, env={**os.environ, **environment}) as child:
        os.close(theirs)
        said, until = b"", time.monotonic() + 30
        while b"nobody is here" not in said and time.monotonic() < until:
            if select.select([ours], [], [], 1)[0]:
                said += os.read(ours, 65536)
        child.terminate()
        child.wait(10)
        os.close(ours)
    return said.decode("utf-8").replace("\r", "")


def drawn(said):
    """The modules of a code of half blocks, row by row, its light border included."""
    rows = []
    for line in re.findall(r"\x1b\[30;107m([ ▀▄█]+)\x1b\[0m", said):
        rows.append([block in "▀█" for block in line])
        rows.append([block in "▄█" for block in line])
    return rows


class Code(ctypes.Structure):
    _fields_ = [("version", ctypes.c_int), ("width", ctypes.c_int),
                ("data", ctypes.POINTER(ctypes.c_ubyte))]


def look(library, said, text):
    """The picture is of that text."""
    rows = drawn(said)
    wanted = encoded(library, text)
    lib.expect(f"the code of {text}", [row[2:-2] for row in rows[2:2 + len(wanted)]], wanted)
    border = rows[:2] + rows[2 + len(wanted):] + [row[:2] + row[-2:] for row in rows]
    lib.expect("a light border", any(any(row) for row in border), False)


def invitations(library):
    """The password is in the link when that was asked for, as the page reads it."""
    terminal = {"LC_ALL": "C.UTF-8", "TERM": "xterm"}
    password = "a b&c=#%ä~1"
    said = on_a_terminal("--password", password, **terminal)
    lib.expect("a password nobody asked to show", "with the password" in said, False)
    lib.expect("how to show it", "--invite puts it into the link" in said, True)
    look(library, said, re.search(r"for friends: (\S+)", said)[1])
    said = on_a_terminal("--password", password, "--invite", **terminal)
    address = re.search(r"for friends: (\S+)", said)[1]
    link = re.search(r"with the password: (\S+)", said)[1]
    lib.expect("the link", link, address + "#password=a%20b%26c%3D%23%25%C3%A4~1")
    lib.expect("as the page reads it", urllib.parse.unquote(link.split("#password=")[1]), password)
    look(library, said, link)
    two = lib.folder / "second.yaml"
    two.write_text(lib.RACE + "  password: second\n", encoding="utf-8")
    said = on_a_terminal("--config", "sprint", "--config", two, "--invite", script=("--port", "0"),
                         **terminal)
    lib.expect("links", re.findall(r"with the password: (\S+)", said),
               [re.search(r"for friends: (\S+)", said)[1] + "race/2#password=second"])


def encoded(library, text):
    library.QRcode_encodeString8bit.restype = ctypes.POINTER(Code)
    code = library.QRcode_encodeString8bit(text.encode(), 0, 0).contents
    return [[bool(code.data[row * code.width + column] & 1) for column in range(code.width)]
            for row in range(code.width)]


def main():
    on_a_pipe()
    for_this_machine()
    password_on_a_pipe()
    name = ctypes.util.find_library("qrencode")
    said = on_a_terminal(LC_ALL="C.UTF-8", TERM="xterm")
    rows = drawn(said)
    if not own_addresses() or name is None or not rows:
        print("no address, or no libqrencode: no QR code to look at")
        return
    look(ctypes.CDLL(name), said, re.search(r"for friends: (\S+)", said)[1])
    invitations(ctypes.CDLL(name))
    for name, changed in (("dumb", {"TERM": "dumb", "LC_ALL": "C.UTF-8"}),
                          ("without blocks", {"TERM": "xterm", "LC_ALL": "C"})):
        lib.expect(f"a picture on a terminal that is {name}", drawn(on_a_terminal(**changed)), [])


main()
