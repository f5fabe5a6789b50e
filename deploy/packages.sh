# The Debian packages that Apex needs, and a function that installs the missing ones.
# Sourced by deploy/demo and tests/run.
# shellcheck shell=bash disable=SC2034

# To build the server and the client.
BUILD_PACKAGES=(
    gcc libc6-dev cmake ninja-build pkg-config protobuf-c-compiler
    libprotobuf-c-dev libuv1-dev libenet-dev libsodium-dev libyaml-dev libjansson-dev libzstd-dev
    libxxhash-dev libwebsockets-dev libwebsockets-evlib-uv libssl-dev libqrencode-dev
    zlib1g-dev libicu-dev
)

# To build the tests, in addition.
TEST_BUILD_PACKAGES=(check libsubunit-dev python3)

# To run them, in addition. clang comes without its sanitizers' and libFuzzer's run-time library when
# recommended packages are left out, hence libclang-rt-dev.
TEST_PACKAGES=(
    clang clang-format clang-tidy libclang-rt-dev diffutils python3-enet python3-protobuf
    python3-nacl protobuf-compiler
)
# The golden scenes also run as an aarch64 machine would run them. The cross-compiler only recommends
# its C library.
if [ "$(uname -m)" != aarch64 ]; then
    TEST_PACKAGES+=(gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static)
fi

# To build the live page, in addition: WebAssembly by clang. Node.js and npm come on top where there
# is no node yet, see apex_install_page.
PAGE_PACKAGES=(clang lld llvm wasi-libc libclang-rt-dev-wasm32 ca-certificates xz-utils)
# To look at it in the tests. Chromium without a window draws at half its cost.
PAGE_TEST_PACKAGES=(chromium-headless-shell firefox-esr)

# What tests/bench/run compares us with, where it is there: the figures *.vs_bullet and
# *.vs_box2d.
BENCH_PACKAGES=(g++ libbullet-dev libbox2d-dev)

# Prints those of its arguments that are not installed.
apex_missing_packages() {
    local package status
    for package in "$@"; do
        status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
        # Multi-arch packages answer once for each architecture.
        case $status in
        installed*) ;;
        *) echo "$package" ;;
        esac
    done
}

# Takes what apt says: into a file what people read, and on a terminal, in one line, how far it is.
apex_apt_progress() {
    local log=$1 line shown='' told=''
    while IFS= read -r line; do
        case $line in
        dlstatus:*) told=fetching ;;
        pmstatus:*) told=installing ;;
        pmerror:* | pmconffile:*) continue ;;
        *)
            echo "$line" >>"$log"
            continue
            ;;
        esac
        if [ ! -t 1 ] || [ "${TERM:-dumb}" = dumb ]; then continue; fi
        # dlstatus:NUMBER:PERCENT:TEXT
        line=${line#*:} && line=${line#*:} && line=${line%%:*}
        if [ "$told ${line%%.*}" != "$shown" ]; then
            shown="$told ${line%%.*}"
            printf '\rpackages: %s, %s %%  ' "$told" "${line%%.*}"
        fi
    done
    if [ -n "$shown" ]; then printf '\r%*s\r' 40 ''; fi
}

# apt as root, without a question and without its own output unless it fails.
apex_apt() {
    local log status as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        as_root=(sudo)
        # Without a terminal nobody can type a password.
        if [ ! -t 0 ]; then as_root=(sudo -n); fi
    fi
    log=$(mktemp)
    # Status on the first descriptor, since sudo closes all but three.
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=120 \
        -o Acquire::Retries=2 -o APT::Status-Fd=1 "$@" 2>&1 </dev/null | apex_apt_progress "$log"
    status=${PIPESTATUS[0]}
    # The first complaint names the cause, later ones follow from it.
    APEX_APT_REASON=$(grep -m 1 -E '^(E:|sudo:)' "$log" || true)
    rm -f "$log"
    return "$status"
}

