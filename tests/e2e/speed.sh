#!/usr/bin/env bash
# Neither the pace nor the number of threads changes a bit; a replay proves it, and a damaged one is
# refused in a line.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# host NAME ARGUMENT...: a race to its end, without clients; leaves NAME.race, its essence.
host() {
    local name=$1 file
    shift
    "$APEX_SERVER" --config "$folder/race.yaml" --port 0 --races 1 --laps 1 --seed 1 \
        --results "$folder/$name.results" --record "$folder/$name.apexr" "$@" \
        </dev/null >"$folder/$name.out" 2>"$folder/$name.log" || fail "$name: exit code $?"
    file=$(results_file "$folder/$name.results") || exit 1
    python3 - "$file" >"$folder/$name.race" <<'PYTHON' || fail "$name: no results"
import json, sys
race = json.load(open(sys.argv[1], encoding="utf-8"))
assert race["complete"] is True
# Only its times by the calendar may differ.
del race["started"], race["ended"]
json.dump(race, sys.stdout, indent=1, sort_keys=True)
PYTHON
}

# same A B: the same results, times, ticks and hash. Replays may end a few ticks apart: the last wait
# is for the disk.
same() { diff -u "$folder/$1.race" "$folder/$2.race" || fail "$1 and $2 are different races"; }

# Real time on the shortest track, and beside it the oval at six times that.
host real --bots 2 --track skidpad --speed 1 &
real=$!
host six --bots 6 --track oval --speed 6 &
six=$!
children+=("$real" "$six")
host max --bots 6 --track oval --speed max
host alone --bots 6 --track oval --speed max --workers 0
host two --bots 6 --track oval --speed max --workers 1
host four --bots 6 --track oval --speed max --workers 3
host short --bots 2 --track skidpad --speed max
host ticks --bots 6 --track oval --speed max --tick-hz 30
host seeded --bots 6 --track oval --speed max --seed 2
same max alone
same max two
same max four
holds '"state": "finished"' "$folder/max.race" || fail "nobody has finished"
# A comparison that cannot fail proves nothing.
cmp -s "$folder/max.race" "$folder/seeded.race" && fail "the seed changes nothing"
cmp -s "$folder/max.race" "$folder/ticks.race" && fail "ticks of half the rate make as many"

verify() { "$APEX_SERVER" replay verify "$1" >"$folder/verify.out" 2>&1 </dev/null; }

for name in max ticks short; do
    verify "$folder/$name.apexr" || fail "$name: its replay is refused"
    ticks=$(sed -nE 's/^ "ticks": ([0-9]+),/\1/p' "$folder/$name.race")
    got=$(sed -nE 's/^verified: ([0-9]+) ticks, .*, state [0-9a-f]{16}$/\1/p' "$folder/verify.out")
    # Recorded from the lobby to the end, so more than the race had.
    [ "${got:-0}" -ge "$ticks" ] || fail "$name: ${got:-0} ticks verified of a race of $ticks"
done

python3 - "$APEX_SERVER" "$folder/max.apexr" "$folder/broken.apexr" <<'PYTHON' || fail "a broken replay"
import subprocess, struct, sys
server, good, broken = sys.argv[1:]
whole = open(good, "rb").read()
header_length = struct.unpack_from("<I", whole, 12)[0]
chunk = 24 + header_length
assert whole[chunk:chunk + 4] == b"CHNK", whole[chunk:chunk + 4]
packed = struct.unpack_from("<I", whole, chunk + 4)[0]
second = chunk + 32 + packed
assert whole[second:second + 4] == b"CHNK"

def verify(what, content):
    open(broken, "wb").write(content)
    done = subprocess.run([server, "replay", "verify", broken], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=60)
    said = (done.stdout + done.stderr).splitlines()
    if done.returncode != 1 or len(said) != 1:
        sys.exit(f"{what}: exit code {done.returncode}, said {said}")
    return said[0]

def flipped(at, bit):
    content = bytearray(whole)
    content[at] ^= 1 << bit
    return bytes(content)

def expect(what, content, part):
    said = verify(what, content)
    if part not in said:
        sys.exit(f"{what}: said '{said}', not '{part}'")

