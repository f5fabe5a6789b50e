#!/usr/bin/env bash
# A server that is killed in the race: bots and watchers notice within five seconds and say why, in
# one line; those that may come back give up after the grace.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# A key beforehand: who makes one says so, in a line of its own.
"$APEX_CLIENT" key new >/dev/null || fail "no key"
start_server server --players 3 --races 1 --laps 5 --resume-grace 3
declare -A pids
start_client bots bot --no-reconnect --count 3
pids[bots]=$client
start_client quiet bot --no-reconnect --quiet --name quiet
pids[quiet]=$client
start_client plain watch --no-reconnect --plain
pids[plain]=$client
start_client json watch --no-reconnect --json
pids[json]=$client
start_client hopeful bot --name hopeful
pids[hopeful]=$client
start_client onlooker watch --plain
pids[onlooker]=$client
wait_line 'race 1: race$' "$folder/server.log" 30
wait_line '"phase":"race"' "$folder/json.out" 10

kill -9 "$server"
killed=$(date +%s%N)
for name in bots quiet plain json; do
    ended "${pids[$name]}" 8
    waited_ms=$((($(date +%s%N) - killed) / 1000000))
    # The limit is five seconds; a tenth more is what this script takes to look.
    [ "$waited_ms" -le 5300 ] || fail "$name ended after $waited_ms ms"
    expect "the exit code of $name" "$status" 1
done
for name in quiet plain json; do
    expect "complaints of $name" "$(wc -l <"$folder/$name.log")" 1
    expect_line "$name" '^apex-client: .*(silent|no answer|nothing.*heard|not answer|silence|lost)' \
        "$folder/$name.log"
done
# One of three says it for all.
expect "complaints of bots" "$(wc -l <"$folder/bots.log")" 2
expect_line "bots" '^apex-client: bot-0[123]: ' "$folder/bots.log"
expect_line "bots" '^apex-client: \.\.\. and 2 more bots likewise$' "$folder/bots.log"
expect "the last line of json" \
    "$(tail -n 1 "$folder/json.out" | python3 -c 'import json, sys
line = json.load(sys.stdin); print(line["type"], line["reason"])')" "closed timeout"

# Those that may come back have said so by now.
expect_line "hopeful" '^hopeful: nothing heard .*trying to come back for 3 s$' "$folder/hopeful.out"
expect_line "onlooker" 'nothing heard .*trying to come back for 3 s$' "$folder/onlooker.out"
for name in hopeful onlooker; do
    ended "${pids[$name]}" 5
    expect "the exit code of $name" "$status" 1
    expect "complaints of $name" "$(wc -l <"$folder/$name.log")" 1
    expect_line "$name" 'nothing heard .*no way back within 3 s$' "$folder/$name.log"
done
