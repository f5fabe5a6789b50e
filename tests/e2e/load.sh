#!/usr/bin/env bash
# The load generator on a wide road: racers and spectators, then chaos that comes and goes; what it
# says of them, as a table and as JSON, and exit codes by a condition.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cat >"$folder/race.yaml" <<'YAML'
kind: race
name: e2e
track: speedway
cars: [boxster-s]
laps: 99
player_capacity: 64
start_players: 60
lobby_s: 3
countdown_s: 1
races: 0
server:
  address: 127.0.0.1
  clients_max: 80
  clients_per_address_max: 80
  joins_per_address_per_s: 0   # --churn comes from one
YAML
start_server server

# figures FILE EXPRESSION: over f, the figures of a run, and r, all it said.
figures() { evaluate "$1" "$2" 'f = r["figures"]'; }

# counted FILE: what holds of any machine.
counted() {
    expect "what was asked for" \
        "$(figures "$1" 'r["type"], r["clients"], r["spectators"], r["profile"]')" \
        "('load', 56, 4, 'race')"
    expect "who came" "$(figures "$1" 'f["joined"], f["in"], f["in_max"], f["lost"], f["left"]')" \
        "(60, 60, 60, 0, 0)"
    expect "the worst served is below the mean" \
        "$(figures "$1" '0 < f["snapshots_per_s_min"] <= f["snapshots_per_s"] + 0.2')" True
    expect "percentiles rise" "$(figures "$1" 'all(
        0 <= f[k % "p50"] <= f[k % "p90"] <= f[k % "p99"] <= f[k % "max"]
        for k in ("rtt_%s_ms", "interval_%s_ms", "age_%s_ms", "shown_%s_ms", "down_%s_bytes",
                  "loss_%s_percent"))')" True
    expect "clients' bytes have the mean's size" \
        "$(figures "$1" '0.3 < f["down_p50_bytes"] / f["bytes_down_per_s"] < 1.5')" True
    expect "the own car comes with each snapshot" \
        "$(figures "$1" '99 < f["own_car_percent"] < 101')" True
    expect "the server's own figures" "$(figures "$1" '0 < f["tick_p50_ms"] <= f["tick_p99_ms"] \
        <= f["tick_p99_worst_ms"] <= f["tick_max_ms"] and f["server_cpu_us_per_client_s"] > 10')" True
    expect "nothing is predicted unless somebody does" \
        "$(figures "$1" '(f["prediction_p50_mm"] is None) == (f["prediction_max_mm"] is None)')" True
}

# seen FILE: what sixteen pilots say of those about them. A moment that was off would show as metres.
seen() {
    expect "rivals are compared where pilots look" "$(figures "$1" 'f["rivals_compared"] > 100')" True
    expect "percentiles of rivals rise" "$(figures "$1" 'all(
        0 < f["rival_%s_p50_mm" % way] <= f["rival_%s_p95_mm" % way] <= f["rival_%s_p99_mm" % way]
        for way in ("along", "across"))')" True
    expect "half of them are where they were foretold" \
        "$(figures "$1" 'f["rival_along_p50_mm"] < 300 and f["rival_across_p50_mm"] < 300')" True
    expect "a correction" \
        "$(figures "$1" '0 <= f["rival_correction_p99_mps"] <= f["rival_correction_max_mps"]')" True
}

# The cars shown are older than what has come, by an interval or two.
in_time='15 < f["snapshots_per_s"] < 20.6 and 25 < f["shown_p50_ms"] - f["age_p50_ms"] < 200 and
    30 < f["interval_p50_ms"] < 70 and 80 < f["on_tick_percent"] <= 100 and
    20 < f["packets_up_per_s"] < 45'

# Times are judged where the server was not kept from its ticks.
for number in 1 2 3; do
    start_client "race-$number" load --clients 56 --spectators 4 --ramp 200 --seconds 6 --json \
        --fail-if 'lost > 0 || refused > 0 || in < 60 || undecodable > 0'
    ended "$client" 40
    expect "exit code of the race" "$status" 0
    said=$folder/race-$number.out
    counted "$said"
    seen "$said"
    if [ "$(figures "$said" "$in_time")" = True ]; then break; fi
    dropped=$(figures "$said" 'int(f["ticks_dropped"])')
    echo "not in time, and $dropped ticks dropped: $(cat "$said")"
    { [ "$dropped" -gt 0 ] && [ $number -lt 3 ]; } || fail "times of a load of 60"
done

# Chaos, with places that change hands; the server stands it, and the condition is true.
start_client chaos load --clients 40 --ramp 200 --seconds 5 --profile chaos --churn 8 --seed 7 \
    --json --fail-if 'lost > 0 || left > 20'
ended "$client" 40
expect "exit code of chaos" "$status" 1
expect_line "why" "^apex-client: --fail-if 'lost > 0 \|\| left > 20' is true" "$folder/chaos.log"
said=$folder/chaos.out
expect "nobody looks in chaos" \
    "$(figures "$said" 'f["rivals_compared"], f["rival_along_p50_mm"]')" "(0, None)"
expect "nobody is lost" "$(figures "$said" 'f["lost"], f["refused"], r["lost_by"]')" "(0, 0, {})"
expect "who left was followed by another" \
    "$(figures "$said" '25 <= f["left"] <= 60 and f["left"] + 34 <= f["joined"] <= f["left"] + 40')" \
    True
is_running "$server" || fail "the server did not stand chaos"

# More than the server has room for: they say so, and why.
start_client many load --clients 90 --ramp 400 --seconds 6 --profile idle
ended "$client" 40
expect "exit code of too many" "$status" 1
expect_line "why" '^apex-client: 64 of 90 clients got in \(26 refused\); --allow-refused takes fewer$' \
    "$folder/many.log"
expect_line "progress, counted as in the table" '^measuring +64 in +64 driving +0 lost +26 refused ' \
    "$folder/many.log"
expect_line "the table" '^joined +64$' "$folder/many.out"
expect_line "the others" '^refused +26$' "$folder/many.out"
expect_line "players past the race's capacity" '^  refused +[0-9]+  race-full$' "$folder/many.out"
expect_line "the server's own count" ' +[0-9]+  refused-race since its start$' "$folder/many.out"
expect_line "a table of times" '^round trip +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+  ms$' \
    "$folder/many.out"

# A caller that says that it knows gets what was measured, and nothing else.
start_client allowed load --clients 90 --ramp 400 --seconds 1.5 --profile idle --allow-refused
ended "$client" 40
expect "exit code where fewer are allowed" "$status" 0
