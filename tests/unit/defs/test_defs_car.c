// A car definition comes back bit for bit, every field of it, and nothing else does.

#include "support/base/check_main.h"

#include "defs/defs.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static apex_car_def odd;

// Slots of eight bytes that hold no double: an enum, a count or a flag starts each of them.
static bool is_integer_slot(size_t offset) {
    static const size_t at_top[] = {
        offsetof(apex_car_def, model),
        offsetof(apex_car_def, axle_count),
        offsetof(apex_car_def, engine.torque_count),
        offsetof(apex_car_def, gearbox.gear_count),
        offsetof(apex_car_def, gearbox.automatic),
        offsetof(apex_car_def, centre_differential.kind),
        offsetof(apex_car_def, aids.automatic_clutch),
        offsetof(apex_car_def, kinematic.form),
    };
    static const size_t in_axle[] = {
        offsetof(apex_axle_def, differential.kind),
        offsetof(apex_axle_def, suspension.kind),
        offsetof(apex_axle_def, suspension.camber_curve.count),
        offsetof(apex_axle_def, suspension.toe_curve.count),
        offsetof(apex_axle_def, tyre.model),
    };
    for (size_t i = 0; i < sizeof at_top / sizeof at_top[0]; i++) {
        if (offset == at_top[i]) {
            return true;
        }
    }
    size_t axles = offsetof(apex_car_def, axles);
    bool inside = offset >= axles && offset < axles + sizeof odd.axles;
    for (size_t i = 0; inside && i < sizeof in_axle / sizeof in_axle[0]; i++) {
        if ((offset - axles) % sizeof(apex_axle_def) == in_axle[i]) {
            return true;
        }
    }
    return false;
}

enum { FIRST_NUMBER = APEX_NAME_BYTES + APEX_TITLE_BYTES };

static void fill_curve(apex_travel_curve *curve) {
    curve->count = APEX_CURVE_POINTS_MAX;
    for (int i = 0; i < APEX_CURVE_POINTS_MAX; i++) {
        curve->travel_m[i] = 0.02 * i - 0.07;
        curve->value_rad[i] = 0.011 * i - 0.04;
    }
}

// Every array full, every choice but the first, no two numbers alike; what was 0 is -0.0.
static void fill_odd(void) {
    odd = apex_default_car_def();
    memset(odd.name, 'n', APEX_NAME_BYTES - 1);
    memset(odd.title, 'T', APEX_TITLE_BYTES - 1);
    static const double x_m[APEX_AXLES_MAX] = {1.7, 0.9, -0.9, -1.7};
    odd.axle_count = APEX_AXLES_MAX;
    for (int a = 0; a < APEX_AXLES_MAX; a++) {
        odd.axles[a] = odd.axles[0];
        odd.axles[a].x_m = x_m[a];
        odd.axles[a].drive_share = 0.25;
        odd.axles[a].differential.kind = APEX_DIFFERENTIAL_VISCOUS;
        odd.axles[a].suspension.kind = APEX_SUSPENSION_SOLID_AXLE;
        odd.axles[a].tyre.model = a % 2 ? APEX_TYRE_BRUSH : APEX_TYRE_LINEAR;
        fill_curve(&odd.axles[a].suspension.camber_curve);
        fill_curve(&odd.axles[a].suspension.toe_curve);
    }
    odd.engine.torque_count = APEX_TORQUE_POINTS_MAX;
    for (int i = 0; i < APEX_TORQUE_POINTS_MAX; i++) {
        odd.engine.torque_rpm[i] = 700.0 + 200.0 * i;
        odd.engine.torque_nm[i] = 310.0 - i;
    }
    odd.gearbox.gear_count = APEX_GEARS_MAX;
    for (int i = 0; i < APEX_GEARS_MAX; i++) {
        odd.gearbox.ratio[i] = 5.0 - 0.4 * i;
    }
    odd.centre_differential.kind = APEX_DIFFERENTIAL_LOCKED;
    odd.kinematic.form = APEX_KINEMATIC_BASELINE;
    unsigned char *bytes = (unsigned char *)&odd;
    for (size_t offset = FIRST_NUMBER; offset < sizeof odd; offset += sizeof(double)) {
        double value;
        memcpy(&value, bytes + offset, sizeof value);
        // a part in 10^11 at most, so that shares still sum to 1 and limits hold
        value = value == 0.0 ? -0.0 : value * (1.0 - (double)offset * DBL_EPSILON * 8.0);
        if (!is_integer_slot(offset)) {
            memcpy(bytes + offset, &value, sizeof value);
        }
    }
}

