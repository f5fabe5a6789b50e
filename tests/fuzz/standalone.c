// Runs a fuzz target without libFuzzer: every file of a corpus as it is, then seeded mutations of
// them. Every run follows from the seed and its number alone, so one that fails can be repeated:
//
//   fuzz_NAME CORPUS_FOLDER [RUNS [FIRST_RUN]]

#include "fuzz.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RUNS_DEFAULT     20000
#define INPUT_BYTES_MAX  65536
#define CORPUS_FILES_MAX 4096
#define SEED             UINT64_C(0x41706578)

// Only there under a sanitizer, which ends the process without a signal.
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

struct input {
    size_t length;
    uint8_t *bytes;
};

static struct input corpus[CORPUS_FILES_MAX];
static size_t corpus_count;
static char current[512];

static void say_current(void) {
    ssize_t ignored = write(STDERR_FILENO, current, strlen(current));
    (void)ignored;
}

static void on_signal(int number) {
    say_current();
    signal(number, SIG_DFL);
    raise(number);
}

static uint64_t next_random(uint64_t *state) {
    // splitmix64, Sebastiano Vigna, public domain.
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static size_t below(uint64_t *state, size_t limit) {
    return limit > 0 ? (size_t)(next_random(state) % limit) : 0;
}

// On a block of exactly its length, so that the address sanitizer sees the first byte too many.
static void run_one(const uint8_t *bytes, size_t length) {
    uint8_t *block = malloc(length > 0 ? length : 1);
    if (block == NULL) {
        abort();
    }
    if (length > 0) {
        memcpy(block, bytes, length);
    }
    LLVMFuzzerTestOneInput(block, length);
    free(block);
}

static bool read_input(const char *path, struct input *input) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    static uint8_t buffer[INPUT_BYTES_MAX];
    input->length = fread(buffer, 1, sizeof buffer, file);
    fclose(file);
    input->bytes = malloc(input->length + 1);
    if (input->bytes == NULL) {
        abort();
    }
    memcpy(input->bytes, buffer, input->length);
    return true;
}

static int visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

// In order of names, or the numbers of runs would mean something else on another file system.
static void read_corpus(const char *folder) {
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, visible, alphasort);
    for (int i = 0; i < count; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (corpus_count < CORPUS_FILES_MAX && read_input(path, &corpus[corpus_count])) {
            snprintf(current, sizeof current, "\nwhile running %.400s\n", path);
            run_one(corpus[corpus_count].bytes, corpus[corpus_count].length);
            corpus_count++;
        }
        free(entries[i]);
    }
    free(entries);
}

static void insert_bytes(struct input *input, size_t at, const uint8_t *bytes, size_t length) {
    if (length > INPUT_BYTES_MAX - input->length) {
        return;
    }
    memmove(input->bytes + at + length, input->bytes + at, input->length - at);
    memmove(input->bytes + at, bytes, length);
    input->length += length;
}

static void erase_bytes(struct input *input, size_t at, size_t length) {
    memmove(input->bytes + at, input->bytes + at + length, input->length - at - length);
    input->length -= length;
}

// Sizes, counts and numbers at their limits, which random bits seldom hit.
static void put_number(uint64_t *random, struct input *input) {
    static const uint64_t numbers[] = {0,          1,          0x7f,       0x80,
                                       0xff,       0x7fff,     0x8000,     0xffff,
                                       0x7fffffff, 0x80000000, 0xffffffff, 0x7ff0000000000000,
                                       UINT64_MAX, 0x7fc00000, 0x3f800000, 0x7fffffffffffffff};
    uint64_t number = numbers[below(random, sizeof numbers / sizeof numbers[0])];
    size_t width = (size_t)1 << below(random, 4);
    if (width > input->length) {
        return;
    }
    // Little-endian first bytes, as protobuf's fixed fields and our bit packing have them.
    uint8_t bytes[8];
    for (size_t i = 0; i < width; i++) {
        bytes[i] = (uint8_t)(number >> (8 * i));
    }
    memcpy(input->bytes + below(random, input->length - width + 1), bytes, width);
}

static void splice(uint64_t *random, struct input *input) {
    if (corpus_count == 0) {
        return;
    }
    const struct input *other = &corpus[below(random, corpus_count)];
    size_t from = below(random, other->length);
    size_t length = below(random, other->length - from + 1);
    insert_bytes(input, below(random, input->length + 1), other->bytes + from, length);
}

static void mutate(uint64_t *random, struct input *input) {
    size_t at = below(random, input->length);
    uint8_t noise[16];
    switch (below(random, 8)) {
    case 0:
        if (input->length > 0) {
            input->bytes[at] ^= (uint8_t)(1U << below(random, 8));
        }
        break;
    case 1:
        if (input->length > 0) {
            input->bytes[at] = (uint8_t)next_random(random);
        }
        break;
    case 2:
        for (size_t i = 0; i < sizeof noise; i++) {
            noise[i] = (uint8_t)next_random(random);
        }
        insert_bytes(input, at, noise, 1 + below(random, sizeof noise));
        break;
    case 3:
        erase_bytes(input, at, below(random, input->length - at + 1));
        break;
    case 4:
        input->length = at;
        break;
    case 5:
        splice(random, input);
        break;
    default:
        put_number(random, input);
    }
}

static void run_mutation(uint64_t run) {
    static uint8_t buffer[INPUT_BYTES_MAX];
    struct input input = {.bytes = buffer};
    uint64_t random = SEED + run * UINT64_C(0x2545f4914f6cdd1d);
    if (corpus_count > 0 && below(&random, 16) != 0) {
        const struct input *parent = &corpus[below(&random, corpus_count)];
        input.length = parent->length;
        memcpy(buffer, parent->bytes, parent->length);
    } else {
        input.length = below(&random, 256);
        for (size_t i = 0; i < input.length; i++) {
            buffer[i] = (uint8_t)next_random(&random);
        }
    }
    size_t steps = 1 + below(&random, 6);
    for (size_t step = 0; step < steps; step++) {
        mutate(&random, &input);
    }
    run_one(buffer, input.length);
}

static bool number_of(const char *text, uint64_t *number) {
    char *end = NULL;
    *number = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0';
}

int main(int argc, char **argv) {
    uint64_t runs = RUNS_DEFAULT;
    uint64_t first = 0;
    if (argc < 2 || argc > 4 || (argc > 2 && !number_of(argv[2], &runs)) ||
        (argc > 3 && !number_of(argv[3], &first))) {
        fprintf(stderr, "usage: %s CORPUS_FOLDER [RUNS [FIRST_RUN]]\n", argv[0]);
        return EXIT_FAILURE;
    }
    if (__sanitizer_set_death_callback != NULL) {
        __sanitizer_set_death_callback(say_current);
    } else {
        static const int fatal[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
        for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++) {
            signal(fatal[i], on_signal);
        }
    }
    read_corpus(argv[1]);
    for (uint64_t run = first; run < first + runs; run++) {
        snprintf(current, sizeof current, "\nwhile running mutation %llu: %.200s %.200s 1 %llu\n",
                 (unsigned long long)run, argv[0], argv[1], (unsigned long long)run);
        run_mutation(run);
    }
    printf("%zu corpus files, %llu mutations\n", corpus_count, (unsigned long long)runs);
    for (size_t i = 0; i < corpus_count; i++) {
        free(corpus[i].bytes);
    }
    return EXIT_SUCCESS;
}
