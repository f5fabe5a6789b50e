#!/usr/bin/env bash
# labels: asan
# Who a driver is, from the command line: his key is made once, kept to himself and taken elsewhere;
# a server is known again; secrets leave no trace; and a lobby's tokens say what they were told to.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

config=$folder/config/apex
# Linux takes it for this machine, and a client keeps no servers that it knows to be here.
host=0.0.0.0

run_client() { run "$1" "$APEX_CLIENT" "${@:2}"; }
key_of() { sed -n "s/^$1: //p" "$folder/run.out"; }

start_server server --address 0.0.0.0 --plain none --password sesam --key-file "$folder/server.key"
server_key=$(grep -oE 'HOST:[0-9]+#[0-9a-f]{64}' "$folder/server.log" | cut -d '#' -f 2)
place=$host:$port
echo sesam >"$folder/password"

# Crowds and guests have no key and make none.
run_client 0 watch --once --guest --password "@$folder/password" "127.0.0.1:$port"
says ""
[ ! -e "$config/driver.key" ] || fail "a guest has made a key"

# The first look makes a key and keeps the server's, the second finds both.
run_client 1 key
says_line 'there is no key yet: apex-client key new makes '
run_client 0 watch --once --password "@$folder/password" "$place"
expect_line "the first look" "you are driver [0-9a-f]{32} from now on" "$folder/run.err"
expect_line "the first look" "$place was not known: its key is trusted" "$folder/run.err"
expect "mode of the key" "$(stat -c %a "$config/driver.key")" 600
expect "mode of its folder" "$(stat -c %a "$config")" 700
expect "what is known" "$(cat "$config/servers")" "$place $server_key"
APEX_PASSWORD=sesam run_client 0 watch --once "$place"
says ""

# Nobody reads a password off the list of processes.
"$APEX_CLIENT" watch --password=sesam --json "$place" </dev/null >"$folder/secret.out" \
    2>"$folder/secret.log" 9<&- &
watcher=$!
children+=("$watcher")
wait_line '"type":"standings"' "$folder/secret.out" 20
tr '\0' ' ' <"/proc/$watcher/cmdline" >"$folder/cmdline"
if holds sesam "$folder/cmdline"; then fail "the password is in $(cat "$folder/cmdline")"; fi
holds '^[^ ]*apex-client watch --password' "$folder/cmdline" || fail "$(cat "$folder/cmdline")"
kill "$watcher"
ended "$watcher" 10

# Another key at the same place is refused, by a line that can be found, until it is given.
other=${server_key//[0-7]/8}
printf '# mine\n%s %s\n' "$place" "$other" >"$config/servers"
run_client 1 watch --once --password "@$folder/password" "$place"
says_line "had another in $config/servers, line 2\..*$place#KEY"
run_client 0 watch --once --password "@$folder/password" "$place#$server_key"
says_line "the new key of $place is in"
expect "what is known" "$(cat "$config/servers")" "# mine
$place $server_key"
run_client 0 watch --once --password "@$folder/password" "$place"
says ""

# A key that others may read is no longer one driver's.
chmod 640 "$config/driver.key"
run_client 2 watch --once --password "@$folder/password" "$place"
says_line "others may read this key: chmod 600 $config/driver.key; or come as a --guest"
chmod 600 "$config/driver.key"

# The same driver on another machine.
run_client 0 key
driver=$(key_of fingerprint)
public=$(key_of "public key")
run_client 0 key export "$folder/stick/copy"
run_client 1 key import "$folder/stick/copy"
complains "$config/driver.key is there already"
XDG_CONFIG_HOME=$folder/elsewhere run_client 0 key import "$folder/stick/copy"
expect "the driver elsewhere" "$(key_of fingerprint)" "$driver"
XDG_CONFIG_HOME=$folder/elsewhere run_client 0 key show
expect "the driver elsewhere" "$(key_of fingerprint)" "$driver"

# Without a home there are guests.
XDG_CONFIG_HOME=/dev/null run_client 0 watch --once --password "@$folder/password" "127.0.0.1:$port"
says_line 'comes as a guest: no key can be kept: '

# Nor where the home is another user's, which only root can try.
nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
if [ "$EUID" -eq 0 ] && "${nobody[@]}" "$APEX_CLIENT" --version >/dev/null 2>&1; then
    chmod 700 "$folder"
    run 0 "${nobody[@]}" "$APEX_CLIENT" watch --once --password sesam "$place"
    expect_line "a guest" 'comes as a guest: no key can be kept: .*: permission denied$' "$folder/run.err"
    expect_line "a guest" 'no server is known again: .*: permission denied$' "$folder/run.err"
fi

# A lobby.
run_server 0 token key "$folder/lobby.key"
lobby=$(cat "$folder/run.out")
expect "mode of the lobby's key" "$(stat -c %a "$folder/lobby.key")" 600
run_server 0 token key "$folder/lobby.key"
expect "the lobby's key" "$(cat "$folder/run.out")" "$lobby"
run_server 0 token sign --key "$folder/lobby.key" --audience "$server_key" --holder "$public" \
    --name Zoë --subject ada@lobby --life 30s --race 1 --role driver --car 2 --number 44 \
    --ballast 20 --restrictor 90
token=$(cat "$folder/run.out")
run_server 0 token show "$token" "$lobby"
audience=$(printf %s "$server_key" | python3 -c '
import hashlib, sys
print(hashlib.blake2b(bytes.fromhex(sys.stdin.read()), digest_size=16).hexdigest())')
for line in "audience    $audience" "race        1" "holder      $public" "role        driver" \
    "car         2" "number      44" "ballast     20 kg" "restrictor  90 %" \
    "subject     ada@lobby" "name        Zoë" "signature   of that lobby"; do
    grep -qxF -e "$line" "$folder/run.out" || fail "no '$line' in $(cat "$folder/run.out")"
done
expect_line "how long" '^expires .*, in (30|29|2[0-9]) s$' "$folder/run.out"
run_server 1 token show "$token" "$public"
expect_line "another's" '^signature   NOT of that lobby' "$folder/run.out"
run_server 1 token sign --key "$folder/none.key" --audience any
says_line "there is no $folder/none.key: apex-server token key"
[ ! -e "$folder/none.key" ] || fail "a mistyped name has made a key"
run_server 2 token sign --key "$folder/lobby.key" --audience "${server_key:1}"
says_line "--audience '.*': expected 64 hexadecimal digits, or any"

# The holder may bring it, nobody else: the client says so before the server would, which has not been
# told of the lobby.
run_client 1 watch --once --password "@$folder/password" --token "$token" "$place"
says_line "this server does not trust who signed your token"
run_client 2 watch --once --guest --password "@$folder/password" --token "$token" "$place"
says_line "it is for the driver with the public key $public"
APEX_TOKEN=${token:1} run_client 2 watch --once "$place"
says_line 'this is no token of a lobby: was it copied whole'

kill "$server"
ended "$server" 10
