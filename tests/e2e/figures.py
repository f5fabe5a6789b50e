#!/usr/bin/python3
# labels: asan
"""A real server by HTTP: figures that move as they should, and orders that are carried out."""

import json
import os
import re
import sys
import time
import urllib.error
import urllib.request

sys.dont_write_bytecode = True

import lib

TOKEN = "an-operators-word"
SERIES = re.compile(r'^([a-z_]+)(\{[^}]*\})? ([-+.e0-9]+)$')


def ask(path, body=None, token=None):
    """The status and the body of an answer."""
    request = urllib.request.Request(f"http://127.0.0.1:{page}{path}", data=body)
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read().decode()


def get(path, token=None):
    status, body = ask(path, token=token)
    lib.expect(f"GET {path}", status, 200)
    return json.loads(body)


def order(what, **keys):
    status, body = ask(f"/api/races/1/{what}", json.dumps(keys).encode(), TOKEN)
    lib.expect(f"{what}: {body}", status, 200)
    return json.loads(body)["done"]


def scrape(token=None):
    status, body = ask("/metrics", token=token)
    lib.expect("GET /metrics", status, 200)
    series = {}
    for line in body.splitlines():
        if not line.startswith("#"):
            found = SERIES.match(line)
            if not found:
                lib.fail(f"no series: {line}")
            series[found[1] + (found[2] or "")] = float(found[3])
    return series


def grown(name):
    return after[name] - before[name]


def between(what, low, got, high):
    if not low <= got <= high:
        lib.fail(f"{what}: {got}, not {low} to {high}")


os.environ["APEX_WEB_TOKEN"] = TOKEN
server = lib.Server("--web", "127.0.0.1:0")
page = int(server.wait_said(r"page: http://127\.0\.0\.1:(\d+)/")[1])
bots = lib.Program("bots", lib.CLIENT, "bot", f"127.0.0.1:{server.port}", "--count", 3)
lib.wait_until("a race", lambda: get("/api/races")[0]["phase"] == "race", 30)
lib.expect("health", get("/healthz")["status"], "ok")
lib.expect("readiness", get("/readyz")["status"], "ready")

first = time.monotonic()
before = scrape()
begin = time.monotonic()
time.sleep(2)
end = time.monotonic()
after = scrape()
seconds = time.monotonic() - first # at most; at least it was end - begin
ONE = 'race="1"'
ticks = grown(f"apex_ticks_total{{{ONE}}}") + grown(f"apex_ticks_dropped_total{{{ONE}}}")
between("ticks", 60 * (end - begin) - 6, ticks, 60 * seconds + 6)
lib.expect("players", after[f"apex_players{{{ONE}}}"], 3)
lib.expect("clients", after[f"apex_clients{{{ONE}}}"], 3)
lib.expect("the phase", after[f'apex_race_phase{{{ONE},phase="race"}}'], 1)
tick_s = grown(f"apex_tick_seconds_sum{{{ONE}}}")
stages_s = sum(grown(name) for name in after if name.startswith("apex_stage_seconds_total"))
between("stages' share of the ticks", 0.5, stages_s / tick_s, 1.05)
# A tick that waits for a processor lasts, and costs nothing.
between("processor time", tick_s / 20, grown("process_cpu_seconds_total"), 4 * seconds)
udp_in = grown(f'apex_packets_total{{{ONE},transport="udp",direction="in"}}')
between("packets from three bots", 60, udp_in, 3 * 200 * seconds)
between("requests", 1, grown("apex_web_requests_total"), 2)
used = grown(f'apex_controls_total{{{ONE},outcome="on_tick"}}')
between("controls on their tick", 60, used, 3 * 60 * seconds + 60)

lib.expect("status without a token", ask("/api/races/1/status")[0], 401)
lib.expect("a wrong token", ask("/api/races/1/status", token="an operator's worm")[0], 401)
status = get("/api/races/1/status", TOKEN)
lib.expect("addresses", {line["address"] for line in status["order"]}, {"127.0.0.1"})
for line in status["order"]:
    between(f"round trip of {line['name']}", 0, line["round_trip_ms"], 499)
between("start of the process", time.time() - 600, after["process_start_time_seconds"], time.time())
for what, least in (("resident_memory_bytes", 1e6), ("virtual_memory_bytes", 1e6), ("open_fds", 5),
                    ("max_fds", 5), ("threads", 1)):
    between(what, least, after[f"process_{what}"], 1e15)
lib.expect("names of our own for what has one", [name for name in after if "apex_process" in name],
           [])
lib.expect("players for everybody", [name for name in after if 'player="' in name], [])
lib.expect("figures with a wrong token", ask("/metrics", token="an operator's worm")[0], 401)
lib.wait_until("loss of all", lambda: sum(name.startswith("apex_player_loss_ratio")
                                          for name in scrape(TOKEN)) == 3, 20)
told = scrape(TOKEN)
for line in get("/api/races/1/status", TOKEN)["order"]:
    of = f'{{{ONE},player="{line["player"]}",name="{line["name"]}"'
    between(f"round trip of {line['name']}", 0, told[f"apex_player_round_trip_seconds{of}}}"], 0.499)
    between(f"loss of {line['name']}", 0, told[f"apex_player_loss_ratio{of}}}"], 0.2)
    between(f"loss of {line['name']}", 0, line["loss_ratio"], 0.2)
    between(f"controls of {line['name']}", 60,
            told[f'apex_player_controls_total{of},outcome="on_tick"}}'], 60 * 60)
names = [line["name"] for line in get("/api/races/1")["order"]]
lib.expect("say", order("say", text="mind your manners"), "said to everybody")
lib.expect("kick", order("kick", name=names[0]), f"{names[0]} is out")
bots.wait_said("operator closed")
lib.wait_until("a race of two", lambda: get("/api/races")[0]["players"] == 2, 10)
lib.expect("restart", order("restart"), "back to the grid")
lib.expect("quit", order("quit"), "closing")
lib.expect("the server's exit code", server.ended(20), 0)
print("figures move and orders are carried out")
