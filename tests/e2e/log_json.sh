#!/usr/bin/env bash
# Every line that the server logs in JSON parses, whatever players call themselves, and carries time,
# level, module and text.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

name='a"b\c ünï'
start_server json --players 1 --races 2 --laps 1 --track skidpad --log json --log-level debug \
    --speed 4 --results "$folder/results"
start_client bot bot --name "$name"
bot=$client
start_client guest bot --name guest --car hovercraft
guest=$client
ended "$guest" 20
expect "the guest's exit code" "$status" 1
ask json 'say "quoted" \ text' 'said to everybody'
ended "$bot" 60
expect "the bot's exit code" "$status" 0
ended "$server" 5
expect "the server's exit code" "$status" 0

python3 - "$folder/json.log" "$name" <<'PYTHON' || fail "the log is not as it should be"
import datetime, json, sys
lines = open(sys.argv[1], encoding="utf-8").read().splitlines()
before = None
modules = set()
for line in lines:
    entry = json.loads(line)
    if set(entry) != {"time", "level", "module", "text"}:
        sys.exit(f"other keys: {line}")
    if entry["level"] not in ("debug", "info", "warn", "error"):
        sys.exit(f"another level: {line}")
    time = datetime.datetime.strptime(entry["time"], "%Y-%m-%dT%H:%M:%S.%fZ")
    if before is not None and time < before:
        sys.exit(f"time runs backwards: {line}")
    before = time
    modules.add(entry["module"])
text = [json.loads(line)["text"] for line in lines]
if not {"main", "race"} <= modules:
    sys.exit(f"only {modules} speak")
for part in (sys.argv[2] + " joined", sys.argv[2] + " finished as number 1", "race 2: over"):
    if not any(part in line for line in text):
        sys.exit(f"no line tells of '{part}'")
if sum("UDP port" in line for line in text) != 1:
    sys.exit("the port is not told once")
PYTHON
expect "results" "$(find "$folder/results" -name '*.json' | wc -l)" 2
python3 - "$folder/results" "$name" <<'PYTHON' || fail "files of results"
import json, pathlib, sys
for path in pathlib.Path(sys.argv[1]).glob("*.json"):
    race = json.loads(path.read_text(encoding="utf-8"))
    assert [line["name"] for line in race["results"]] == [sys.argv[2]], race
events = (pathlib.Path(sys.argv[1]) / "events.jsonl").read_text(encoding="utf-8").splitlines()
kept = [json.loads(line) for line in events]
assert [event["race"] for event in kept if event["event"] == "finished"] == [1, 2], events
assert {event["player"] for event in kept} == {sys.argv[2]}, events
PYTHON
