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

# A server whose key nobody has named a file for keeps it: who knows it finds it again.
kept=$(lasting_port)
start_server first --address 0.0.0.0 --port "$kept" --plain none
kept_file=$folder/state/apex/server-$kept.key
expect_line "where the key is" "clients know this server by the key in $kept_file" "$folder/first.log"
expect "mode of the server's key" "$(stat -c %a "$kept_file")" 600
expect "mode of its folder" "$(stat -c %a "$folder/state/apex")" 700
expect "what else is there" "$(ls "$folder/state/apex")" "server-$kept.key"
run_client 0 watch --once "$host:$kept"
says_line "$host:$kept was not known: its key is trusted"
kill "$server"
ended "$server" 10
start_server second --address 0.0.0.0 --port "$kept" --plain none
run_client 0 watch --once "$host:$kept"
says ""
kill "$server"
ended "$server" 10

# One on another port is another server, and any free port is none that is found again.
other_port=$((kept + 1))
start_server third --address 127.0.0.1 --port "$other_port"
cmp -s "$kept_file" "$folder/state/apex/server-127.0.0.1-$other_port.key" && fail "one key for two servers"
kill "$server"
ended "$server" 10
expect "keys" "$(find "$folder/state/apex" -type f | wc -l)" 2

# What is there and cannot be trusted is refused, not replaced.
refused_key() { # MODE PATTERN
    chmod "$1" "$kept_file"
    run_server 1 --web off --races 1 --port "$kept"
    says_line "$2"
}
secret=$(cat "$kept_file")
refused_key 640 "others can read this key: chmod 600 $kept_file"
printf '%s' "${secret:1}" >"$kept_file"
refused_key 600 "$kept_file: is no key file: expected one line of 64 digits"
rm "$kept_file"
mkdir "$kept_file"
refused_key 700 "others can read this key|$kept_file: is no key file"
rmdir "$kept_file"

# Where nothing can be kept it says so, and hosts all the same.
XDG_STATE_HOME=/dev/null start_server fourth --port "$kept"
expect_line "no place" 'warn .*no key can be kept: /dev/null/apex: Not a directory; who knows' "$folder/fourth.log"
expect_line "no place" "HOST:$kept#[0-9a-f]{64} \(a new key with each start" "$folder/fourth.log"
kill "$server"
ended "$server" 10

# systemd's word goes first.
STATE_DIRECTORY=$folder/service:$folder/more start_server fifth --port "$kept" --address 127.0.0.1
[ -f "$folder/service/server-127.0.0.1-$kept.key" ] || fail "no key in the state directory"
kill "$server"
ended "$server" 10