static uint8_t *encode(const apex_car_def *def, size_t *length) {
    uint8_t *bytes = apex_car_def_encode(def, length);
    ck_assert_ptr_nonnull(bytes);
    return bytes;
}

FIXTURE(fill_odd, NULL)

TEST(every_field_comes_back) {
    ck_assert_uint_eq(sizeof odd % sizeof(double), 0);
    apex_def_problem problem = {0};
    ck_assert_msg(apex_car_def_check(&odd, &problem), "%s %s", problem.field, problem.reason);
    size_t length;
    uint8_t *bytes = encode(&odd, &length);
    apex_car_def got;
    ck_assert_msg(apex_car_def_decode(bytes, length, &got, &problem), "%s %s", problem.field,
                  problem.reason);
    ck_assert_str_eq(got.name, odd.name);
    ck_assert_str_eq(got.title, odd.title);
    const unsigned char *sent = (const unsigned char *)&odd, *back = (const unsigned char *)&got;
    for (size_t offset = FIRST_NUMBER; offset < sizeof odd; offset += sizeof(double)) {
        bool flag = offset == offsetof(apex_car_def, gearbox.automatic) ||
                    offset == offsetof(apex_car_def, aids.automatic_clutch);
        size_t size = flag ? sizeof(bool) : is_integer_slot(offset) ? 4 : sizeof(double);
        ck_assert_msg(memcmp(sent + offset, back + offset, size) == 0, "the slot at %zu", offset);
    }
    free(bytes);
}

TEST(the_same_definition_gives_the_same_bytes) {
    size_t length, again_length;
    uint8_t *bytes = encode(&odd, &length);
    apex_car_def got;
    ck_assert(apex_car_def_decode(bytes, length, &got, NULL));
    uint8_t *again = encode(&got, &again_length);
    ck_assert_uint_eq(length, again_length);
    ck_assert_mem_eq(bytes, again, length);
    ck_assert_uint_eq(apex_def_hash(bytes, length), apex_def_hash(again, again_length));
    again[again_length / 2] ^= 1;
    ck_assert_uint_ne(apex_def_hash(bytes, length), apex_def_hash(again, again_length));
    free(bytes);
    free(again);
}

// Padding and arrays past their counts are zero: definitions are compared as bytes.
TEST(two_decodes_are_equal_as_bytes) {
    apex_car_def def = apex_default_car_def();
    size_t length;
    uint8_t *bytes = encode(&def, &length);
    apex_car_def one, two;
    memset(&one, 0xAA, sizeof one);
    memset(&two, 0x55, sizeof two);
    ck_assert(apex_car_def_decode(bytes, length, &one, NULL));
    ck_assert(apex_car_def_decode(bytes, length, &two, NULL));
    ck_assert(memcmp(&one, &two, sizeof one) == 0);
    static const apex_axle_def nothing;
    ck_assert(memcmp(&one.axles[2], &nothing, sizeof nothing) == 0);
    free(bytes);
}

TEST(cut_off_anywhere_is_refused) {
    size_t length;
    uint8_t *bytes = encode(&odd, &length);
    for (size_t cut = 0; cut < length; cut++) {
        uint8_t *copy = malloc(cut + 1); // so that asan sees a byte too many
        ck_assert_ptr_nonnull(copy);
        memcpy(copy + 1, bytes, cut);
        apex_car_def got;
        apex_def_problem problem = {"", ""};
        ck_assert(!apex_car_def_decode(copy + 1, cut, &got, &problem));
        ck_assert_uint_gt(strlen(problem.reason), 0);
        ck_assert(!apex_car_def_decode(copy + 1, cut, &got, NULL));
        free(copy);
    }
    free(bytes);
}

static void replace(uint8_t *bytes, size_t length, double from, double to) {
    for (size_t i = 0; i + sizeof from <= length; i++) {
        if (memcmp(bytes + i, &from, sizeof from) == 0) {
            memcpy(bytes + i, &to, sizeof to);
            return;
        }
    }
    ck_abort_msg("the value is not in the bytes");
}

