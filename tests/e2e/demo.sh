#!/usr/bin/env bash
# deploy/demo from start to results table, what it says when it cannot, and that a second run builds
# nothing.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

demo=$APEX_SOURCE_DIR/deploy/demo
run_s=120
release=$APEX_SOURCE_DIR/build/release
if [ "${APEX_BUILD_DIR:-$release}" != "$release" ]; then
    echo "SKIPPED: the demo builds $release; only that build's tests run it"
    exit 77
fi

# refuses PATTERN ARGUMENT...: a line on standard error, and exit code 1.
refuses() {
    local pattern=$1
    shift
    run 1 "$demo" "$@"
    says_line "^demo: $pattern"
}

run 0 "$demo" --help
for option in --cars --laps --races --track --port --web; do
    expect_line "help" "^  $option [A-Z]+ " "$folder/run.out"
done
expect_line "help" '^  --exit +end after the last race' "$folder/run.out"
refuses 'unknown option --circus; --help lists them$' --circus
refuses '--laps needs a value$' --laps
refuses '--laps 0: expected a whole number, 1 to 999$' --laps 0
refuses '--cars many: expected a whole number, 1 to 1000$' --cars many
refuses '--port 65536: expected a whole number, 1 to 65535$' --port 65536
refuses "no track called 'moon'" --track moon --port 1025

# A port that is busy, then the same one free.
start_server busy --port "$(lasting_port)"
refuses ".*UDP port $port.*(in use|busy)" --track skidpad --port "$port"
ask busy quit closing
ended "$server" 5

run 0 "$demo" --cars 4 --laps 2 --track skidpad --port "$port" --exit
expect "the first line" "$(head -n 1 "$folder/run.out")" \
    "demo: builds what has changed, races 2 laps of skidpad with 4 bots (about 40 s), then it ends"
expect "lines of laps" "$(grep -cE '^lap [12] of 2: bot-0[1-4] leads, 1[0-9]\.[0-9]{3}$' \
    "$folder/run.out")" 2
expect "other lines of the race" "$(grep -cE '^(race|countdown) ' "$folder/run.out")" 0
holds '^build: ' "$folder/run.out" && fail "what was built is built again"
expect "lines of results" "$(grep -cE '^ *[1-4]\* bot-0[1-4] .* [0-9]+\.[0-9]{3}' "$folder/run.out")" 4
expect "results tables" "$(grep -c '^Results of race 1: skidpad, 2 laps$' "$folder/run.out")" 1
says ""
file=$(results_file "$APEX_SOURCE_DIR/build/demo/results") || exit 1
expect "finished" "$(results "$file" '[l["state"] for l in lines]')" "$(printf "['finished'%s]" \
    ", 'finished', 'finished', 'finished'")"
[ -s "$APEX_SOURCE_DIR/build/demo/server.log" ] || fail "no log of the server"

# cut_short: a demo in its race, as `cut`, whose children are `left`.
log=$APEX_SOURCE_DIR/build/demo/server.log
cut_short() {
    rm -f "$log"
    setsid "$demo" --cars 2 --laps 1 --track skidpad --port "$port" >"$folder/cut.out" 2>&1 </dev/null &
    cut=$!
    children+=("$cut")
    wait_line 'race 1: race$' "$log" 30
    read -ra left <"/proc/$cut/task/$cut/children"
    [ "${#left[@]}" -eq 3 ] || fail "the demo has ${#left[@]} children, not server, bots and watcher"
}

# nothing_left WHAT: the children go with it, if not at once.
nothing_left() {
    local child until=$((SECONDS + 5))
    for child in "${left[@]}"; do
        while is_running "$child"; do
            [ "$SECONDS" -lt "$until" ] || fail "process $child of a demo that was $1 still runs"
            sleep 0.1
        done
    done
}

# Asked to end, the script alone like by a supervisor, it leaves nothing running behind. Meanwhile
# there is no second one, which would write over what this one writes.
cut_short
refuses 'a demo runs here already, its page is http://localhost:[0-9]+/; end it first$' --port 1025
kill -TERM "$cut"
ended "$cut" 10
expect "the exit code of an interrupted demo" "$status" 130
nothing_left interrupted

# After the race the page stays, and a viewer who ends it then has seen it to its end.
rm -f "$log"
setsid "$demo" --cars 2 --laps 1 --track skidpad --port "$port" >"$folder/stay.out" 2>&1 </dev/null &
stay=$!
children+=("$stay")
wait_line '^The page stays at http://localhost:[0-9]+/: ' "$folder/stay.out" 60
page=$(sed -nE 's/^The page stays at (http:[^ ]+)\/: .*/\1/p' "$folder/stay.out")
expect "lines of results" "$(grep -cE '^ *[12]. bot-0[12] ' "$folder/stay.out")" 2
wait_line 'race 2: lobby$' "$log" 20
wait_line 'host: nobody is here' "$log" 10
python3 -c 'import sys, urllib.request; urllib.request.urlopen(sys.argv[1] + "/readyz", timeout=5)' \
    "$page" || fail "the page did not stay"
read -ra left <"/proc/$stay/task/$stay/children"
kill -TERM "$stay"
ended "$stay" 10
expect "the exit code of a demo that was seen to its end" "$status" 0
nothing_left "over"

cut_short
kill -KILL "$cut"
ended "$cut" 10
nothing_left killed
exit 0
