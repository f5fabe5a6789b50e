#!/usr/bin/env bash
# A whole race of twelve bots over sockets, and what the watcher, the bots and the files say of it.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

bots=12
laps=2
# Twice as fast as real time costs half the time and changes no bit of the simulation.
start_server server --players $bots --races 1 --laps $laps --speed "${APEX_RACE_SPEED:-2}" \
    --results "$folder/results"
start_client watch watch --json
watcher=$client
start_client plain watch --plain
plain=$client
start_client bots bot --count $bots
drivers=$client

ended "$server" 250
expect "the server's exit code" "$status" 0
ended "$drivers" 10
expect "the bots' exit code" "$status" 0
ended "$watcher" 10
expect "the watcher's exit code" "$status" 0
ended "$plain" 10
expect "the plain watcher's exit code" "$status" 0

file=$(results_file "$folder/results") || exit 1
figures=$(results "$file" '
"best lap %.3f to %.3f s, longest off track %.3f s, resets %d, contacts %d" % (
    min(l["best_lap_s"] for l in lines), max(l["best_lap_s"] for l in lines),
    max(l["off_track_longest_s"] for l in lines), sum(l["resets"] for l in lines),
    sum(l["contacts"] for l in lines))')
echo "$figures"

expect "complete" "$(results "$file" 'r["complete"]')" True
expect "laps" "$(results "$file" 'r["laps"]')" $laps
expect "finished" "$(results "$file" 'sum(l["state"] == "finished" for l in lines)')" $bots
expect "laps of all" "$(results "$file" 'sum(l["laps"] for l in lines)')" $((bots * laps))
expect "positions" "$(results "$file" '[l["position"] for l in lines] == list(range(1, 13))')" True
expect "totals rise" \
    "$(results "$file" '[l["total_s"] for l in lines] == sorted(l["total_s"] for l in lines)')" True
expect "names" "$(results "$file" 'sorted(l["name"] for l in lines)[0::11]')" "['bot-01', 'bot-12']"

# The watcher was told the same results, bit for bit, and saw the race in order.
python3 - "$file" "$folder/watch.out" <<'PYTHON' || fail "the watcher saw another race"
import json, sys
stored = json.load(open(sys.argv[1], encoding="utf-8"))
seen = [json.loads(line) for line in open(sys.argv[2], encoding="utf-8")]
results = [line for line in seen if line["type"] == "results"]
assert len(results) == 1, len(results)
assert results[0]["state_hash"] == stored["state_hash"], results[0]["state_hash"]
assert len(results[0]["lines"]) == len(stored["results"])
for told, kept in zip(results[0]["lines"], stored["results"]):
    assert told["name"] == kept["name"] and told["position"] == kept["position"], told
    assert told["total_us"] == round(kept["total_s"] * 1e6), (told, kept)
    assert told["best_lap_us"] == round(kept["best_lap_s"] * 1e6), (told, kept)
events = [line["event"] for line in seen if line["type"] == "event"]
assert events.count("finished") == 12, events
assert events.count("lap") == 24, events.count("lap")
assert seen[-1]["type"] == "closed" and seen[-1]["reason"] == "event-over", seen[-1]
standings = [line for line in seen if line["type"] == "standings"]
assert len(standings) > 20 and {line["total"] for line in standings[3:]} == {12}
PYTHON
expect "results printed" "$(grep -cE '^ *[0-9]+\* bot-[0-9]+ ' "$folder/plain.out")" $bots
expect "finishes told" "$(grep -cE ' finishes [0-9]+\. in ' "$folder/bots.out")" $bots

spread='max(l["best_lap_s"] for l in lines) / min(l["best_lap_s"] for l in lines) - 1'
expect "best laps within 3 % ($figures)" "$(results "$file" "$spread <= 0.03")" True
expect "off the track for at most a second ($figures)" \
    "$(results "$file" 'max(l["off_track_longest_s"] for l in lines) <= 1.0')" True
