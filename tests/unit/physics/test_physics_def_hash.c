// The hash of a definition, and of a world's: whatever changes how a car drives changes it, so that
// no state is restored into a world where it would go on in another way.

#include "physics/type/car_def_hash.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <stdlib.h>
#include <string.h>

// As many axles, gears and points as there can be: every number is used.
static apex_car_def full_car(void) {
    apex_car_def def = apex_default_car_def();
    def.axle_count = APEX_AXLES_MAX;
    def.axles[2] = def.axles[3] = def.axles[1];
    def.engine.torque_count = APEX_TORQUE_POINTS_MAX;
    def.gearbox.gear_count = APEX_GEARS_MAX;
    for (uint32_t a = 0; a < APEX_AXLES_MAX; a++) {
        def.axles[a].suspension.camber_curve.count = APEX_CURVE_POINTS_MAX;
        def.axles[a].suspension.toe_curve.count = APEX_CURVE_POINTS_MAX;
    }
    return def;
}

// Numbers, choices and counts all begin at a multiple of eight bytes, one in each eight. One less
// in the first byte is another number, another choice, or one fewer.
TEST(every_number_choice_and_count_of_a_definition_has_its_say) {
    const apex_car_def whole = full_car();
    uint64_t hash = physics_car_def_hash(&whole);
    for (size_t at = offsetof(apex_car_def, model); at < sizeof whole; at += 8) {
        apex_car_def other = whole;
        uint8_t *first = (uint8_t *)&other + at;
        (*first)--;
        ck_assert_msg(physics_car_def_hash(&other) != hash, "what is at byte %zu has none", at);
    }
    ck_assert_uint_eq(physics_car_def_hash(&whole), hash);
}

TEST(names_and_what_is_not_used_have_no_say) {
    apex_car_def def = apex_default_car_def();
    uint64_t hash = physics_car_def_hash(&def);
    strcpy(def.name, "another");
    strcpy(def.title, "Another");
    def.axles[def.axle_count].x_m = 5.0;
    def.engine.torque_nm[def.engine.torque_count] = 5.0;
    def.engine.torque_rpm[def.engine.torque_count] = 5.0;
    def.gearbox.ratio[def.gearbox.gear_count] = 5.0;
    def.axles[0].suspension.camber_curve.value_rad[0] = 5.0;
    def.axles[1].suspension.toe_curve.travel_m[0] = 5.0;
    ck_assert_uint_eq(physics_car_def_hash(&def), hash);
}

typedef void change_world(apex_world_def *world);

static void shorten_substeps(apex_world_def *world) {
    world->tick_hz = 50;
    world->substep_hz = 200;
}

static void pull_less(apex_world_def *world) {
    world->gravity_mps2 = 1.62;
}

static void thin_air(apex_world_def *world) {
    world->air_density_kg_per_m3 = 0.9;
}

static void count_damage(apex_world_def *world) {
    world->damage = world->damage == APEX_DAMAGE_FULL ? APEX_DAMAGE_VISUAL : APEX_DAMAGE_FULL;
}

static void burn(apex_world_def *world) {
    world->fuel_burns = !world->fuel_burns;
}

static void wear(apex_world_def *world) {
    world->tyres_wear = !world->tyres_wear;
}

static void heat(apex_world_def *world) {
    world->temperatures = !world->temperatures;
}

static void tick_faster(apex_world_def *world) {
    world->tick_hz = 120;
}

static apex_err restore_into(change_world *change, bool second_type) {
    apex_car_def def = scene_corvette();
    apex_world_def world = scene_world_def(1), changed;
    world.type_capacity = 2;
    changed = world;
    change(&changed);
    scene_solo from = scene_solo_create_in(&world, &def, scene_flat());
    scene_solo to = scene_solo_create_in(&changed, &def, scene_flat());
    apex_car_type type;
    if (second_type) {
        ck_assert_int_eq(apex_world_add_type(to.world, &def, &type), APEX_OK);
    }
    size_t length = apex_world_save_bytes(from.world);
    uint8_t *bytes = malloc(length);
    ck_assert_ptr_nonnull(bytes);
    apex_world_save(from.world, bytes);
    apex_err result = apex_world_restore(to.world, bytes, length);
    free(bytes);
    scene_solo_destroy(&from);
    scene_solo_destroy(&to);
    return result;
}

TEST(a_state_is_of_one_kind_of_world) {
    static change_world *const CHANGES[] = {
        shorten_substeps, pull_less, thin_air, count_damage, burn, wear, heat};
    for (uint32_t i = 0; i < sizeof CHANGES / sizeof *CHANGES; i++) {
        ck_assert_int_eq(restore_into(CHANGES[i], false), APEX_ERR_CORRUPT);
    }
    // How often it is looked at changes nothing.
    ck_assert_int_eq(restore_into(tick_faster, false), APEX_OK);
    ck_assert_int_eq(restore_into(tick_faster, true), APEX_ERR_CORRUPT);
}
