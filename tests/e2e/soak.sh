#!/usr/bin/env bash
# Twenty bots race again and again; once under way the server's memory does not grow.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

seconds=${APEX_SOAK_SECONDS:-120}
bots=20
# Memory that grows into place (stacks, buffers for the first race) does so in the first part.
settle=$((seconds > 240 ? 60 : seconds / 2))

# Short races, so that many begin and end.
start_server server --players $bots --races 0 --laps 1 --track skidpad --results "$folder/results"
start_client bots bot --count $bots --quiet
drivers=$client
wait_line 'race 1: race$' "$folder/server.log" 30

rss_kib() { awk '/^VmRSS:/ { print $2 }' "/proc/$server/status"; }

begin=$SECONDS
base=0
most=0
while [ $((SECONDS - begin)) -lt "$seconds" ]; do
    is_running "$server" || fail "the server is gone after $((SECONDS - begin)) s"
    is_running "$drivers" || fail "the bots are gone after $((SECONDS - begin)) s"
    now=$(rss_kib)
    # The most up to then: memory that is given back and taken again is no growth.
    if [ $((SECONDS - begin)) -lt "$settle" ]; then
        [ "$now" -gt "$base" ] && base=$now
    else
        [ "$now" -gt "$most" ] && most=$now
    fi
    sleep 1
done
ask server status "$bots players, $bots clients"
races=$(grep -c ': results$' "$folder/server.log")
dropped=$(sed -nE 's/.*dropped ([0-9]+)$/\1/p' "$folder/server.out" | tail -n 1)
echo "$seconds s, $races races, resident $base KiB in the first $settle s, then at most $most KiB," \
    "$dropped ticks dropped"
ask server quit closing
ended "$server" 5
expect "the server's exit code" "$status" 0
ended "$drivers" 5
expect "the bots' exit code" "$status" 1

[ "$races" -ge $((seconds / 60)) ] || fail "only $races races in $seconds s"
begun=$(grep -c ': race$' "$folder/server.log")
expect "results files" "$(find "$folder/results" -name '*.json' | wc -l)" "$begun"
limit=$((base + base / 100 + 256))
[ "$most" -le "$limit" ] || fail "resident memory grew from $base to $most KiB, more than $limit"
