#!/usr/bin/python3
# labels: asan
"""Tests of drivers with keys over real sockets: names that stay theirs, guests, lists, tokens,
passwords that stand on no command line."""

import os
import re
import signal
import subprocess
import sys

sys.dont_write_bytecode = True

import lib
import lib_web

KEYS = {name: lib.folder / f"{name}.key" for name in ("ada", "bob")}


def key_file(name):
    """Of a driver, made the first time."""
    path = KEYS[name]
    if not path.exists():
        path.write_text(("11" if name == "ada" else "22") * 32 + "\n", encoding="ascii")
        path.chmod(0o600)
    return path


def bot(server, name, log, *arguments, **more):
    return lib.Bots(server, "--name", name, "--no-reconnect", *arguments, name=log, **more)


def joins(server, name, log, *arguments, **more):
    one = bot(server, name, log, *arguments, **more)
    one.wait_said(r'"joined"')
    return one


def is_refused(server, name, log, because, *arguments):
    one = bot(server, name, log, *arguments)
    lib.expect(f"{log}: exit code", one.ended(20), 1)
    if because not in one.said():
        lib.fail(f"{log}: no '{because}' in: {one.said()}")


def leave(program):
    program.child.terminate()
    program.ended(20)


def as_driver(name):
    return ("--identity", key_file(name))


def names_are_held():
    results = lib.folder / "results"
    server = lib.Server("--results", results, "--web", "off")
    ada = joins(server, "Ada", "ada-first", *as_driver("ada"))
    fingerprint = server.ask("status", r"[0-9a-f]{32}  127\.0\.0\.1")[:32]
    is_refused(server, "ADA", "copy-of-guest", "belongs to", "--guest")
    is_refused(server, "\u0410da", "copy-of-bob", "belongs to", *as_driver("bob"))
    again = joins(server, "Ada", "ada-second", *as_driver("ada"))
    ada.wait_said("another connection|resumed|elsewhere|taken over")
    lib.expect("players", server.ask("status", r"\d+ players")[:9], "1 players")
    server.ask(f"kick {fingerprint}", "^Ada is out")
    again.ended(20)
    server.quit()
    server = lib.Server("--results", results, "--web", "off", name="after-a-restart")
    is_refused(server, "Ada", "copy-after-restart", "belongs to", "--guest")
    leave(joins(server, "Ada", "ada-after-restart", *as_driver("ada")))
    counters = server.counters()
    lib.expect("refused for names", counters.get("refused-name-held"), 1)
    server.quit()


def names_are_those_of_all_races():
    results = lib.folder / "results-of-two"
    server = lib.Server("--config", lib.folder / "race.yaml", "--results", results, "--web", "off",
                        name="of-two-races")
    server.wait_said(r"(?s)UDP port .*UDP port \d+")
    second = int(re.findall(r"UDP port (\d+)", server.said())[1])
    leave(joins(server, "Ada", "ada-in-the-second", *as_driver("ada"), port=second))
    is_refused(server, "Ada", "copy-in-the-first", "belongs to", *as_driver("bob"))
    leave(joins(server, "Ada", "ada-in-the-first", *as_driver("ada")))
    server.quit()
    lines = (results / "names.txt").read_text(encoding="utf-8").splitlines()
    lib.expect("names", [line.split(" ", 2)[2] for line in lines], ["Ada"])
    lib.expect("names of the second race", (results / "race-2" / "names.txt").exists(), False)


def lists_are_read_anew():
    drivers = lib.folder / "drivers.txt"
    shown = subprocess.run([lib.CLIENT, "key", "show", "--identity", key_file("ada")],
                           capture_output=True, text=True, check=False)
    words = [word for word in shown.stdout.split() if len(word) in (32, 64)
             and set(word) <= set("0123456789abcdef")]
    if not words:
        lib.fail(f"apex-client key show: {shown.stdout} {shown.stderr}")
    drivers.write_text("# nobody yet\n\n", encoding="utf-8")
    server = lib.Server("--drivers", drivers, "--web", "off", name="with-a-list")
    is_refused(server, "Ada", "not-listed", "list of drivers", *as_driver("ada"))
    is_refused(server, "Gus", "guest-at-list", "list of drivers", "--guest")
    drivers.write_text("# friends\n" + "\n".join(f"{word} Ada, of Monday" for word in words) +
                       "\n", encoding="utf-8")
    server.ask("reload", "^who may come was read anew$")
    leave(joins(server, "Ada", "listed", *as_driver("ada")))
    drivers.write_text("Ada\n", encoding="utf-8")
    server.ask("reload", r"^nothing was read anew: --drivers: .*drivers\.txt:1: expected a driver's fingerprint")
    leave(joins(server, "Ada", "still-listed", *as_driver("ada")))
    server.quit()


def tokens_let_in():
    lobby = lib.folder / "lobby.key"
    shown = subprocess.run([lib.SERVER, "token", "key", lobby], capture_output=True, text=True,
                           check=True)
    public = next(word for word in shown.stdout.split() if len(word) == 64)
    server = lib.Server("--lobby-key", public, "--token-needed", "--web", "off",
                        name="with-a-lobby")
    key = server.wait_said(r"#([0-9a-f]{64})")[1]

    def sign(audience):
        return subprocess.run([lib.SERVER, "token", "sign", "--key", lobby, "--audience", audience,
                               "--name", "Countess"], capture_output=True, text=True,
                              check=True).stdout.split()[-1]

    is_refused(server, "Ada", "without-a-token", "asks for a token", *as_driver("ada"))
    is_refused(server, "Ada", "token-for-another", "another server", *as_driver("ada"), "--token",
               sign("ab" * 32))
    token = sign(key)
    one = joins(server, "Ada", "with-a-token", *as_driver("ada"), "--token", token)
    server.ask("status", "Countess")
    is_refused(server, "Bob", "token-used", "has been used", *as_driver("bob"), "--token", token)
    changed = token[:-4] + ("AAAA" if token[-4:] != "AAAA" else "BBBB")
    is_refused(server, "Bob", "token-changed", "changed", *as_driver("bob"), "--token", changed)
    leave(one)
    server.quit()


