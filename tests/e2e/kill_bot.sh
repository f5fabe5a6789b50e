#!/usr/bin/env bash
# A bot's process that is killed in the race: its drivers are missed within the time-out, and the
# server drives their cars for the grace; then they are out. The others race home.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

start_server server --players 5 --races 1 --laps 1 --track oval --speed 3 \
    --resume-grace 2 --results "$folder/results"
start_client stay bot --count 3 --name stay
stay=$client
start_client fall bot --count 2 --name fall
fall=$client

wait_line 'race 1: race$' "$folder/server.log" 30
ask server status 'race 1: race, .* 5 players, 5 clients'
sleep 1
kill -9 "$fall"
killed=$SECONDS
wait_line 'fall-01 lost the connection' "$folder/server.log" 8
wait_line 'fall-02 lost the connection' "$folder/server.log" 2
# Five seconds of silence, and a second for the clock of this script.
[ $((SECONDS - killed)) -le 6 ] || fail "missed after $((SECONDS - killed)) s"
ask server status 'race 1: race, .* 5 players, 5 clients'
wait_line 'fall-01 left' "$folder/server.log" 4
wait_line 'fall-02 left' "$folder/server.log" 1
ask server status 'race 1: race, .* 3 players, 3 clients'
holds 'fall-0' "$folder/server.out" || fail "the status before did not name them"

ended "$stay" 120
expect "the others' exit code" "$status" 0
ended "$server" 10
expect "the server's exit code" "$status" 0
file=$(results_file "$folder/results") || exit 1
expect "complete" "$(results "$file" 'r["complete"]')" True
expect "classification" "$(results "$file" '[(l["name"][:4], l["state"]) for l in lines]')" \
    "[('stay', 'finished'), ('stay', 'finished'), ('stay', 'finished'), ('fall', 'dnf'), ('fall', 'dnf')]"
expect "times of those who did not finish" \
    "$(results "$file" '[(l["laps"], l["total_s"]) for l in lines[3:]]')" "[(0, None), (0, None)]"
