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

# A machine whose archives have it in version 1.9-2.
archive() {
    machine
    fake dpkg-query <<'END'
case "$*" in
*Upstream*) printf 1.9 ;;
*) printf 1.9-2 ;;
esac
END
    fake apt-get <<END
echo "\$@" >>"$folder/calls"
case "\$*" in
indextargets*)
    echo 'Debian|main|http://host/debian/|bookworm'
    echo 'Debian|main|http://host/debian/|bookworm'
    echo 'Debian|contrib|http://host/debian/|bookworm'
    echo 'Somebody|main|http://elsewhere/|stable'
    ;;
*"source --download-only protobuf-c=1.9-2"*)
    if [ -e "$folder/state/offline" ]; then
        echo "E: Failed to fetch http://host/debian"
        exit 100
    fi
    mkdir -p made/protobuf-c
    echo code >made/protobuf-c/protobuf-c.c
    tar -czf protobuf-c_1.9.orig.tar.gz made
    ;;
esac
END
}

# expect_source WHAT STATUS PATTERN
expect_source() {
    local what=$1 status=$2 pattern=$3 got=0 text
    text=$(
        export XDG_CACHE_HOME=$folder/cache
        # shellcheck source=deploy/packages.sh
        . "$APEX_SOURCE_DIR/deploy/packages.sh"
        apex_protobuf_c_source 2>&1
    ) || got=$?
    # shellcheck disable=SC2053  # a pattern
    if [ "$got" -ne "$status" ] || [[ $text != $pattern ]]; then
        echo "$what: status $got, printed: $text"
        failed=1
    fi
}

archive
touch "$folder/state/offline"
expect_source "source, offline" 1 $'*\npackages: cannot fetch it: E: Failed to fetch http://host/debian'
if [ -n "$(ls -A "$folder/cache/apex")" ]; then
    echo "source, offline: something was left behind"
    failed=1
fi
archive
expect_source "source" 0 "packages: fetching the source of protobuf-c 1.9-2"
if [ "$(cat "$folder/cache/apex/protobuf-c-1.9/protobuf-c/protobuf-c.c")" != code ]; then
    echo "source: it is not where the build looks for it"
    failed=1
fi
expect_calls "source" 3
expect_source "source, a second time" 0 ""
expect_calls "source, a second time" 3
sources=$(. "$APEX_SOURCE_DIR/deploy/packages.sh" && apex_debian_sources | sed 's/\[[^]]*\] //')
if [ "$sources" != "deb-src http://host/debian/ bookworm main" ]; then
    echo "source: it comes from $sources"
    failed=1
fi

exit "$failed"