def passwords_stand_on_no_command_line():
    password = lib.folder / "password"
    password.write_text("sesame\n", encoding="utf-8")
    password.chmod(0o600)
    server = lib.Server("--password-file", password, "--guests", "no", "--web", "off",
                        name="with-a-password")
    is_refused(server, "Gus", "guest", "no guests", "--guest", "--password", f"@{password}")
    is_refused(server, "Ada", "without-password", "password", *as_driver("ada"))
    leave(joins(server, "Ada", "with-password", *as_driver("ada"), "--password", f"@{password}"))
    server.quit()
    os.environ["APEX_PASSWORD"] = "sesame"
    server = lib.Server("--web", "off", name="password-of-environment")
    del os.environ["APEX_PASSWORD"]
    is_refused(server, "Ada", "without-it", "password", *as_driver("ada"))
    server.quit()
    bad = subprocess.run([lib.SERVER, "--password-file", lib.folder / "none"], capture_output=True,
                         text=True, check=False)
    lib.expect("exit code without the file", bad.returncode, 1)
    if "No such file" not in bad.stderr:
        lib.fail(f"a password file that is not there: {bad.stderr}")


def order_reload(port, token):
    return lib_web.get(port, "/api/reload", "POST", b"", Authorization=f"Bearer {token}")


def rules_are_read_anew_all_or_none():
    """By the API and by SIGHUP: a race file's lobbies and guests, and a password file."""
    lobby = lib.folder / "second-lobby.key"
    public = subprocess.run([lib.SERVER, "token", "key", lobby], capture_output=True, text=True,
                            check=True).stdout.split()[-1]
    password = lib.folder / "changing-password"
    password.write_text("one\n", encoding="utf-8")
    password.chmod(0o600)
    race = lib.folder / "changing.yaml"

    def write_race(more):
        race.write_text(lib.RACE + f"  password_file: {password}\n" + more, encoding="utf-8")

    write_race("")
    os.environ["APEX_WEB_TOKEN"] = "a-token-for-tests"
    server = lib.Program("with-rules", lib.SERVER, "--config", race, "--web", "127.0.0.1:0")
    del os.environ["APEX_WEB_TOKEN"]
    server.port = int(server.wait_said(r"UDP port (\d+)")[1])
    web = int(server.wait_said(r"page: http://127\.0\.0\.1:(\d+)/")[1])
    leave(joins(server, "Ada", "with-one", *as_driver("ada"), "--password", "one"))

    password.write_text("two\n", encoding="utf-8")
    lib.expect("the order", order_reload(web, "a-token-for-tests")[0], 200)
    is_refused(server, "Ada", "with-the-old-one", "password", *as_driver("ada"), "--password", "one")
    leave(joins(server, "Ada", "with-two", *as_driver("ada"), "--password", "two"))
    lib.expect("an order of nobody's", order_reload(web, "no-token-of-theirs")[0], 401)

    # One bad file, and the good one beside it counts for nothing.
    password.write_text("three\n", encoding="utf-8")
    write_race("  guests: perhaps\n")
    status, _, body = order_reload(web, "a-token-for-tests")
    lib.expect("an order with a bad file", status, 409)
    if "nothing was read anew: " not in body or "changing.yaml:" not in body:
        lib.fail(f"why nothing was read: {body}")
    leave(joins(server, "Ada", "still-with-two", *as_driver("ada"), "--password", "two"))

    write_race(f"  guests: false\n  token_needed: true\n  lobby_keys: [{public}]\n")
    done = "main: who may come was read anew"
    before = server.said().count(done)
    server.child.send_signal(signal.SIGHUP)
    lib.wait_until("three rules", lambda: server.said().count(done) == before + 1, 10)
    is_refused(server, "Gus", "now-no-guest", "asks for a token", "--guest", "--password", "three")
    key = re.search(r"#([0-9a-f]{64})", server.said())[1]
    token = subprocess.run([lib.SERVER, "token", "sign", "--key", lobby, "--audience", key],
                           capture_output=True, text=True, check=True).stdout.split()[-1]
    leave(joins(server, "Ada", "with-a-new-lobby", *as_driver("ada"), "--password", "three",
                "--token", token))
    if not server.is_running():
        lib.fail("the server has ended")
    server.child.terminate()
    server.ended(20)


def what_was_never_given_is_not_read():
    server = lib.Program("without-files", lib.SERVER, "--port", "0", "--web", "off", typed=True)
    server.wait_said(r"UDP port (\d+)")
    lib.Server.ask(server, "reload", "^nothing was read anew: there is no race file, list of drivers")
    server.child.send_signal(signal.SIGHUP)  # ends it, as ever
    lib.expect("exit code after SIGHUP", server.ended(20), 0)


names_are_held()
names_are_those_of_all_races()
lists_are_read_anew()
tokens_let_in()
passwords_stand_on_no_command_line()
rules_are_read_anew_all_or_none()
what_was_never_given_is_not_read()
print("drivers: names, lists, tokens and passwords hold")
