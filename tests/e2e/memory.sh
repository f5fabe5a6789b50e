#!/usr/bin/env bash
# A test of what a client costs the server in resident memory, all in: hundreds of drivers against a
# few.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

few=20
many=320
limit_kib=48

cat >"$folder/race.yaml" <<YAML
kind: race
name: e2e
track: speedway
cars: [boxster-s]
laps: 99
player_capacity: $many
late_join: true
start_players: 1
lobby_s: 1
countdown_s: 1
races: 0
server:
  address: 127.0.0.1
  clients_max: $many
  clients_per_address_max: $many
YAML
start_server server

# The most that was ever resident: clients may have gone by the time that this looks.
peak_kib() { awk '/^VmHWM:/ { print $2 }' "/proc/$server/status"; }

# drive NAME CLIENTS SECONDS: so many drivers, all in for so long.
drive() {
    start_client "$1" load --clients "$2" --ramp 300 --seconds "$3" --json \
        --fail-if "lost > 0 || refused > 0 || in < $2"
    ended "$client" 40
    expect "exit code of $1" "$status" 0
}

drive few "$few" 1
few_kib=$(peak_kib)
drive many "$many" 4
many_kib=$(peak_kib)

# Memory that comes with the first clients is not theirs, and is no part of the difference.
cost_kib=$(((many_kib - few_kib + (many - few) - 1) / (many - few)))
echo "resident with $few clients at most $few_kib KiB, with $many at most $many_kib KiB:" \
    "$cost_kib KiB a client"
[ "$many_kib" -gt $((few_kib + many - few)) ] || fail "that is too little to be true"
[ "$cost_kib" -lt "$limit_kib" ] || fail "a client costs $cost_kib KiB, not less than $limit_kib"
