#!/usr/bin/env bash
# Tests of what cmake --install gives: programs that run from wherever they are moved to, manual
# pages that render, completion that completes, guides whose links lead somewhere; and what a Debian
# package would hold.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

build=${APEX_BUILD_DIR:?}
if [ ! -e "$build/apex-server.1" ]; then
    echo "this build makes no manual pages"
    exit 77
fi

cmake --install "$build" --prefix "$folder/first" >"$folder/install.log" 2>&1 ||
    fail "cmake --install"
mv "$folder/first" "$folder/moved"
there=$folder/moved

# Programs
for program in apex-server apex-client; do
    "$there/bin/$program" --version >"$folder/version.out" || fail "$program --version"
    expect_line "$program" \
        "^$program [0-9.]+ \(commit ([0-9a-f]{12}(-dirty)?|unknown), physics [0-9]+, protocol [0-9]+\)$" \
        "$folder/version.out"
done
"$there/bin/apex-server" --track oval --laps 1 --bots 2 --races 1 --speed max --port 0 --web off \
    --results "$folder/results" </dev/null >"$folder/race.log" 2>&1 || fail "a race elsewhere"
expect_line "a race elsewhere" 'race 1: over' "$folder/race.log"

# Manual pages: each command and each option of --help is there, and groff has no complaint.
for program in apex-server apex-client; do
    page=$there/share/man/man1/$program.1
    [ -s "$page" ] || fail "no page of $program"
    if command -v groff >/dev/null; then
        groff -man -ww -z "$page" 2>"$folder/groff.log" || fail "groff of $program"
        expect "complaints of groff" "$(cat "$folder/groff.log")" ""
    fi
    while read -r option; do
        grep -qF -- ".B ${option//-/\\-}" "$page" || fail "$program.1 has no $option"
    done < <("$there/bin/$program" --help | sed -nE 's/^ +(--[a-z-]+).*/\1/p')
done
expect_line "a command's options" '\\-\\-svg FILE' "$there/share/man/man1/apex-server.1"
expect_line "a command's options" '\\-\\-fail\\-if EXPR' "$there/share/man/man1/apex-client.1"
expect_line "what it is" '^apex\\-client \\- [a-z]' "$there/share/man/man1/apex-client.1"

# Completion
# completed WORD...: what bash would offer for the last word.
completed() {
    bash -c '
        . "$1/share/bash-completion/completions/apex-server"
        . "$1/share/bash-completion/completions/apex-client"
        shift
        cd "$1" && shift # no files here
        function=_$(basename "$1" | tr - _)
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        $function
        echo "${COMPREPLY[*]}"' - "$there" "$folder/results" "$@" 2>&1
}
for file in "$there"/share/bash-completion/completions/*; do
    bash -n "$file" || fail "${file##*/} is no bash"
done
server_there=$there/bin/apex-server
expect "an option" "$(completed "$server_there" --tr)" "--track"
expect "a track" "$(completed "$server_there" --track spee)" "speedway"
expect "a track after =" "$(completed "$server_there" --track = spee)" "speedway"
expect "a car" "$(completed "$server_there" --bots 3 --car boxs)" "boxster-s"
expect "a race" "$(completed "$server_there" --config endu)" "endurance"
expect "a word" "$(completed "$server_there" --damage fu)" "full"
expect "a command" "$(completed "$server_there" manoe)" "manoeuvre"
expect "a manoeuvre" "$(completed "$server_there" manoeuvre slal)" "slalom"
expect "a command's option" "$(completed "$server_there" track import --ti)" "--title"
expect "only its own" "$(completed "$server_there" track --laps)" ""
expect "a client's command" "$(completed "$there/bin/apex-client" net)" "netsim"
expect "a client's option" "$(completed "$there/bin/apex-client" load --fail)" "--fail-if"
expect "a client's car" "$(completed "$there/bin/apex-client" bot --car mic)" "micra"

# Guides
documents=$there/share/doc/apex
for guide in HOSTING OPERATING SECURITY CARS TRACKS RACES BOTS LOADING PROTOCOL api/API; do
    [ -s "$documents/$guide.md" ] || fail "no guide $guide.md"
    while read -r link; do
        [ -e "$(dirname "$documents/$guide")/$link" ] || fail "$guide.md leads to $link: not there"
    done < <(sed -nE '/\]\(https?:/! s/.*\]\(([^)#]+)\).*/\1/p' "$documents/$guide.md")
done

# The service
unit=$there/lib/systemd/system/apex-server.service
expect_line "the service's user" "^u apex " "$there/lib/sysusers.d/apex.conf"
expect_line "the service's user" "^User=apex" "$unit"
expect_line "priority" "^CPUWeight=1000" "$unit"
arguments=$(sed -nE ':a; /\\$/ { N; s/ *\\\n */ /; ba }; s/^ExecStart=apex-server (.*)/\1/p' "$unit")
while read -r option; do
    "$server_there" --help | grep -E -- "^ +$option " >/dev/null ||
        fail "the service's $option is no option"
done < <(grep -oE -- '--[a-z-]+' <<<"$arguments")

# The package
if ! command -v cpack >/dev/null || ! command -v dpkg-shlibdeps >/dev/null; then
    echo "installed, moved and run; no cpack or no dpkg-shlibdeps for the package"
    exit 0
fi
(cd "$folder" && cpack -G DEB --config "$build/CPackConfig.cmake" -B "$folder/packed") \
    >"$folder/cpack.log" 2>&1 || fail "cpack"
package=$(echo "$folder"/packed/apex_*.deb)
dpkg-deb -c "$package" >"$folder/contents.out" || fail "dpkg-deb -c"
for path in etc/apex/race.yaml usr/bin/apex-server usr/bin/apex-client \
    usr/lib/systemd/system/apex-server.service usr/lib/sysusers.d/apex.conf \
    usr/share/man/man1/apex-server.1.gz usr/share/man/man1/apex-client.1.gz \
    usr/share/bash-completion/completions/apex-server usr/share/doc/apex/changelog.gz \
    usr/share/doc/apex/copyright; do
    expect_line "the package" "root/root .* \./$path$" "$folder/contents.out"
done
grep -vE ' \./(etc|usr)/' "$folder/contents.out" >"$folder/astray.out" &&
    fail "the package has $(cat "$folder/astray.out")"
dpkg-deb -f "$package" Depends >"$folder/depends.out"
for library in libwebsockets-evlib-uv libwebsockets17 libenet7 libprotobuf-c1 libicu72; do
    expect_line "what it depends on" "(^|, )$library( |,|\$)" "$folder/depends.out"
done
dpkg-deb -e "$package" "$folder/control"
expect "its conffiles" "$(cat "$folder/control/conffiles")" "/etc/apex/race.yaml"
for script in postinst prerm postrm; do
    sh -n "$folder/control/$script" || fail "$script is no shell script"
done
dpkg-deb -x "$package" "$folder/unpacked"
"$there/bin/apex-server" check "$folder/unpacked/etc/apex/race.yaml" >"$folder/check.out" 2>&1 ||
    fail "the package's race file"
echo "installed, moved and run; ${package##*/} holds $(grep -c '^-' "$folder/contents.out") files"
