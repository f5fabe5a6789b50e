#!/usr/bin/env bash
# The script `matrix` with a scene of two small files, one of them compiled for each instruction
# set: everything that was asked for runs, and whatever makes one build differ is found.
set -uo pipefail

matrix=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/matrix
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
# A blank in the path, as a checkout may have one.
scenes="$folder/the scenes"
work=$folder/work
mkdir -p "$scenes"
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}

# Each run adds a line to MATRIX_LOG: whose code it was and what it was asked for. Where that contains
# MATRIX_FAULT, its last line differs; MATRIX_END says how it ends.
cat >"$scenes/scene.c" <<'END_OF_SCENE'
// takes: workers seconds
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *name_base(void);
const char *name_avx2(void);
#ifdef __aarch64__
#define MACHINE "aarch64"
#elif defined __clang__
#define MACHINE "clang"
#else
#define MACHINE "gcc"
#endif
#ifdef __OPTIMIZE__
#define OPTIMISED "yes"
#else
#define OPTIMISED "no"
#endif

static const char *name(const char *lanes) {
#ifdef __x86_64__
    if (lanes != NULL && strcmp(lanes, "avx2") == 0) return name_avx2();
#endif
    if (lanes != NULL && strcmp(lanes, "base") == 0) return name_base();
    exit(2);
}

static const char *variable(const char *key) {
    return getenv(key) != NULL ? getenv(key) : "nothing";
}

int main(int argc, char **argv) {
    int seconds = LINES, workers = 0;
    char run[99];
    if (argc > 2 && strcmp(argv[1], "--seconds") == 0) {
        seconds = atoi(argv[2]);
        argv += 2, argc -= 2;
    }
    if (argc > 1) workers = atoi(argv[1]);
    sprintf(run, "%s optimised=%s lanes=%s workers=%d lines=%d", MACHINE, OPTIMISED,
            name(getenv("APEX_LANES")), workers, seconds);
    if (getenv("MATRIX_LOG") != NULL) {
        FILE *log = fopen(getenv("MATRIX_LOG"), "a");
        fprintf(log, "%s\n", run);
        fclose(log);
    }
    if (strcmp(variable("MATRIX_END"), "fails") == 0) return 3;
    if (strcmp(variable("MATRIX_END"), "silent") == 0) return 0;
    int fault = strstr(run, variable("MATRIX_FAULT")) != NULL;
    for (int i = 1; i <= seconds; i++) printf("line_%d %d\n", i, i == seconds ? i + fault : i);
    return 0;
}
END_OF_SCENE
cat >"$scenes/lanes.c" <<'END_OF_LANES'
#define JOIN_NOW(a, b) a##b
#define JOIN(a, b) JOIN_NOW(a, b)
const char *JOIN(name, APEX_LANES_SUFFIX)(void) {
#ifdef __AVX2__
    return "avx2";
#else
    return "base";
#endif
}
END_OF_LANES
sources=$folder/scene.sources
printf '%s\n' "$scenes/scene.c -DLINES=9" "$scenes/lanes.c -DAPEX_LANES_SUFFIX=_base" \
    "$scenes/lanes.c -DAPEX_LANES_SUFFIX=_avx2 -mavx2" >"$sources"
right=$folder/right
for i in 1 2 3 4 5 6 7 8 9; do echo "line_$i $i"; done >"$right"

# run WHAT STATUS PATTERN ARGUMENTS...: status and all that was printed.
run() {
    local what=$1 status=$2 pattern=$3 got=0 text
    shift 3
    text=$("$matrix" "$@" 2>&1 </dev/null) || got=$?
    # shellcheck disable=SC2053  # a pattern
    if [ "$got" -ne "$status" ] || [[ $text != $pattern ]]; then
        fail "$what: status $got, printed: $text"
    fi
}

has_avx2=no
has_aarch64=no
machine=$(uname -m)
if [ "$machine" = x86_64 ]; then
    machine=""
    if grep -qw avx2 /proc/cpuinfo; then has_avx2=yes; fi
    if command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64-static >/dev/null &&
        [ -e /usr/aarch64-linux-gnu/include/stdio.h ]; then has_aarch64=yes; fi
fi

