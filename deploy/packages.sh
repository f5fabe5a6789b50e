# The Debian packages that Apex needs, and a function that installs the missing ones.
# Sourced by deploy/demo and tests/run.
# shellcheck shell=bash disable=SC2034

# To build the server and the client.
BUILD_PACKAGES=(
    gcc libc6-dev cmake ninja-build pkg-config protobuf-c-compiler
    libprotobuf-c-dev libuv1-dev libenet-dev libsodium-dev libyaml-dev libjansson-dev libzstd-dev
    libxxhash-dev
)

# To run the tests, in addition. clang comes without its sanitizers' and libFuzzer's run-time
# library when recommended packages are left out, hence libclang-rt-dev.
TEST_PACKAGES=(
    check libsubunit-dev clang clang-format clang-tidy libclang-rt-dev python3 diffutils
    python3-enet python3-protobuf protobuf-compiler
)
# The golden scenes also run as an aarch64 machine would run them. The cross-compiler only recommends
# its C library.
if [ "$(uname -m)" != aarch64 ]; then
    TEST_PACKAGES+=(gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static)
fi

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

# apt as root, without a question and without output unless it fails.
apex_apt() {
    local log status=0 as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        as_root=(sudo)
        # Without a terminal nobody can type a password.
        if [ ! -t 0 ]; then as_root=(sudo -n); fi
    fi
    log=$(mktemp)
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=120 \
        -o Acquire::Retries=2 "$@" >"$log" 2>&1 </dev/null || status=$?
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
