#!/usr/bin/env bash
# labels: asan
# Everything the programs do without a race: checking files, printing defaults and help, and saying
# in one line why they cannot start.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
content=$APEX_SOURCE_DIR/server/content

# Good files
mapfile -t shipped < <(find "$content"/{cars,tracks,races} -name '*.yaml' | sort)
[ "${#shipped[@]}" -ge 21 ] || fail "only ${#shipped[@]} files ship"
run_server 0 check "${shipped[@]}"
says ""
expect "files that are fine" "$(grep -cE ': (car|track|race), fine$' "$folder/run.out")" \
    "${#shipped[@]}"

for kind in car track race; do
    run_server 0 default $kind
    cp "$folder/run.out" "$folder/$kind.yaml"
    [ "$(grep -c '#' "$folder/$kind.yaml")" -gt 15 ] || fail "the default $kind explains nothing"
    run_server 0 check "$folder/$kind.yaml"
    expect "the default $kind" "$(cat "$folder/run.out")" "$folder/$kind.yaml: $kind, fine"
done

run_server 0 list
expect "list" "$(tr -s '\n ' ' ' <"$folder/run.out")" \
    "cars: boxster-s cbr1000rr corvette-c5 formula micra minibus mp4-12c truck-6x4 tracks: car-park-lap car-park drag-strip highfell oval ridgeway skidpad speedway wide-oval races: crowd default endurance league-night sprint time-attack "

# Broken files
# broken KIND SED_SCRIPT LINE:COLUMN: MESSAGE
broken() {
    local file=$folder/broken.yaml
    sed -E "$2" "$folder/$1.yaml" >"$file"
    cmp -s "$file" "$folder/$1.yaml" && fail "$2 changes nothing"
    run_server 1 check "$file"
    says "$file:$3"
}
# at PATTERN FILE: the number of the line.
at() { grep -nE -m 1 -e "$1" "$folder/$2" | cut -d : -f 1; }

line=$(at '^laps:' race.yaml)
broken race 's/^laps: .*/laps: 1000/' "$line:7: laps: 1000 is outside 0..999"
broken race 's/^laps: .*/laps: 0/' "$line:7: laps: 0 is for a track without a lap; ridgeway has one"
broken race 's/^laps: .*/laps: three/' "$line:7: laps: expected a whole number, found 'three'"
broken race 's/^laps: .*/lapse: 3/' "$line:1: unknown key 'lapse'; did you mean 'laps'?"
broken race 's/^(laps: .*)/\1\nlaps: 4/' "$((line + 1)):1: laps: given twice; first on line $line"
broken race 's/^  tick_hz: .*/  tick_hz: 1e9/' \
    "$(at '^  tick_hz:' race.yaml):12: world.tick_hz: expected a whole number, found '1e9'"
broken race 's/^  damage: .*/  damage: maybe/' \
    "$(at '^  damage:' race.yaml):11: world.damage: expected off, visual or full, found 'maybe'"
broken race 's/^kind: .*/kind: boat/' \
    "$(at '^kind:' race.yaml):7: kind: expected car, track or race, found 'boat'"
broken car 's/^mass_kg: .*/mass_kg: -5/' "$(at '^mass_kg:' car.yaml):10: mass_kg: -5 is outside 50..60000"
broken track 's/^width_m: .*/width_m: .nan/' \
    "$(at '^width_m:' track.yaml):10: width_m: expected a number, found '.nan'"
broken track 's/^closed: .*/closed: perhaps/' \
    "$(at '^closed:' track.yaml):9: closed: expected true or false, found 'perhaps'"

# not_yaml CONTENT PATTERN
not_yaml() {
    printf '%b' "$1" >"$folder/broken.yaml"
    run_server 1 check "$folder/broken.yaml"
    says_line "^$folder/broken.yaml:$2"
}
not_yaml '' '1:1: the file is empty$'
not_yaml 'kind: race\nworld: [\n' '[23]:[0-9]+: not YAML: '
not_yaml 'kind: race\nname: \x01\n' '2:[0-9]+: not a YAML text: '
not_yaml '\xff\xfe\xfd' '[0-9]+:[0-9]+: not '
not_yaml '[1, 2]\n' '1:1: '

# The faults of one file do not hide those of others.
sed -E 's/^laps: .*/laps: 1000/' "$folder/race.yaml" >"$folder/broken.yaml"
run_server 1 check "$folder/car.yaml" "$folder/broken.yaml" "$folder/track.yaml"
expect "files that are fine" "$(grep -c fine "$folder/run.out")" 2
says_line 'broken.yaml:.*laps: 1000 is outside'
run_server 1 check "$folder/nowhere.yaml"
says_line 'nowhere\.yaml: No such file or directory'
run_server 1 check "$folder"
says_line ': not a file'

# Usage
run_server 0 --version
expect_line "version" '^apex-server [0-9]+\.[0-9]+\.[0-9]+ \(commit ([0-9a-f]{12}(-dirty)?|unknown), physics [0-9]+, protocol 3\)$' "$folder/run.out"
run 0 "$APEX_CLIENT" --version
expect_line "version" '^apex-client [0-9]+\.[0-9]+\.[0-9]+ \(commit ([0-9a-f]{12}(-dirty)?|unknown), physics [0-9]+, protocol 3\)$' "$folder/run.out"
run_server 0 --help
says ""
for option in config content track car laps players bots races port web address password password-for clients \
    clients-per-address results record replays speed tick-hz snapshot-hz workers seed log log-level; do
    expect_line "help" "^  --$option [A-Z|a-z]+ +[a-zA-Z]" "$folder/run.out"
