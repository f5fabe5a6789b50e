#!/usr/bin/env bash
# More bots than the shell allows files at first: the client asks the system for as many as it may
# have, and all of them drive.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

bots=30
start_server server
(
    ulimit -Sn 24 || exit 99
    exec "${on_time[@]}" "$APEX_CLIENT" bot --count $bots --seconds 4 --json "127.0.0.1:$port" \
        </dev/null 9<&- \
        >"$folder/bots.out" 2>"$folder/bots.log"
) &
client=$!
children+=("$client")
ended "$client" 20
expect "exit code of the bots" "$status" 0
expect_line "the end" "\"type\":\"end\",\"over\":$bots,\"lost\":0" "$folder/bots.out"
