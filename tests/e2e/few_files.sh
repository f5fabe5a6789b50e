#!/usr/bin/env bash
# A server that may open too few files says what has run out, how many there are and what to do,
# however few they are; it never dies of it, and with enough of them it races.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Into files, so that the shell needs none itself, and without those that it was given.
# @param $1 files it may have
run_with() {
    (
        exec </dev/null >"$folder/$1.log" 2>&1
        for given in /proc/self/fd/*; do
            given=${given##*/}
            if [ "$given" -gt 2 ]; then eval "exec $given>&-"; fi
        done
        ulimit -n "$1"
        exec timeout -s KILL 60 "$APEX_SERVER" --bots 2 --laps 1 --track skidpad --races 1 --speed max --port 0 \
            --web :0 --workers 1 --results "$folder/results" --replays "$folder/replays"
    )
    status=$?
}

enough=0
for ((files = 6; files <= 40 && enough == 0; files++)); do
    run_with "$files"
    if [ "$status" -eq 0 ]; then
        enough=$files
    else
        expect "$files files: the exit code" "$status" 1
        # A library that can't be loaded does not say why.
        holds 'libwebsockets cannot join' "$folder/$files.log" && continue
        expect_line "$files files" "all $files files and sockets that this process may have are \
open: raise ulimit -n, or LimitNOFILE" "$folder/$files.log"
    fi
done
# With just too few for its results, they are waited for half a minute, and written when all else is closed.
if holds 'its results are not on disk: giving up' "$folder/$enough.log"; then
    expect_line "$enough files" "all $enough files and sockets that this process may have are \
open: raise ulimit -n, or LimitNOFILE; trying again until it works" "$folder/$enough.log"
fi
expect "results with $enough files" "$(find "$folder/results" -name '*-race-1.json' | wc -l)" 1
[ "$enough" -gt 12 ] || fail "with $enough files it raced: nothing was shown"
run_with 40
expect "40 files: the exit code" "$status" 0
