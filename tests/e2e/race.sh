#!/usr/bin/env bash
# A whole race of twelve bots over sockets, and what the watcher, the bots and the files say of it.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

bots=12
laps=2
sed -i 's/^results_s: .*/results_s: 6/' "$folder/race.yaml" # to be asked how it went

# race NUMBER: a whole one; leaves `file`, its results. Four times as fast as real time costs a
# quarter of the time and changes no bit of the simulation.
race() {
    local host=server-$1 watcher plain drivers
    start_server "$host" --players $bots --races 1 --laps $laps --speed "${APEX_RACE_SPEED:-4}" \
        --results "$folder/results-$1"
    start_client "watch-$1" watch --json
    watcher=$client
    start_client "plain-$1" watch --plain
    plain=$client
    start_client "bots-$1" bot --count $bots
    drivers=$client

    wait_line 'race 1: results$' "$folder/$host.log" 250
    ask "$host" status 'missed in a row:'
    ended "$server" 20
    expect "the server's exit code" "$status" 0
    ended "$drivers" 10
    expect "the bots' exit code" "$status" 0
    ended "$watcher" 10
    expect "the watcher's exit code" "$status" 0
    ended "$plain" 10
    expect "the plain watcher's exit code" "$status" 0
    file=$(results_file "$folder/results-$1") || exit 1
}

# told NUMBER: what holds of every race.
told() {
    expect "complete" "$(results "$file" 'r["complete"]')" True
    expect "laps" "$(results "$file" 'r["laps"]')" $laps
    expect "finished" "$(results "$file" 'sum(l["state"] == "finished" for l in lines)')" $bots
    expect "laps of all" "$(results "$file" 'sum(l["laps"] for l in lines)')" $((bots * laps))
    expect "positions" \
        "$(results "$file" '[l["position"] for l in lines] == list(range(1, 13))')" True
    expect "totals rise" \
        "$(results "$file" '[l["total_s"] for l in lines] == sorted(l["total_s"] for l in lines)')" \
        True
    expect "names" "$(results "$file" 'sorted(l["name"] for l in lines)[0::11]')" \
        "['bot-01', 'bot-12']"
    watched "$folder/watch-$1.out"
    expect "results printed" "$(grep -cE '^ *[0-9]+\* bot-[0-9]+ ' "$folder/plain-$1.out")" $bots
    expect "finishes told" "$(grep -cE ' finishes [0-9]+\. in ' "$folder/bots-$1.out")" $bots
}

# watched SAID: the watcher was told the same results, bit for bit, and saw the race in order.
watched() {
    python3 - "$file" "$1" <<'PYTHON' || fail "the watcher saw another race"
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
}

# If more than eight ticks in a row, a fifteenth of a second, had to do without a driver's controls,
# fast cars leave the road: such a race shows nothing of how bots drive.
was_held_up() { ! holds 'up to 16: 0, up to 32: 0, up to 64: 0, more: 0$' "$folder/server-$1.out"; }

driven_well='max(l["best_lap_s"] for l in lines) / min(l["best_lap_s"] for l in lines) <= 1.03 and
    max(l["off_track_longest_s"] for l in lines) <= 1.0'

for number in 1 2 3; do
    race $number
    told $number
    figures=$(results "$file" '
"best lap %.3f to %.3f s, longest off track %.3f s, resets %d, contacts %d" % (
    min(l["best_lap_s"] for l in lines), max(l["best_lap_s"] for l in lines),
    max(l["off_track_longest_s"] for l in lines), sum(l["resets"] for l in lines),
    sum(l["contacts"] for l in lines))')
    echo "$figures"
    if [ "$(results "$file" "$driven_well")" = True ]; then exit 0; fi
    was_held_up $number || fail "best laps not within 3 %, or off the track for over a second: $figures"
    echo "the machine kept the drivers' controls back: again"
done
fail "in none of three races the bots drove well, and their controls were kept back in each"
