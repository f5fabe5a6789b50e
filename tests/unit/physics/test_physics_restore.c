// What a restore takes: the bounds of each number of a car and of its contacts, both sides of them.

#include "physics/world/world.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A saved world with one car, whose bytes can be changed.
typedef struct saved {
    scene_solo solo;
    size_t length, contacts;      ///< all of it; where contacts begin
    uint8_t *good, *room, *bytes; ///< as saved; the memory of `bytes`; to be changed
    physics_car *car;             ///< in `bytes`
} saved;

enum { ALIGNMENT = 16 };

static uint8_t *find(uint8_t *bytes, size_t length, double value) {
    for (size_t at = 0; at + sizeof value <= length; at += 4) {
        if (memcmp(bytes + at, &value, sizeof value) == 0) {
            return bytes + at;
        }
    }
    return NULL;
}

static saved open_saved(void) {
    saved made;
    apex_car_def def = scene_corvette();
    made.solo = scene_solo_create(&def, scene_flat());
    apex_car_state state = scene_solo_state(&made.solo);
    state.position_m[0] = 1234.56789; // the first number of a car
    ck_assert(apex_world_set_car(made.solo.world, made.solo.car, &state));
    made.length = apex_world_save_bytes(made.solo.world);
    made.good = malloc(made.length);
    ck_assert_ptr_nonnull(made.good);
    apex_world_save(made.solo.world, made.good);
    const uint8_t *car = find(made.good, made.length, state.position_m[0]);
    ck_assert_ptr_nonnull(car);
    size_t car_at = (size_t)(car - made.good);
    // A state is packed: it is put where the car's numbers lie as in memory. One contact more than
    // there may be would lie behind the end.
    size_t shift = (ALIGNMENT - car_at % ALIGNMENT) % ALIGNMENT;
    made.room = calloc(1, shift + made.length + sizeof(physics_persistent_contact));
    ck_assert_ptr_nonnull(made.room);
    made.bytes = made.room + shift;
    memcpy(made.bytes, made.good, made.length);
    made.car = (physics_car *)(void *)(made.bytes + car_at);
    made.contacts = made.length - physics_contacts_save_bytes(
                                      physics_collider_contacts(made.solo.world->collider));
    return made;
}

static void close_saved(saved *of) {
    free(of->good);
    free(of->room);
    scene_solo_destroy(&of->solo);
}

// Restores, and undoes the change. A refused state leaves the world as it was.
static bool is_taken(saved *of) {
    ck_assert_int_eq(apex_world_restore(of->solo.world, of->good, of->length), APEX_OK);
    uint64_t before = apex_world_hash(of->solo.world);
    apex_err result = apex_world_restore(of->solo.world, of->bytes, of->length);
    ck_assert(result == APEX_OK || result == APEX_ERR_CORRUPT);
    if (result != APEX_OK) {
        ck_assert_uint_eq(apex_world_hash(of->solo.world), before);
    }
    memcpy(of->bytes, of->good, of->length);
    return result == APEX_OK;
}

static bool takes(saved *of, real *number, double value) {
    *number = (real)value;
    return is_taken(of);
}

TEST(gears_are_those_of_the_box) {
    saved of = open_saved();
    for (int gear = -128; gear < 128; gear++) {
        bool is_gear = gear >= -1 && gear <= 6;
        of.car->gear = (int8_t)gear;
        ck_assert_int_eq(is_taken(&of), is_gear);
        of.car->gear_before = (int8_t)gear;
        ck_assert_int_eq(is_taken(&of), is_gear);
    }
    close_saved(&of);
}

TEST(damage_and_wear_are_shares) {
    saved of = open_saved();
    for (uint32_t i = 0; i < APEX_ZONE_COUNT + APEX_WHEELS_MAX; i++) {
        real *share =
            i < APEX_ZONE_COUNT ? &of.car->damage[i] : &of.car->wheels[i - APEX_ZONE_COUNT].wear;
        ck_assert(takes(&of, share, 0.0));
        ck_assert(takes(&of, share, 1.0));
        ck_assert(!takes(&of, share, -0.001));
        ck_assert(!takes(&of, share, 1.001));
        ck_assert(!takes(&of, share, (double)NAN));
    }
    close_saved(&of);
}

