// links: replicate content
// Finds the codes of delta snapshots: watches races, counts what each symbol is worth, and prints
// proto/delta/delta_code_lengths.c. Changes the protocol: a new number is needed for other codes.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "proto/delta/delta_car.h"
#include "replicate/replicate.h"
#include "support/race/lively_race.h"

enum { WATCH_TICKS = 60 * 150, EACH_TICKS = 3, LINE_LETTERS = 80 };

typedef struct tally {
    uint64_t count[DELTA_CODE_SETS][DELTA_GROUPS][DELTA_SYMBOLS_MAX];
} tally;

static void count_car(tally *all, const apex_delta_car *now, const apex_delta_car *before,
                      apex_delta_class class, apex_delta_span span) {
    delta_difference difference;
    apex_delta_car far_now = apex_delta_far_car(now), far_before = apex_delta_far_car(before);
    bool is_far = class == APEX_DELTA_FAR;
    delta_differ(is_far ? &far_now : now, is_far ? &far_before : before, class, span, &difference);
    for (uint32_t group = 0; group < DELTA_GROUPS; group++) {
        all->count[delta_code_set(class, span)][group][delta_symbol(&difference, group)]++;
    }
}

static void count_tick(tally *all, const apex_replica *replica, uint32_t tick, uint32_t players) {
    static const uint32_t AGES[] = {3, 6, 9, 15};
    for (uint32_t slot = 1; slot <= players; slot++) {
        const apex_delta_car *now = apex_replica_car(replica, tick, slot);
        for (uint32_t i = 0; i < sizeof AGES / sizeof *AGES; i++) {
            apex_delta_span span = {.age_ticks = AGES[i], .tick_hz = 60};
            const apex_delta_car *before = apex_replica_car(replica, tick - AGES[i], slot);
            if (now != NULL && before != NULL && now->id == before->id) {
                count_car(all, now, before, APEX_DELTA_NEAR, span);
                count_car(all, now, before, APEX_DELTA_FAR, span);
            }
        }
    }
}

static void watch(tally *all, const lively_race_def *def) {
    lively_race *lively = lively_race_create(def);
    apex_replica *replica = apex_replica_create(def->players, 60);
    APEX_ASSERT(replica != NULL);
    for (uint32_t tick = 0; tick < WATCH_TICKS; tick++) {
        lively_race_tick(lively);
        apex_replica_capture(replica, lively_race_of(lively));
        if (tick % EACH_TICKS == 0) {
            uint32_t now = (uint32_t)apex_race_status_of(lively_race_of(lively)).tick;
            count_tick(all, replica, now, def->players);
        }
    }
    fprintf(stderr, "%s: %llu contacts\n", def->track,
            (unsigned long long)lively_race_contacts(lively));
    apex_replica_destroy(replica);
    lively_race_destroy(lively);
}

typedef struct tree_node {
    uint64_t weight;
    int32_t parent; ///< -1: none yet
} tree_node;

static int32_t lightest(const tree_node nodes[], uint32_t count, int32_t but) {
    int32_t best = -1;
    for (uint32_t i = 0; i < count; i++) {
        bool is_free = nodes[i].parent < 0 && (int32_t)i != but;
        if (is_free && (best < 0 || nodes[i].weight < nodes[best].weight)) {
            best = (int32_t)i;
        }
    }
    return best;
}

// Huffman's codes. @return the longest.
static uint32_t find_lengths(const uint64_t weights[], uint32_t symbols, uint8_t lengths[]) {
    tree_node nodes[2 * DELTA_SYMBOLS_MAX];
    uint32_t count = symbols, longest = 0;
    for (uint32_t i = 0; i < symbols; i++) {
        nodes[i] = (tree_node){.weight = weights[i], .parent = -1};
    }
    for (; count < 2 * symbols - 1; count++) {
        int32_t first = lightest(nodes, count, -1), second = lightest(nodes, count, first);
        nodes[count] =
            (tree_node){.weight = nodes[first].weight + nodes[second].weight, .parent = -1};
        nodes[first].parent = nodes[second].parent = (int32_t)count;
    }
    for (uint32_t i = 0; i < symbols; i++) {
        lengths[i] = 0;
        for (int32_t at = (int32_t)i; nodes[at].parent >= 0; at = nodes[at].parent) {
            lengths[i]++;
        }
        longest = lengths[i] > longest ? lengths[i] : longest;
    }
    return longest;
}

// Symbols that were seen never or hardly ever are given more weight until all codes are short
// enough.
static double code_group(const uint64_t counts[], uint32_t symbols, uint8_t lengths[]) {
    uint64_t weights[DELTA_SYMBOLS_MAX], sum = 0, spent = 0;
    for (uint64_t least = 1;; least *= 2) {
        for (uint32_t i = 0; i < symbols; i++) {
            weights[i] = counts[i] > least ? counts[i] : least;
        }
        if (find_lengths(weights, symbols, lengths) <= DELTA_CODE_BITS_MAX) {
            break;
        }
    }
    for (uint32_t i = 0; i < symbols; i++) {
        sum += counts[i];
        spent += counts[i] * lengths[i];
    }
    return (double)spent / (double)sum;
}

static void print_lengths(const uint8_t lengths[], uint32_t symbols) {
    for (uint32_t i = 0; i < symbols; i++) {
        printf("%s%c%s", i % LINE_LETTERS == 0 ? "         \"" : "", 'a' + lengths[i] - 1,
               i + 1 == symbols ? "\",\n" : ((i + 1) % LINE_LETTERS == 0 ? "\"\n" : ""));
    }
}

static void print_codes(const tally *all) {
    printf("// Lengths of the codes of delta snapshots, a letter each: 'a' is one bit. Printed by\n"
           "// tests/bench/train_delta_codes.c, which has watched races.\n"
           "\n#include \"proto/delta/delta_codes.h\"\n\n"
           "const char *const delta_code_lengths[DELTA_CODE_SETS][DELTA_GROUPS] = {\n");
    for (uint32_t set = 0; set < DELTA_CODE_SETS; set++) {
        double bits = 0.0;
        printf("    {\n");
        for (uint32_t group = 0; group < DELTA_GROUPS; group++) {
            uint8_t lengths[DELTA_SYMBOLS_MAX];
            double mean = code_group(all->count[set][group], delta_symbol_count(group), lengths);
            print_lengths(lengths, delta_symbol_count(group));
            fprintf(stderr, "set %u group %u: %.2f bits\n", set, group, mean);
            bits += mean;
        }
        printf("    },\n");
        fprintf(stderr, "set %u: %.2f bits a car\n", set, bits);
    }
    printf("};\n");
}

int main(void) {
    static tally all;
    static const lively_race_def RACES[] = {
        {"ridgeway", {"boxster-s", "corvette-c5"}, 24, 6, 1},
        {"highfell", {"boxster-s", "mp4-12c"}, 24, 4, 2},
        {"speedway", {"formula", "corvette-c5"}, 24, 3, 3},
        {"oval", {"micra", "minibus"}, 24, 6, 4},
        {"ridgeway", {"cbr1000rr", "truck-6x4"}, 16, 2, 5},
    };
    for (size_t i = 0; i < sizeof RACES / sizeof *RACES; i++) {
        watch(&all, &RACES[i]);
    }
    print_codes(&all);
    return EXIT_SUCCESS;
}
