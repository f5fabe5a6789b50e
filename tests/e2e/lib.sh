# The part that the scripts of this folder share: a folder of their own, servers and clients that
# end with them, waiting with an end, and commands with what they say. Sourced.
# shellcheck shell=bash disable=SC2034
set -uo pipefail

if [ ! -x "${APEX_SERVER:-}" ] || [ ! -x "${APEX_CLIENT:-}" ]; then
    echo "APEX_SERVER and APEX_CLIENT must name the programs to test" >&2
    exit 1
fi

folder=$(mktemp -d) || exit 1
# Keys and known servers are the test's own.
export XDG_CONFIG_HOME=$folder/config XDG_STATE_HOME=$folder/state
unset STATE_DIRECTORY
children=()

# Servers and clients come before all that wants processors beside them, where the system lets them:
# browsers, compilers and other tests must not make them late.
on_time=()
if chrt --rr 1 true 2>/dev/null; then on_time=(chrt --rr 1); fi

# A child may be a function in the background, which has children of its own.
kill_tree() {
    local below
    for below in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
        kill_tree "$below"
    done
    kill -9 "$1" 2>/dev/null
}

end_children() {
    local child
    for child in "${children[@]}"; do
        kill_tree "$child"
    done
    wait 2>/dev/null
    rm -rf "$folder"
}
trap end_children EXIT
trap 'exit 130' INT TERM

# fail TEXT...: ends the test, with what the programs have said; the reason stands at both ends,
# because a reader may be shown only one of them.
fail() {
    local log
    {
        echo "FAILED: $*"
        for log in "$folder"/*.log "$folder"/*.out; do
            if [ -s "$log" ]; then
                echo "--- ${log##*/}"
                tail -n 25 "$log" | cut -c 1-160
            fi
        done
        echo "FAILED: $*"
    } >&2
    exit 1
}

# expect WHAT GOT WANTED
expect() { [ "$2" = "$3" ] || fail "$1: '$2', not '$3'"; }

# holds PATTERN FILE: an extended regular expression.
holds() { grep -qsE -e "$1" "$2"; }

# expect_line WHAT PATTERN FILE: some line of the file matches.
expect_line() { holds "$2" "$3" || fail "$1: nothing like '$2' in ${3##*/}"; }

# wait_line PATTERN FILE SECONDS
wait_line() {
    local until=$((SECONDS + $3))
    until holds "$1" "$2"; do
        [ "$SECONDS" -lt "$until" ] || fail "no '$1' in ${2##*/} within $3 s"
        sleep 0.1
    done
}

is_running() { kill -0 "$1" 2>/dev/null; }

# ended PID SECONDS: sets `status` to the exit code of a child that ends by itself.
ended() {
    local until=$((SECONDS + $2))
    while is_running "$1"; do
        [ "$SECONDS" -lt "$until" ] || fail "process $1 still runs after $2 s"
        sleep 0.1
    done
    { wait "$1"; } 2>/dev/null # it would tell of a signal
    status=$?
    # Its number may be somebody else's by the end.
    local child left=()
    for child in "${children[@]}"; do
        if [ "$child" != "$1" ]; then left+=("$child"); fi
    done
    children=("${left[@]}")
}

# A race without the long waits that people need.
cat >"$folder/race.yaml" <<'YAML'
kind: race
name: e2e
track: oval
cars: [boxster-s]
laps: 1
player_capacity: 32
start_players: 2
countdown_s: 1
finish_wait_s: 60
results_s: 1
races: 1
server:
  port: 0
  address: 127.0.0.1
YAML

# A port that a test closes and opens again lies below those that Linux gives to programs that ask
# for any.
lasting_port() { echo $((20000 + RANDOM % 10000)); }

# start_server NAME ARGUMENT...: sets `server` (its process), `port`, and file descriptor 9, on which
# the server takes commands. It says what it has to say in NAME.log, answers in NAME.out.
start_server() {
    local name=$1
    shift
    mkfifo "$folder/$name.in"
    exec 9<>"$folder/$name.in"
    "${on_time[@]}" "$APEX_SERVER" --config "$folder/race.yaml" --port 0 "$@" <&9 9<&- \
        >"$folder/$name.out" 2>"$folder/$name.log" &
    server=$!
    children+=("$server")
    local until=$((SECONDS + 20))
    until holds 'UDP port [0-9]+' "$folder/$name.log"; do
        is_running "$server" || fail "the server did not start"
        [ "$SECONDS" -lt "$until" ] || fail "the server did not say its port"
        sleep 0.05
    done
    port=$(sed -nE 's/.*UDP port ([0-9]+).*/\1/p' "$folder/$name.log" | head -n 1)
}

# start_client NAME ARGUMENT...: sets `client`. The server's address comes last by itself.
start_client() {
    local name=$1
    shift
    "${on_time[@]}" "$APEX_CLIENT" "$@" "127.0.0.1:$port" </dev/null 9<&- \
        >"$folder/$name.out" 2>"$folder/$name.log" &
    client=$!
    children+=("$client")
}

# ask NAME COMMAND PATTERN: types a command and waits for an answer that matches.
ask() {
    local lines until=$((SECONDS + 10))
    lines=$(wc -l <"$folder/$1.out")
    echo "$2" >&9
    until tail -n "+$((lines + 1))" "$folder/$1.out" | grep -qE -e "$3"; do
        [ "$SECONDS" -lt "$until" ] || fail "'$2' is not answered by '$3'"
        sleep 0.1
    done
}

# results_file DIRECTORY: the one results file in it.
results_file() {
    local files
    mapfile -t files < <(find "$1" -name '*.json' | sort)
    [ "${#files[@]}" -eq 1 ] || fail "${#files[@]} results files in ${1##*/}, not 1"
    echo "${files[0]}"
}

# evaluate FILE EXPRESSION [STATEMENT]: a Python expression over r, the file's JSON, and over what
# the statement names.
evaluate() {
    python3 -c '
import json, sys
r = json.load(open(sys.argv[1], encoding="utf-8"))
exec(sys.argv[3])
print(eval("(" + sys.argv[2] + ")"))
' "$1" "$2" "${3:-}" || fail "cannot evaluate $2"
}

# results FILE EXPRESSION: over r, a file of results, and lines, the results in it.
results() { evaluate "$1" "$2" 'lines = r["results"]'; }

# Commands that end by themselves

run_s=60 # a script with longer commands says so

# run STATUS COMMAND...: leaves what it said in run.out and run.err, and in `ran` what it was.
run() {
    local wanted=$1 got=0
    shift
    ran=${*##*/}
    timeout "$run_s" "$@" >"$folder/run.out" 2>"$folder/run.err" </dev/null || got=$?
    [ "$got" -eq "$wanted" ] || {
        cat "$folder/run.err" >&2
        fail "$ran: exit code $got, not $wanted"
    }
}

# run_server STATUS ARGUMENT...
run_server() { run "$1" "$APEX_SERVER" "${@:2}"; }

# says TEXT: all that was said on standard error.
says() { expect "$ran: standard error" "$(cat "$folder/run.err")" "$1"; }

# says_line PATTERN: a single line like this on standard error.
says_line() {
    expect "$ran: lines on standard error" "$(wc -l <"$folder/run.err")" 1
    expect_line "$ran" "$1" "$folder/run.err"
}

# complains PATTERN: the first line of standard error; nothing is on standard output.
complains() {
    head -n 1 "$folder/run.err" | grep -qE -e "$1" ||
        fail "$ran: no '$1' in '$(head -n 1 "$folder/run.err")'"
    expect "$ran: standard output" "$(cat "$folder/run.out")" ""
}