expect("magic", flipped(0, 0), "not an Apex replay")
expect("format", flipped(8, 7), f"format {whole[8] ^ 128}; this program reads formats 3 to 5")
expect("header length", flipped(12, 0), "header is damaged")
expect("huge header", flipped(15, 6), "header claims")
expect("header hash", flipped(16, 0), "header is damaged")
expect("header", flipped(24 + header_length // 2, 3), "header is damaged")
for at in range(chunk, chunk + 32):
    verify(f"chunk prefix, byte {at - chunk}", flipped(at, at % 8))
expect("first chunk", flipped(chunk + 32 + packed // 2, 5), "chunk at tick 0 is damaged")
expect("second chunk's ticks", flipped(second + 12, 0), "tick")
expect("second chunk", flipped(second + 40, 7), "damaged")
expect("last byte", flipped(len(whole) - 1, 7), "damaged")
expect("empty", b"", "not an Apex replay")
expect("cut in the header", whole[:chunk - 5], "header is damaged")
expect("cut in a prefix", whole[:second + 9], "damaged")
expect("cut in a chunk", whole[:second + 100], "ends within the chunk")
expect("cut by a byte", whole[:-1], "ends within the chunk")
expect("a byte more", whole + b"x", "damaged")
for at in range(0, len(whole), len(whole) // 40):
    verify(f"byte {at}", flipped(at, at % 8))
# The file that a killed server leaves: whole chunks, and the count says how far they go.
ticks = struct.unpack_from("<I", whole, chunk + 12)[0]
open(broken, "wb").write(whole[:second])
done = subprocess.run([server, "replay", "verify", broken], stdin=subprocess.DEVNULL,
                      capture_output=True, text=True, timeout=60)
if not done.stdout.startswith(f"verified: {ticks} ticks, "):
    sys.exit(f"cut between chunks: exit code {done.returncode}, said '{done.stdout}'")
PYTHON

verify "$folder/nowhere" && fail "a replay that is not there"
expect_line "no file" 'nowhere: No such file or directory' "$folder/verify.out"

wait "$six" || fail "six times as fast"
wait "$real" || fail "real time"
same max six
same short real

# Drivers over sockets

# drive NAME LAPS ARGUMENT...: eight of them, none refused and all home; sets on_tick, the share of
# their controls in percent that were there on their tick. Leaves NAME.race.
drive() {
    local name=$1 laps=$2 port
    shift 2
    rm -f "$folder/$name.in"
    start_server "$name" --races 1 --laps "$laps" --players 8 --seed 1 --web off \
        --results "$folder/$name.results" "$@"
    # The seal's price at sixteen times real time is not what is compared here.
    start_client "$name-bots" bot --count 8 --no-seal --json
    ended "$client" 150
    expect "$name: exit code of eight bots" "$status" 0
    ended "$server" 20
    expect "$name: exit code of their server" "$status" 0
    cp "$(results_file "$folder/$name.results")" "$folder/$name.race" || exit 1
    expect "$name: who is home" "$(results "$folder/$name.race" \
        'sorted(l["state"] for l in lines) == ["finished"] * 8')" True
    tail -n 1 "$folder/$name-bots.out" >"$folder/$name.end"
    on_tick=$(evaluate "$folder/$name.end" 'r["on_tick_percent"]')
    echo "$name: $on_tick % of controls on their tick"
    expect "$name: bots that lost their link" "$(evaluate "$folder/$name.end" 'r["lost"]')" 0
    # A bot that says no more than it has to is never told that it says too much.
    holds '"rate"|too many refused' "$folder/$name-bots.log" && fail "$name: refused for its rate"
    return 0
}

# drive_on_time PERCENT NAME LAPS ARGUMENT...: with so many of their controls there on their tick. A
# machine that has too much to do keeps some back, so in one of three races.
drive_on_time() {
    local percent=$1
    shift
    for _ in 1 2 3; do
        rm -rf "$folder/$1.results"
        drive "$@"
        if python3 -c "import sys; sys.exit(not $on_tick >= $percent)"; then return 0; fi
    done
    fail "$1: $on_tick % of controls on their tick, not $percent %"
}

# as_quick A B: the mean of what the quicker six of eight took to the finish differs by at most 2 %. One
# that is hit and turned round loses more than that on its own, and takes another along.
as_quick() {
    python3 - "$folder/$1.race" "$folder/$2.race" <<'PYTHON' || fail "$1 and $2: other times"
import json, sys
def mean_s(path):
    lines = json.load(open(path, encoding="utf-8"))["results"]
    return sum(sorted(line["total_s"] for line in lines)[:6]) / 6
a, b = map(mean_s, sys.argv[1:])
if abs(a / b - 1) > 0.02:
    sys.exit(f"{a:.3f} and {b:.3f} s")
PYTHON
}

drive_on_time 99 as-driven 2 --track skidpad --speed 1
drive_on_time 99 sixteen 3 --speed 16
drive_on_time 99.5 unpaced 3 --speed max
drive short-unpaced 2 --track skidpad --speed max
as_quick short-unpaced as-driven
as_quick sixteen unpaced

# One of eight hangs. It is waited for once, and the others race as if it were not there.
start_server hung --races 1 --laps 2 --players 8 --web off --speed max \
    --results "$folder/hung.results"
start_client hanging bot --name hanging --json
hanging=$client
wait_line '"joined"' "$folder/hanging.out" 20
kill -STOP "$hanging"
start_client seven bot --count 7 --json
ended "$client" 60
expect "exit code of seven bots" "$status" 0
ended "$server" 20
kill -9 "$hanging"
expect "seven are home" "$(results "$(results_file "$folder/hung.results")" \
    'sum(l["state"] == "finished" and l["name"] != "hanging" for l in lines)')" 7
expect "waits for who hangs" "$(grep -c 'hanging sends no controls' "$folder/hung.log")" 1