TEST(no_wheel_is_hotter_than_ten_thousand_degrees) {
    saved of = open_saved();
    for (uint32_t w = 0; w < APEX_WHEELS_MAX; w++) {
        real *both[] = {&of.car->wheels[w].temperature_c, &of.car->wheels[w].brake_temperature_c};
        for (uint32_t i = 0; i < 2; i++) {
            ck_assert(takes(&of, both[i], 10000.0));
            ck_assert(takes(&of, both[i], -10000.0));
            ck_assert(!takes(&of, both[i], 10001.0));
            ck_assert(!takes(&of, both[i], -10001.0));
        }
    }
    close_saved(&of);
}

TEST(an_orientation_is_a_unit_quaternion) {
    saved of = open_saved();
    for (uint32_t i = 0; i < 4; i++) {
        double q[4] = {0.0}, at = 0.5;
        q[i] = 1.0 + 4e-7; // its square is off by twice that
        memcpy(of.car->orientation, q, sizeof q);
        ck_assert(is_taken(&of));
        q[i] = 1.0 + 6e-7;
        memcpy(of.car->orientation, q, sizeof q);
        ck_assert(!is_taken(&of));
        q[i] = 1.0 - 6e-7;
        memcpy(of.car->orientation, q, sizeof q);
        ck_assert(!is_taken(&of));
        for (uint32_t k = 0; k < 4; k++) {
            q[k] = k == i ? -at : at;
        }
        memcpy(of.car->orientation, q, sizeof q);
        ck_assert(is_taken(&of));
    }
    close_saved(&of);
}

TEST(types_are_known_and_flags_are_yes_or_no) {
    saved of = open_saved();
    of.car->type = 1;
    ck_assert(!is_taken(&of));
    of.car->type = UINT16_MAX;
    ck_assert(!is_taken(&of));
    static const size_t FLAGS[] = {offsetof(physics_car, counters_known),
                                   offsetof(physics_car, airborne), offsetof(physics_car, held),
                                   offsetof(physics_car, ghost),
                                   offsetof(physics_car, engine_blown)};
    for (uint32_t i = 0; i < sizeof FLAGS / sizeof *FLAGS; i++) {
        for (uint8_t value = 0; value < 4; value++) {
            ((uint8_t *)of.car)[FLAGS[i]] = value;
            ck_assert_int_eq(is_taken(&of), value <= 1);
        }
    }
    close_saved(&of);
}

// Each of them: one that is forgotten would be steered by.
TEST(every_number_of_a_car_is_finite) {
    saved of = open_saved();
    const size_t FIRST = offsetof(physics_car, velocity_mps), END = offsetof(physics_car, type);
    for (size_t at = FIRST; at < END; at += sizeof(real)) {
        real *number = (real *)(void *)((uint8_t *)of.car + at);
        ck_assert_msg(!takes(&of, number, (double)NAN), "the number at byte %zu may be none", at);
        ck_assert_msg(!takes(&of, number, (double)INFINITY), "byte %zu may be infinite", at);
    }
    for (uint32_t i = 0; i < 7; i++) {
        double *number = i < 3 ? &of.car->position_m[i] : &of.car->orientation[i - 3];
        *number = (double)NAN;
        ck_assert(!is_taken(&of));
    }
    close_saved(&of);
}

