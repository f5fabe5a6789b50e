#!/usr/bin/env bash
# labels: asan
# The car park: no laps, an end by the clock, cars of the server and of clients that get its ground
# from the server, a recording that runs again, and laps refused.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cat >"$folder/race.yaml" <<'YAML'
kind: race
name: e2e
track: car-park
start_players: 4
countdown_s: 1
results_s: 1
race_s_max: 16
races: 1
server:
  port: 0
  address: 127.0.0.1
YAML

start_server server --bots 2 --players 4 --speed 2 --results "$folder/results" \
    --record "$folder/session.apexr"
start_client bots bot --count 2 --json
bots=$client
start_client watch watch --json
watcher=$client
start_client plain watch --plain
ended "$server" 60
expect "the server's exit code" "$status" 0
ended "$bots" 10
expect "the bots' exit code" "$status" 0
ended "$watcher" 10
expect "the watcher's exit code" "$status" 0

file=$(results_file "$folder/results") || exit 1
expect "track" "$(results "$file" 'r["track"]')" car-park
expect "laps" "$(results "$file" 'r["laps"]')" 0
expect "finished" "$(results "$file" 'sum(l["state"] == "finished" for l in lines)')" 4
expect "totals" "$(results "$file" 'sorted(set(l["total_s"] for l in lines))')" "[16.0]"
expect "resets" "$(results "$file" 'sum(l["resets"] for l in lines)')" 0
expect_line "what the table says" 'car-park, open session' "$folder/plain.out"
"$APEX_SERVER" replay verify "$folder/session.apexr" >"$folder/verify.out" 2>&1 ||
    fail "the recording does not run again"

# As fast as it goes, twice: the same session to the bit.
for name in one two; do
    "$APEX_SERVER" --config "$folder/race.yaml" --bots 2 --players 2 --seed 5 --speed max \
        --workers $([ $name = one ] && echo 0 || echo 1) --results "$folder/$name" \
        </dev/null >"$folder/$name.out" 2>"$folder/$name.log" || fail "$name: exit code $?"
done
expect "the state of the second" \
    "$(results "$(results_file "$folder/two")" 'r["state_hash"]')" \
    "$(results "$(results_file "$folder/one")" 'r["state_hash"]')"

"$APEX_SERVER" --track car-park --laps 2 --port 0 </dev/null 2>"$folder/laps.log"
expect "exit code of laps on a car park" $? 1
expect_line "why not" 'laps: car-park is a terrain without a course' "$folder/laps.log"

# The same ground with a course over it has laps.
cat >"$folder/lap.yaml" <<'YAML'
kind: race
track: car-park-lap
laps: 1
start_players: 2
bots: 2
results_s: 1
races: 1
YAML
"$APEX_SERVER" --config "$folder/lap.yaml" --port 0 --speed max --results "$folder/lap" \
    </dev/null 2>"$folder/lap.log" || fail "the lap: exit code $?"
lap=$(results_file "$folder/lap") || exit 1
expect "finished the lap" "$(results "$lap" '[l["laps"] for l in lines if l["state"] == "finished"]')" \
    "[1, 1]"
