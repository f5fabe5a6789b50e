// links: proto
// Tests of PROTOCOL.md's words on delta snapshots against the code: its tables, its codes, and
// the packets of delta_vectors.txt. APEX_WRITE_VECTORS=1 prints that file's text.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/delta/delta_codes.h"
#include "support/base/check_main.h"
#include "support/proto/listed_car.h"

enum { PAGE_BYTES = 1 << 20, CARS = 3, PACKETS = 4, TICK_HZ = 60, FIRST_TICK = 65598 };

static char page[PAGE_BYTES];

static const char *read_file(const char *name) {
    const char *root = getenv("APEX_SOURCE_DIR");
    ck_assert_msg(root != NULL, "APEX_SOURCE_DIR is not set");
    char path[1024];
    snprintf(path, sizeof path, "%s/proto/%s", root, name);
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s cannot be read", path);
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    return page;
}

TEST(every_field_is_in_the_table) {
    const char *text = read_file("PROTOCOL.md");
    for (uint32_t f = 0; f < APEX_DELTA_FIELDS; f++) {
        const apex_delta_field_spec *spec = &apex_delta_fields[f];
        char row[128], far_shift[8];
        snprintf(far_shift, sizeof far_shift, "%u ", spec->far_shift);
        snprintf(row, sizeof row, "\n| %s | %u | %s| %s| %s|", spec->name, spec->bits,
                 spec->is_signed ? "signed " : (spec->is_circle ? "circle " : ""),
                 spec->is_near_only ? "" : far_shift, spec->is_unlisted ? "no " : "");
        const char *found = strstr(text, row);
        ck_assert_msg(found != NULL, "there is no row %s", row);
        text = found; // in their order
    }
}

// Lines "SET GROUP  LETTERS"; a line that begins with blanks goes on with the one before.
TEST(every_code_is_in_the_block) {
    const char *at = strstr(read_file("PROTOCOL.md"), "```codes\n");
    ck_assert_msg(at != NULL, "there is no block of codes");
    at = strchr(at, '\n') + 1;
    for (uint32_t set = 0; set < DELTA_CODE_SETS; set++) {
        for (uint32_t group = 0; group < DELTA_GROUPS; group++) {
            char letters[DELTA_SYMBOLS_MAX + 1] = "", wanted[8];
            snprintf(wanted, sizeof wanted, "%u %u  ", set, group);
            ck_assert_msg(strncmp(at, wanted, strlen(wanted)) == 0, "no codes %s", wanted);
            do {
                at += 5;
                strncat(letters, at, strcspn(at, "\n"));
                at = strchr(at, '\n') + 1;
            } while (*at == ' ');
            ck_assert_str_eq(letters, delta_code_lengths[set][group]);
            ck_assert_uint_eq(strlen(letters), delta_symbol_count(group));
        }
    }
}

/// A packet and how its cars are told: age 0 is by itself.
typedef struct vector {
    uint32_t ages[CARS];
    bool is_far[CARS], is_told[CARS];
    bool is_plain, has_race, has_controls, has_list;
} vector;

static const vector VECTORS[PACKETS] = {
    {{0, 0, 0}, {false, false, true}, {true, true, true}, false, true, true, false},
    {{3, 3, 3}, {false, false, true}, {true, true, true}, true, false, true, false},
    {{3, 0, 6}, {false, true, true}, {true, true, true}, false, false, false, true},
    {{9, 3, 0}, {false, true, false}, {true, true, false}, false, true, false, false},
};

static const uint32_t IDS[CARS] = {1u << 16 | 1, 1u << 16 | 2, 7u << 16 | 40};

// One in a bend, one that brakes and reverses, one that goes straight on and is hit.
static apex_delta_car car_at(uint32_t car, uint32_t tick) {
    int32_t t = (int32_t)(tick - FIRST_TICK);
    apex_delta_car out = {.id = IDS[car]};
    static const int32_t AT_FIRST[CARS][APEX_DELTA_FIELDS] = {
        {3, 0, 0, 2, 600, 4, -3, 26, 8150, -12345, 67890, 512, 2040, 12, 44, 5, 4, 0},
        {2, 0, 0, -16, 70, 0, 0, 0, 2048, 100, -200, 50, 30, 0, 20, -1, 0, 15},
        {5, 0, 3, 0, 1000, -7, 2, -3, 4100, 400000, -1, 900, 0, 2047, 52, 0, 15, 0},
    };
    static const int32_t EACH_TICK[CARS][APEX_DELTA_FIELDS] = {
        {0, 0, 0, 0, 0, 1, 0, 1, 3, 47, -6, 0, 0, 1, 0, 0, 1, 0},
        {0, 0, 0, 0, -13, 0, 0, 0, 0, 0, 5, 0, -2, 0, -1, 0, 0, -2},
        {0, 0, 0, 0, 1, 0, 1, 0, 0, -83, 1, 0, 0, 0, 0, 0, 0, 0},
    };
    for (uint32_t f = 0; f < APEX_DELTA_FIELDS; f++) {
        out.q[f] = AT_FIRST[car][f] + t * EACH_TICK[car][f];
        if (apex_delta_fields[f].is_circle) {
            out.q[f] &= (1 << apex_delta_fields[f].bits) - 1;
        }
    }
    if (car == 0 && t >= 6) {
        out.q[APEX_DELTA_GEAR] = 4;
        out.q[APEX_DELTA_RPM] = 33;
    }
    if (car == 1 && t >= 6) {
        out.q[APEX_DELTA_BRAKE] = 3;
        out.q[APEX_DELTA_GEAR] = -1;
    }
    return out;
}