# expected_runs [NUMBERS]: the runs that there must have been, as MATRIX_LOG tells them: every build
# with every set of lanes, with each of the numbers of workers, or with the one whose turn it is.
expected_runs() {
    local compiler optimised lanes workers all_lanes=base turn=0 numbers=(1 2 4 8)
    if [ "$has_avx2" = yes ]; then all_lanes="base avx2"; fi
    for compiler in gcc clang; do
        command -v "$compiler" >/dev/null || continue
        for optimised in no yes yes; do
            for lanes in $all_lanes; do
                for workers in ${1:-${numbers[turn % 4]}}; do
                    echo "${machine:-$compiler} optimised=$optimised lanes=$lanes" \
                        "workers=$workers lines=9"
                done
                turn=$((turn + 1))
            done
            if [ "$has_avx2" = no ]; then turn=$((turn + 1)); fi
        done
    done
    [ "$has_aarch64" = yes ] || return 0
    for workers in ${1:-${numbers[turn % 4]}}; do
        echo "aarch64 optimised=yes lanes=base workers=$workers lines=6"
    done
}

MATRIX_LOG=$folder/log run "nothing differs" 0 "*gcc-O0: as expected*" \
    --full "$work" "$sources" "$right"
diff <(expected_runs "1 2 4 8" | sort) <(sort "$folder/log") ||
    fail "not all runs were made, or too many"
MATRIX_LOG=$folder/turns run "nothing differs in turn" 0 "*gcc-O0: as expected*" \
    "$work" "$sources" "$right"
diff <(expected_runs | sort) <(sort "$folder/turns") || fail "not everything had its turn"

run "write what all say" 0 "*" --update "$work" "$sources" "$folder/written"
cmp -s "$folder/written" "$right" || fail "--update wrote something else"

built=$work/gcc-O2/scene
run "a program that is built" 0 "scene: as expected*" --program "$built" "$sources" "$right"
run "a build that is there" 0 "*gcc-O2: as expected*" \
    --built gcc-O2 "$built" "$folder/there" "$sources" "$right"
[ ! -e "$folder/there/gcc-O2" ] && [ -e "$folder/there/gcc-O3/scene" ] ||
    fail "what is there was compiled again, or the rest was not"
MATRIX_FAULT="gcc optimised=yes" run "a build that is there and differs" 1 \
    "*gcc-O0: as expected*gcc-O2, lanes base, workers 4: DIFFERS*" \
    --built gcc-O2 "$built" "$folder/there" "$sources" "$right"
run "a build that nobody asks for" 1 "*gcc-O7: there is no such build" \
    --built gcc-O7 "$built" "$folder/there" "$sources" "$right"
{ cat "$sources"; echo "$scenes/lanes.c -DAPEX_LANES_SUFFIX=_mmx9"; } >"$folder/more.sources"
run "a set of lanes that this processor lacks" 0 "mmx9: not run, *scene: as expected*" \
    --program "$built" "$folder/more.sources" "$right"
head -n 8 "$right" >"$folder/short"
run "less is expected" 1 "*scene, lanes base, workers 4: DIFFERS*" \
    --program "$built" "$sources" "$folder/short"
run "nothing is expected yet" 1 "*is missing: write it with --update" \
    "$work" "$sources" "$folder/nowhere"
MATRIX_END=fails run "a program that fails" 1 "*gcc-O0, lanes base, workers 1: failed*" \
    "$work" "$sources" "$right"
MATRIX_END=silent run "a program that says nothing" 1 "*gcc-O0, lanes base, workers 1: printed nothing*" \
    "$work" "$sources" "$right"

MATRIX_FAULT=workers=8 run "more workers" 1 "*gcc-O3, lanes base, workers 8: DIFFERS*" \
    --full "$work" "$sources" "$right"

# differs FAULT PATTERN: found, and kept out of EXPECTED.
differs() {
    echo untouched >"$folder/kept"
    MATRIX_FAULT=$1 run "$1" 1 "$2*builds disagree*" --update "$work" "$sources" "$folder/kept"
    [ "$(cat "$folder/kept")" = untouched ] || fail "$1: written all the same"
}

differs "optimised=yes" "*gcc-O0: as expected*gcc-O2, lanes base, workers 1: DIFFERS*"
if [ "$has_avx2" = yes ]; then differs "lanes=avx2" "*gcc-O0, lanes avx2, workers 1: DIFFERS*"; fi
if [ "$has_aarch64" = yes ]; then differs "aarch64" "*gcc-O3: as expected*aarch64-O2, *: DIFFERS*"; fi
if [ -z "$machine" ] && command -v clang >/dev/null; then
    differs "clang" "*gcc-O3: as expected*clang-O0, lanes base, workers 1: DIFFERS*"
fi

# Without an emulator the rest goes on. All is compiled already.
if [ -z "$machine" ]; then
    mkdir "$folder/bin"
    ln -s /usr/bin/* "$folder/bin/"
    rm -f "$folder"/bin/qemu-aarch64*
    PATH=$folder/bin run "no emulator" 0 "*aarch64: not run, there is no *gcc-O0: as expected*" \
        "$work" "$sources" "$right"
fi
exit "$failed"
