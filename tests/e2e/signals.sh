#!/usr/bin/env bash
# labels: asan
# The ways to end a server in the middle of a race, and what an operator can type.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# stopped NAME REASON: server and bots end, results so far are written, clients are told why.
stopped() {
    ended "$server" 5
    expect "$1: the server's exit code" "$status" 0
    ended "$bots" 5
    expect "$1: the bots' exit code" "$status" 1
    expect_line "$1: the bots' reason" "^apex-client: bot-0[12]: $2" "$folder/$1.bots.log"
    local file
    file=$(results_file "$folder/$1.results") || exit 1
    expect "$1: complete" "$(results "$file" 'r["complete"]')" False
    expect "$1: names" "$(results "$file" 'sorted(l["name"] for l in lines)')" \
        "['bot-01', 'bot-02']"
    expect "$1: nobody has finished" "$(results "$file" '{l["state"] for l in lines}')" "{'dnf'}"
}

begin() {
    start_server "$1" --races 1 --laps 3 --results "$folder/$1.results"
    start_client "$1.bots" bot --count 2
    bots=$client
    wait_line 'race 1: race$' "$folder/$1.log" 30
}

begin interrupt
kill -INT "$server"
stopped interrupt 'the server was asked to stop \(interrupt\)'

begin terminate
kill -TERM "$server"
stopped terminate 'the server was asked to stop \(terminate\)'

begin console
start_client watch watch --plain
watcher=$client
ask console status 'race 1: race, [0-9:.]+, tick [0-9]+; 2 players, [23] clients'
wait_line 'bot-02 +boxster-s +laps 0 .*127\.0\.0\.1' "$folder/console.out" 2
ask console help 'quit +end the race, write results, tell clients, exit'
ask console dance 'no command "dance"; help lists them'
ask console 'kick nobody' 'nobody here is called "nobody"'
wait_line '^(race|racing)' "$folder/watch.out" 10
ask console 'say five minutes to go' 'said to everybody'
wait_line 'server: five minutes to go' "$folder/watch.out" 5
ask console restart 'back to the grid'
until [ "$(grep -c 'race 1: race$' "$folder/console.log")" -eq 2 ]; do
    is_running "$server" || fail "the server is gone"
    sleep 0.1
done
expect "grids" "$(grep -c 'race 1: grid' "$folder/console.log")" 2
ask console 'kick bot-02' 'bot-02 is out'
wait_line 'bot-02: .*operator' "$folder/console.bots.log" 5
wait_line 'race: bot-02 left$' "$folder/console.log" 5
ask console status '; 1 players, 2 clients$'
ask console quit 'closing'
ended "$watcher" 5
expect "the watcher's exit code" "$status" 1
expect_line "the watcher's reason" 'the operator closed the server' "$folder/watch.log"
ended "$server" 5
expect "console: the server's exit code" "$status" 0
ended "$bots" 5
expect "console: the bots' exit code" "$status" 1
expect_line "console: the bots' reason" 'bot-01: the operator closed the server' \
    "$folder/console.bots.log"

# The last words wait for clients that do not answer; a second signal does not wait for anything.
begin hurry
kill -STOP "$bots"
kill -INT "$server"
sleep 0.3
is_running "$server" || fail "hurry: the server did not wait for its clients"
kill -INT "$server"
ended "$server" 2
expect "hurry: the server's exit code" "$status" 130

# Signals that come while it is closing change nothing: what it writes last is whole.
start_server flurry --races 1 --laps 3 --bots 12 --results "$folder/flurry.results" \
    --record "$folder/flurry.apexr"
wait_line 'race 1: race$' "$folder/flurry.log" 30
sleep 1
for ((i = 0; i < 2000; i++)); do
    kill -TERM "$server" 2>/dev/null || break
done
ended "$server" 5
# The very last one may meet a program that has nothing left to do.
[[ $status == 130 || $status == 143 ]] || fail "flurry: the server's exit code is $status"
file=$(results_file "$folder/flurry.results") || exit 1
expect "flurry: all have results" "$(results "$file" 'len(lines)')" 12
python3 - "$folder/flurry.apexr" <<'END' || fail "flurry: the recording has no end"
import struct
import sys

content = open(sys.argv[1], "rb").read()
packed, plain, ticks = struct.unpack_from("<III", content, content.rindex(b"CHNK") + 4)
sys.exit(ticks != 0)
END
"$APEX_SERVER" replay verify "$folder/flurry.apexr" >"$folder/verify.out" ||
    fail "flurry: the recording does not verify"