# apex_install_missing PACKAGE...: 0 when all are installed. Otherwise one line on standard error
# says why not.
apex_install_missing() {
    local missing
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        echo "packages: not a Debian system; if the build misses something, install: $*" >&2
        return 0
    fi
    mapfile -t missing < <(apex_missing_packages "$@")
    if [ "${#missing[@]}" -eq 0 ]; then return 0; fi
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        echo "packages: missing and neither root nor sudo to install them: ${missing[*]}" >&2
        return 1
    fi
    echo "packages: installing ${missing[*]}"
    # The lists of a fresh system are empty or old; only then is the update worth its time.
    if apex_apt install --no-install-recommends "${missing[@]}"; then return 0; fi
    if apex_apt update && apex_apt install --no-install-recommends "${missing[@]}"; then
        return 0
    fi
    echo "packages: cannot install ${missing[*]}: ${APEX_APT_REASON:-apt-get failed}" >&2
    return 1
}

# The page speaks protobuf by the same library as the server, compiled from its source, of which
# Debian's package has the same version as the one installed. Where it lies, version by version:
apex_protobuf_c_place() {
    local version
    version=$(dpkg-query -W -f '${source:Upstream-Version}' libprotobuf-c-dev 2>/dev/null) || return 1
    echo "${XDG_CACHE_HOME:-$HOME/.cache}/apex/protobuf-c-$version"
}

# Lines "deb-src ..." for the Debian archives that this system installs from.
apex_debian_sources() {
    local keys=/usr/share/keyrings/debian-archive-keyring.gpg options=''
    if [ -e "$keys" ]; then options="[signed-by=$keys] "; fi
    apt-get indextargets --format '$(ORIGIN)|$(COMPONENT)|$(REPO_URI)|$(RELEASE)' \
        'Created-By: Packages' |
        awk -F '|' -v options="$options" \
            '$1 == "Debian" && $2 == "main" { print "deb-src " options $3 " " $4 " main" }' |
        sort -u
}

# apex_protobuf_c_source: fetches it if it is not there. Lists and settings of its own: what the
# system's apt knows stays as it is.
apex_protobuf_c_source() {
    local place version work status=0
    if ! place=$(apex_protobuf_c_place); then
        echo "packages: libprotobuf-c-dev is not installed" >&2
        return 1
    fi
    if [ -e "$place/protobuf-c/protobuf-c.c" ]; then return 0; fi
    version=$(dpkg-query -W -f '${source:Version}' libprotobuf-c-dev)
    echo "packages: fetching the source of protobuf-c $version"
    mkdir -p "$(dirname "$place")" && work=$(mktemp -d "$place.XXXXXX") || return 1
    (
        cd "$work" && mkdir -p lists/partial cache/archives/partial tree
        apex_debian_sources >sources.list
        options=(-o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
            -o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work/cache"
            -o Acquire::Languages=none -o Acquire::Retries=2 -o APT::Sandbox::User=root -qq)
        apt-get "${options[@]}" update &&
            apt-get "${options[@]}" source --download-only "protobuf-c=$version" &&
            tar -xf protobuf-c_*.orig.tar.* -C tree --strip-components=1
    ) >"$work/log" 2>&1 || status=1
    if [ "$status" -eq 0 ] && [ -e "$work/tree/protobuf-c/protobuf-c.c" ]; then
        # Another run may have been faster.
        mv -T "$work/tree" "$place" 2>/dev/null || [ -e "$place/protobuf-c/protobuf-c.c" ] || status=1
    else
        status=1
        echo "packages: cannot fetch it: $(grep -m 1 -E '^E:' "$work/log" || echo 'apt-get failed')" >&2
    fi
    rm -rf "$work"
    return "$status"
}

# apex_install_page: all that the live page is built with. 0 when it is there; otherwise one line on
# standard error says what is not, and the server is built without the page.
apex_install_page() {
    local wanted=("${PAGE_PACKAGES[@]}")
    # Debian's npm brings hundreds of packages; any other Node.js will do.
    if ! command -v node >/dev/null; then wanted+=(nodejs); fi
    if ! command -v npm >/dev/null; then wanted+=(npm); fi
    apex_install_missing "${wanted[@]}" && apex_protobuf_c_source
}