done
for command in '' bot load watch; do
    run 0 "$APEX_CLIENT" $command --help
    says ""
    expect_line "help of $command" '^usage: apex-client' "$folder/run.out"
done

# usage PATTERN COMMAND...: exit code 2, and the first line says what is wrong.
usage() {
    local pattern=$1
    shift
    run 2 "$@"
    complains "$pattern"
}
usage "unrecognized option '--bogus'" "$APEX_SERVER" --bogus
usage "option '--laps' requires an argument" "$APEX_SERVER" --laps
usage '^apex-server: --laps 0: expected a whole number, 1 to 999$' "$APEX_SERVER" --laps 0
usage '^apex-server: --laps 5x: expected a whole number' "$APEX_SERVER" --laps 5x
usage '^apex-server: --port 65536: expected .* 0 to 65535$' "$APEX_SERVER" --port 65536
usage '^apex-server: --speed 0: expected a number from 0\.01' "$APEX_SERVER" --speed 0
usage '^apex-server: --speed nan: expected a number' "$APEX_SERVER" --speed nan
usage '^apex-server: --damage some: expected off, visual or full$' "$APEX_SERVER" --damage some
usage '^apex-server: --log xml: expected text or json$' "$APEX_SERVER" --log xml
usage '^apex-server: --log-level loud: expected debug' "$APEX_SERVER" --log-level loud
usage 'no command "frobnicate"; --help lists them$' "$APEX_SERVER" frobnicate
usage 'name at least one file$' "$APEX_SERVER" check
usage 'say car, track or race$' "$APEX_SERVER" default boat
usage '^usage: apex-server replay verify FILE$' "$APEX_SERVER" replay verify
usage "unrecognized option '--bogus'" "$APEX_CLIENT" bot --bogus
usage "unrecognized option '--bogus'" "$APEX_CLIENT" watch --bogus
usage "unrecognized option '--bogus'" "$APEX_CLIENT" load --bogus
usage "^apex-client: --profile: 'fast' is not race, cruise, idle or chaos" "$APEX_CLIENT" load \
    --profile fast
usage "^apex-client: --fail-if 'lost > 0 \|\| ping > 3': column 13: there is no figure 'ping'" \
    "$APEX_CLIENT" load --fail-if 'lost > 0 || ping > 3'
usage "no command 'dance'" "$APEX_CLIENT" dance
usage "^apex-client: --count: '0' is not a number from 1" "$APEX_CLIENT" bot --count 0
usage "^apex-client: --skill: 'nan' is not a number" "$APEX_CLIENT" bot --skill nan
usage "^apex-client: 'b' is one argument too many" "$APEX_CLIENT" bot a b
usage "the port must be a number from 1 to 65535$" "$APEX_CLIENT" watch 127.0.0.1:65536

# Servers that cannot start, clients that find none
# refuses PATTERN ARGUMENT...: exit code 1 and one line.
refuses() {
    local pattern=$1
    shift
    run_server 1 --port 0 --bots 2 --races 1 --speed max "$@"
    says_line "^apex-server: $pattern"
}
refuses '.*nowhere\.yaml.*no such file' --config "$folder/nowhere.yaml"
refuses ".*broken\.yaml:$line:7: laps: 1000 is outside 0\.\.999" --config "$folder/broken.yaml"
refuses "no track called 'moon'.*shipped are .*oval" --track moon
refuses "no car called 'cart'.*shipped are boxster-s, cbr1000rr, corvette-c5" --car cart
refuses '--tick-hz 70: must divide 240 or 200' --tick-hz 70
touch "$folder/file"
refuses "results directory $folder/file/x: " --results "$folder/file/x"
refuses "replay $folder/nowhere/x: not found" --record "$folder/nowhere/x"
refuses '--record: one file cannot hold several races; --replays DIR records each' --config sprint \
    --config endurance --record "$folder/x"
refuses '--web nowhere: expected ADDRESS:PORT, PORT or off' --web nowhere
for token in sesame "open sesame twice" "$(printf 'x%.0s' {1..128})"; do
    APEX_WEB_TOKEN=$token refuses 'APEX_WEB_TOKEN: (too short to be safe|letters, digits|too long)'
done
refuses '.*--password: longer than 31 bytes' --password "$(printf 'x%.0s' {1..40})"
refuses '.*invalid argument' --address 300.1.1.1

start_server first
run_server 1 --address 127.0.0.1 --port "$port"
says_line "^apex-server: .*UDP port $port.*(in use|busy)"
is_running "$server" || fail "the first server is gone"
ask first quit closing
ended "$server" 5
expect "the first server's exit code" "$status" 0

# The port is free again, and nobody answers.
run 1 "$APEX_CLIENT" watch --once --guest "127.0.0.1:$port"
says_line "^apex-client: no answer from 127\.0\.0\.1:$port within 5 s"