TEST(a_refusal_names_the_field) {
    const struct {
        double from, to;
        const char *field, *reason;
    } cases[] = {
        {odd.mass_kg, (double)NAN, "mass_kg", "is not a number"},
        {odd.hull.friction, (double)INFINITY, "hull.friction", "is not a number"},
        {odd.axles[1].tyre.longitudinal.b, (double)NAN, "axles[1].tyre.longitudinal.b",
         "is not a number"},
        {odd.axles[3].suspension.toe_curve.value_rad[2], (double)NAN,
         "axles[3].suspension.toe_curve.value_rad", "has a value that is no number"},
        {odd.engine.torque_nm[31], -(double)INFINITY, "engine.torque_nm",
         "has a value that is no number"},
        // what only the check of definitions can tell
        {odd.mass_kg, -1.0, "mass_kg", "-1 is outside 50..60000"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t length;
        uint8_t *bytes = encode(&odd, &length);
        replace(bytes, length, cases[i].from, cases[i].to);
        apex_car_def got;
        apex_def_problem problem;
        ck_assert(!apex_car_def_decode(bytes, length, &got, &problem));
        ck_assert_str_eq(problem.field, cases[i].field);
        ck_assert_str_eq(problem.reason, cases[i].reason);
        free(bytes);
    }
}

static const struct {
    const char *bytes;
    size_t length;
    const char *field, *reason;
} hostile[] = {
    {"", 0, "", "is not 1..1048576 bytes long"},
    {"\xff", 1, "", "is made of bytes that are no definition"},
    {"\x0a\x20nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn", 34, "name", "is too long"},
    {"\x0a\x01\x07", 3, "name", "has bytes that are no printable UTF-8"},
    {"\x18\x03", 2, "model", "is outside 0..2"},
    {"\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, "model", "is outside 0..2"},
    {"\x5a\x00", 2, "axles[0].differential", "is missing"},
    {"\x5a\x00\x5a\x00\x5a\x00\x5a\x00\x5a\x00", 10, "axles", "has more than 4 elements"},
    {"\x18\x00", 2, "engine", "is missing"},
    {"\x62\x0a\x0a\x08\0\0\0\0\0\0\0\0", 12, "engine.torque_nm",
     "has not as many values as torque_rpm"},
};

TEST_OVER(hostile_bytes_are_refused, 0, sizeof hostile / sizeof hostile[0]) {
    apex_car_def got;
    apex_def_problem problem;
    ck_assert(!apex_car_def_decode((const uint8_t *)hostile[_i].bytes, hostile[_i].length, &got,
                                   &problem));
    ck_assert_str_eq(problem.field, hostile[_i].field);
    ck_assert_str_eq(problem.reason, hostile[_i].reason);
}

// A title may come from a file; what decoders refuse must not go out, nor stop the server.
TEST(titles_are_cleaned) {
    memcpy(odd.title,
           "a\x1b"
           "b\xff",
           4);
    size_t length;
    uint8_t *bytes = encode(&odd, &length);
    apex_car_def got;
    ck_assert(apex_car_def_decode(bytes, length, &got, NULL));
    ck_assert_mem_eq(got.title, "a?b?TT", 6);
    free(bytes);
}

// The hash is the XXH3-64 of the bytes, seed 0: a client in any language can check it.
TEST(the_hash_is_xxh3) {
    ck_assert_uint_eq(apex_def_hash((const uint8_t *)"", 0), 0x2D06800538D394C2u);
    ck_assert_uint_eq(apex_def_hash((const uint8_t *)"xxhash", 6), 0xAA4C2B42AE6B13DEu);
}

// Also the longest; what is cut off, too long or something else is no name.
TEST(a_name_can_be_had_without_the_rest) {
    size_t length;
    char name[APEX_NAME_BYTES];
    memset(odd.name, 'n', sizeof odd.name - 1);
    uint8_t *bytes = encode(&odd, &length);
    ck_assert(apex_def_name_of(bytes, length, name));
    ck_assert_str_eq(name, odd.name);
    for (size_t cut = 0; cut < 2 + strlen(odd.name); cut++) {
        ck_assert(!apex_def_name_of(bytes, cut, name));
        ck_assert_str_eq(name, "");
    }
    bytes[1]++;
    ck_assert(!apex_def_name_of(bytes, length, name));
    bytes[1] = 0xff;
    ck_assert(!apex_def_name_of(bytes, length, name));
    ck_assert(!apex_def_name_of((const uint8_t *)"\x12\x01x", 3, name)); // its title
    free(bytes);
}
