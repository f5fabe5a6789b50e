#!/usr/bin/env bash
# deploy/packages.sh with a dpkg, an apt-get, a sudo and an id of our own.
set -uo pipefail

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0
real_path=$PATH

# fake NAME: a program that runs what stands on standard input.
fake() {
    { echo '#!/bin/sh'; cat; } >"$folder/bin/$1"
    chmod +x "$folder/bin/$1"
}

# A machine on which `here` and, once it was installed, `late` are installed.
machine() {
    rm -rf "${folder:?}/bin" "$folder/calls" "$folder/state"
    mkdir -p "$folder/bin" "$folder/state"
    fake dpkg-query <<END
for last; do :; done
if [ "\$last" = here ] || [ -e "$folder/state/\$last" ]; then printf installed; exit 0; fi
exit 1
END
    fake apt-get <<END
echo "\$@" >>"$folder/calls"
case "\$*" in
*update*) touch "$folder/state/updated"; exit 0 ;;
*install*)
    if [ ! -e "$folder/state/updated" ]; then
        echo "E: Unable to locate package late"
        exit 100
    fi
    if [ -e "$folder/state/offline" ]; then
        echo "E: Failed to fetch http://host/late  Temporary failure resolving 'host'"
        echo "E: Unable to fetch some archives"
        exit 100
    fi
    touch "$folder/state/late"
    ;;
esac
END
    echo 'echo 0' | fake id
    PATH=$folder/bin:$real_path
}

# expect WHAT STATUS PATTERN PACKAGE...: installs, and compares status and all that was printed.
expect() {
    local what=$1 status=$2 pattern=$3 got=0 text
    shift 3
    text=$(
        # shellcheck source=deploy/packages.sh
        . "$APEX_SOURCE_DIR/deploy/packages.sh"
        apex_install_missing "$@" 2>&1
    ) || got=$?
    # shellcheck disable=SC2053  # a pattern
    if [ "$got" -ne "$status" ] || [[ $text != $pattern ]]; then
        echo "$what: status $got, printed: $text"
        failed=1
    fi
}

expect_calls() {
    local what=$1 count=$2 got=0
    if [ -e "$folder/calls" ]; then got=$(wc -l <"$folder/calls"); fi
    if [ "$got" -ne "$count" ]; then
        echo "$what: $got calls of apt-get, not $count"
        failed=1
    fi
}

machine
expect "all there" 0 "" here
expect_calls "all there" 0

machine
expect "installed after an update" 0 "packages: installing late" here late
expect_calls "installed after an update" 3
expect "a second time" 0 "" here late
expect_calls "a second time" 3

machine
touch "$folder/state/updated"
expect "no update when none is needed" 0 "packages: installing late" late
expect_calls "no update when none is needed" 1

machine
touch "$folder/state/offline"
expect "offline" 1 $'packages: installing late\npackages: cannot install late: E: *resolving*' late

machine
echo 'echo 1000' | fake id
printf 'echo "sudo: a password is required"\nexit 1\n' | fake sudo
expect "sudo refuses" 1 $'*\npackages: cannot install late: sudo: a password is required' late
expect_calls "sudo refuses" 0

exit "$failed"