TEST(the_head_is_of_this_world) {
    saved of = open_saved();
    const size_t HEAD_BYTES = (size_t)((uint8_t *)of.car - of.bytes) - sizeof(uint32_t);
    // The last 16 bytes are the tick, of which any will do, and the seed.
    for (size_t at = 0; at < HEAD_BYTES; at++) {
        of.bytes[at] ^= 1;
        bool is_tick = at + 16 >= HEAD_BYTES && at + 8 < HEAD_BYTES;
        ck_assert_int_eq(is_taken(&of), is_tick);
    }
    ck_assert_int_eq(apex_world_restore(of.solo.world, of.good, of.length - 1), APEX_ERR_CORRUPT);
    ck_assert_int_eq(apex_world_restore(of.solo.world, of.good, 0), APEX_ERR_CORRUPT);
    close_saved(&of);
}

/// Contacts as they are saved: their number, then each.
static bool takes_contacts(saved *of, uint64_t count, const physics_persistent_contact *items,
                           uint32_t given) {
    memcpy(of->bytes + of->contacts, &count, sizeof count);
    memcpy(of->bytes + of->contacts + sizeof count, items, given * sizeof *items);
    return is_taken(of);
}

TEST(contacts_are_of_cars_that_can_be_and_rise) {
    saved of = open_saved();
    uint32_t capacity = physics_collider_contacts(of.solo.world->collider)->capacity;
    physics_persistent_contact two[2] = {{.key = physics_contact_key(0, APEX_CONTACT_WALL, 3)},
                                         {.key = physics_contact_key(0, APEX_CONTACT_POST, 3)}};
    ck_assert(takes_contacts(&of, 2, two, 2));
    ck_assert(!takes_contacts(&of, (uint64_t)capacity + 1, two, 2));
    ck_assert(!takes_contacts(&of, UINT64_MAX, two, 2));
    const physics_persistent_contact falling[2] = {two[1], two[0]}, same[2] = {two[0], two[0]};
    ck_assert(!takes_contacts(&of, 2, falling, 2));
    ck_assert(!takes_contacts(&of, 2, same, 2));
    two[0].key = physics_contact_key(1, APEX_CONTACT_WALL, 3); // a slot that this world has not
    ck_assert(!takes_contacts(&of, 1, two, 1));
    two[0].key = physics_contact_key(0, APEX_CONTACT_GROUND, 0); // of which none last
    ck_assert(!takes_contacts(&of, 1, two, 1));
    close_saved(&of);
}

TEST(there_are_as_many_contacts_as_there_is_room_for) {
    saved of = open_saved();
    uint32_t capacity = physics_collider_contacts(of.solo.world->collider)->capacity;
    physics_persistent_contact *all = calloc(capacity + 1, sizeof *all);
    ck_assert_ptr_nonnull(all);
    for (uint32_t i = 0; i <= capacity; i++) {
        all[i].key = physics_contact_key(0, APEX_CONTACT_WALL, i);
    }
    ck_assert(takes_contacts(&of, capacity, all, capacity));
    ck_assert(!takes_contacts(&of, (uint64_t)capacity + 1, all, capacity + 1));
    free(all);
    close_saved(&of);
}

TEST(impulses_push_and_have_an_end) {
    saved of = open_saved();
    for (uint32_t p = 0; p < 4; p++) {
        static const double WANTED[][3] = {// value, as a push, as friction
                                           {0.0, 1, 1},  {1e8, 1, 1},  {1.1e8, 0, 0},
                                           {-1.0, 0, 1}, {-1e8, 0, 1}, {-1.1e8, 0, 0}};
        for (uint32_t i = 0; i < sizeof WANTED / sizeof *WANTED; i++) {
            physics_persistent_contact push = {.key = physics_contact_key(0, APEX_CONTACT_WALL, 3)};
            physics_persistent_contact rub = push;
            push.normal_ns[p] = (real)WANTED[i][0];
            rub.tangent_ns[p] = (real)WANTED[i][0];
            ck_assert_int_eq(takes_contacts(&of, 1, &push, 1), WANTED[i][1] > 0.0);
            ck_assert_int_eq(takes_contacts(&of, 1, &rub, 1), WANTED[i][2] > 0.0);
        }
    }
    close_saved(&of);
}
