#!/usr/bin/env bash
# labels: asan
# Two races in one process: each has its port, its console lines, its place in the list and its end.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

sed -e 's/^name: .*/name: first/' "$folder/race.yaml" >"$folder/first.yaml"
sed -e 's/^name: .*/name: second/' -e 's/^track: .*/track: skidpad/' "$folder/race.yaml" \
    -e 's/^laps: .*/laps: 9/' >"$folder/second.yaml"
mkfifo "$folder/races.in"
exec 9<>"$folder/races.in"
free_port=$(lasting_port)
"${on_time[@]}" "$APEX_SERVER" --config "$folder/first.yaml" --config "$folder/second.yaml" \
    --port "$free_port" --bots 2 --races 1 --speed 4 --web 127.0.0.1:0 --results "$folder/results" \
    --replays "$folder/replays" <&9 9<&- \
    >"$folder/races.out" 2>"$folder/races.log" &
server=$!
children+=("$server")
wait_line 'page: http://127\.0\.0\.1:[0-9]+/' "$folder/races.log" 30
page=$(sed -nE 's/.*page: (http:[^ ]+)\/$/\1/p' "$folder/races.log")
expect_line "the first race" "first, .*UDP port $free_port\$" "$folder/races.log"
expect_line "the second race" "second, .*UDP port $((free_port + 1))\$" "$folder/races.log"

wait_line 'info +race/1: race 1: race$' "$folder/races.log" 30
wait_line 'info +race/2: race 1: race$' "$folder/races.log" 30
python3 - "$page" >"$folder/list.json" <<'PYTHON' || fail "no list of races"
import sys, urllib.request
print(urllib.request.urlopen(sys.argv[1] + "/api/races").read().decode())
PYTHON
expect "the list" "$(evaluate "$folder/list.json" '[(x["id"], x["name"], x["track"]) for x in r]')" \
    "[(1, 'first', 'oval'), (2, 'second', 'skidpad')]"

ask races '3 status' '^there are races 1 to 2; for example: 1 status$'
ask races '2 status' '^--- race 2$'
grep -q '^--- race 1$' "$folder/races.out" && fail "a question for one race was answered by both"
ask races status '^--- race 1$'
ask races '2 quit' closing
wait_line 'info +host/2: stopping' "$folder/races.log" 10
is_running "$server" || fail "the end of one race ended both"
PYTHONPATH=$(dirname "${BASH_SOURCE[0]}") python3 - "${page##*:}" <<'PYTHON' || fail "who comes late is not told"
import sys, time
import lib_web

def told(port):
    link = lib_web.WebSocket(port, "/race/2")
    link.socket.settimeout(2)
    try:
        return b"this race is over" in link.receive()[1]
    except OSError: # still open, or closed without a word
        return False

until = time.monotonic() + 15
while not told(int(sys.argv[1])):
    if time.monotonic() > until:
        sys.exit(1)
PYTHON
ask races '1 quit' closing
ended "$server" 10
expect "the exit code" "$status" 0

# Neither writes over what the other has: results, the lines of events, recordings.
for results in "$folder/results" "$folder/results/race-2"; do
    expect "results in $results" "$(find "$results" -maxdepth 1 -name '*.json' | wc -l)" 1
    expect "events in $results" "$(head -c 1 "$results/events.jsonl")" '{'
    expect "ends in $results" "$(grep -c '"event":"dnf"' "$results/events.jsonl")" 2
done
expect recordings "$(find "$folder/replays" -name '*.apexr' | wc -l)" 2
! timeout 20 "$APEX_SERVER" --config "$folder/first.yaml" --config "$folder/second.yaml" --port 0 \
    --web off --record "$folder/one.apexr" >"$folder/one.out" 2>&1 || fail "two races in one file"
expect_line "why not" 'one file cannot hold several races' "$folder/one.out"

# Of two races of one name, begun in one second, each is recorded.
timeout 60 "$APEX_SERVER" --config "$folder/first.yaml" --config "$folder/first.yaml" --port 0 --web off \
    --bots 2 --races 1 --speed max --replays "$folder/twins" >"$folder/twins.out" 2>&1 </dev/null ||
    fail "twins"
expect twins "$(find "$folder/twins" -name '*.apexr' | wc -l)" 2
for recording in "$folder/twins"/*.apexr; do
    "$APEX_SERVER" replay verify "$recording" >"$folder/verify.out" 2>&1 || fail "$recording"
done