static apex_delta_car told(uint32_t car, uint32_t tick, bool is_far) {
    apex_delta_car near_car = car_at(car, tick);
    return is_far ? apex_delta_far_car(&near_car) : near_car;
}

// All three, the last one first: what follows is not as before it, and then is.
static apex_delta_car told_in_list(uint32_t i, uint32_t tick) {
    apex_delta_car far_car = told((i + 2) % CARS, tick, true);
    return listed_car(&far_car);
}

static apex_delta_head head_of(uint32_t packet) {
    const vector *v = &VECTORS[packet];
    uint16_t slots[CARS];
    uint32_t count = 0;
    for (uint32_t car = 0; car < CARS; car++) {
        if (v->is_told[car]) {
            slots[count++] = (uint16_t)apex_delta_slot(IDS[car]);
        }
    }
    return (apex_delta_head){.tick = FIRST_TICK + 3 * packet,
                             .sequence = (uint16_t)(254 + packet),
                             .age_ticks = 3,
                             .is_plain = v->is_plain,
                             .has_race = v->has_race,
                             .phase = 3,
                             .race_time_ms = v->has_race ? -1500 : 0,
                             .has_controls = v->has_controls,
                             .controls_age_ticks = v->has_controls ? 4 : 0,
                             .controls_depth = v->has_controls ? -2 : 0,
                             .car_count = count,
                             .spread = apex_delta_spread(slots, count),
                             .listed_count = v->has_list ? CARS : 0};
}

static size_t write_vector(uint32_t packet, uint8_t bytes[1200]) {
    const vector *v = &VECTORS[packet];
    apex_delta_head head = head_of(packet);
    apex_delta_writer writer;
    apex_delta_code code;
    apex_delta_begin(&writer, &head, bytes, 1200);
    for (uint32_t car = 0; car < CARS; car++) {
        apex_delta_class class = v->is_far[car] ? APEX_DELTA_FAR : APEX_DELTA_NEAR;
        apex_delta_span span = {v->ages[car], TICK_HZ};
        apex_delta_car now = told(car, head.tick, v->is_far[car]);
        apex_delta_car before = told(car, head.tick - span.age_ticks, v->is_far[car]);
        if (!v->is_told[car]) {
            continue;
        }
        if (span.age_ticks == 0) {
            apex_delta_code_full(&now, class, &code);
        } else {
            apex_delta_code_change(&now, &before, class, span, &code);
            ck_assert(!code.is_full);
        }
        apex_delta_add(&writer, apex_delta_slot(IDS[car]), span.age_ticks, class, &code);
    }
    if (v->has_list) {
        for (uint32_t i = 0; i < CARS; i++) {
            apex_delta_car car = told_in_list(i, head.tick);
            apex_delta_add_listed(&writer, &car);
        }
    }
    return apex_delta_end(&writer);
}

static char text[1 << 16];
static size_t text_length;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text + text_length, sizeof text - text_length, format, arguments);
    va_end(arguments);
    ck_assert(length >= 0);
    text_length += (size_t)length;
    ck_assert_uint_lt(text_length, sizeof text);
}

static void say_car(const apex_delta_car *car, apex_delta_class class) {
    static const char *const WHAT[APEX_DELTA_CLASSES] = {"near", "far", "listed"};
    say("%s %u", WHAT[class], car->id);
    for (uint32_t f = 0; f < APEX_DELTA_FIELDS; f++) {
        if (delta_has(class, f)) {
            say(" %d", car->q[f]);
        }
    }
    say("\n");
}

static void say_vector(uint32_t packet) {
    const vector *v = &VECTORS[packet];
    apex_delta_head head = head_of(packet);
    uint8_t bytes[1200];
    size_t length = write_vector(packet, bytes);
    say("\npacket ");
    for (size_t i = 0; i < length; i++) {
        say("%02x", bytes[i]);
    }
    say("\nhead tick %u sequence %u", head.tick, head.sequence);
    if (v->has_race) {
        say(" phase %u race_time_ms %d", head.phase, head.race_time_ms);
    }
    if (v->has_controls) {
        say(" controls_age %u controls_depth %d", head.controls_age_ticks, head.controls_depth);
    }
    say("\n");
    for (uint32_t car = 0; car < CARS; car++) {
        if (v->is_told[car]) {
            apex_delta_car now = told(car, head.tick, v->is_far[car]);
            say_car(&now, v->is_far[car] ? APEX_DELTA_FAR : APEX_DELTA_NEAR);
        }
    }
    if (v->has_list) {
        for (uint32_t i = 0; i < CARS; i++) {
            apex_delta_car listed = told_in_list(i, head.tick);
            say_car(&listed, APEX_DELTA_LISTED);
        }
    }
}

TEST(the_vectors_are_as_shown) {
    text_length = 0;
    say("# Snapshot.delta, in the order of their coming, and what each means: see PROTOCOL.md.\n"
        "# tick_hz is 60; before the first, tick 65500 and sequence 200 are known.\n"
        "# Fields are in the order of the table, those of far and listed cars in coarser units.\n");
    for (uint32_t packet = 0; packet < PACKETS; packet++) {
        say_vector(packet);
    }
    if (getenv("APEX_WRITE_VECTORS") != NULL) {
        fputs(text, stdout);
        return;
    }
    ck_assert_str_eq(read_file("delta_vectors.txt"), text);
}
