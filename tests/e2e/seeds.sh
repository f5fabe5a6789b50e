#!/usr/bin/env bash
# Races of bots in one event differ, places change hands in them, and a seed gives all of it again:
# one that was asked for, and one that the program drew and printed.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# host NAME RACES ARGUMENT...: an event of bots to its end; leaves NAME.event, its essence.
host() {
    local name=$1 races=$2
    shift 2
    timeout 250 "$APEX_SERVER" --bots 8 --races "$races" --speed max --port 0 --web off \
        --results "$folder/$name.results" --record "$folder/$name.apexr" --workers 0 "$@" \
        </dev/null >"$folder/$name.out" 2>"$folder/$name.log" || fail "$name: exit code $?"
    python3 - "$folder/$name.results" >"$folder/$name.event" <<'PYTHON' || fail "$name: no results"
import glob, json, sys
races = [json.load(open(path, encoding="utf-8")) for path in glob.glob(sys.argv[1] + "/*-race-*.json")]
races.sort(key=lambda race: race["race_number"])
for race in races:
    del race["started"], race["ended"]  # when it was is all that may differ
json.dump(races, sys.stdout, indent=1, sort_keys=True)
PYTHON
}

# differ A B: not one race of the one is a race of the other.
differ() {
    python3 - "$folder/$1.event" "$folder/$2.event" <<'PYTHON' || fail "$1 and $2 share a race"
import json, sys
hashes = [{race["state_hash"] for race in json.load(open(path))} for path in sys.argv[1:]]
sys.exit(bool(hashes[0] & hashes[1]))
PYTHON
}

host seven 10 --seed 7 &
seven=$!
children+=("$seven")
host again 10 --seed 7
host drawn 1
wait "$seven" || fail "the event of seed 7"

cmp -s "$folder/seven.event" "$folder/again.event" || fail "seed 7 gives other races when run twice"
seed=$(sed -n 's/.*the same races again: --seed \([0-9]*\)$/\1/p' "$folder/drawn.log")
[ -n "$seed" ] || fail "the seed that was drawn is not printed"
host redrawn 1 --seed "$seed"
cmp -s "$folder/drawn.event" "$folder/redrawn.event" || fail "--seed $seed gives another event"
differ seven drawn
"$APEX_SERVER" replay verify "$folder/drawn.apexr" >"$folder/verify.out" || fail "the replay differs"

python3 - "$folder/seven.event" "$folder/seven.log" <<'PYTHON' || fail "what ten races must show"
import json, re, sys
races = json.load(open(sys.argv[1]))
assert [race["race_number"] for race in races] == list(range(1, 11)), "ten races"
assert len({race["seed"] for race in races}) == 10 and {race["event_seed"] for race in races} == {7}
told = re.findall(r"race \d+: seed (\d+)", open(sys.argv[2]).read())
assert [int(seed) for seed in told] == [race["seed"] for race in races], told

def correlation(lines):  # Spearman's: 1 where everybody ends where he started
    n = len(lines)
    return 1 - 6 * sum((line["grid"] - line["position"]) ** 2 for line in lines) / (n * (n * n - 1))

def cut_s(text):
    minutes, _, seconds = text.rpartition(":")
    return int(minutes or 0) * 60000 + round(float(seconds) * 1000)

# One race has one time: the log and the files cut it alike.
finishes = re.findall(r"race: (Bot \d+) finished as number \d+ in ([0-9:.]+)$", open(sys.argv[2]).read(), re.M)
for race in races:
    ours, finishes = dict(finishes[:8]), finishes[8:]
    for line in race["results"]:
        assert cut_s(ours[line["name"]]) == int(round(line["total_s"] * 1e6) // 1000), (line, ours)

winners = {race["results"][0]["name"] for race in races}
mean = sum(correlation(race["results"]) for race in races) / len(races)
print(f"{len(winners)} winners, mean rank correlation of grid and finish {mean:.2f}")
assert len(winners) >= 4, winners
assert mean < 0.8, mean
for race in races:
    assert len(race["results"]) == 8 and race["did_not_start"] == [], race["race_number"]
    assert len({line["car"] for line in race["results"]}) > 1, "all drive the same car"
PYTHON
