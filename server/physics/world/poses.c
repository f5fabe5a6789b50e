// Poses of eight cars, for those outside of physics; the angles of all eight at a time.

#include "physics/world/poses.h"

#include "base/assert.h"
#include "physics/lanes/wide_angles.h"

/// Fields of apex_car_pose, eight times each.
typedef struct pose_columns {
    double position_m[3][PHYSICS_LANES];
    double orientation[4][PHYSICS_LANES];
    double yaw_rad[PHYSICS_LANES], pitch_rad[PHYSICS_LANES], roll_rad[PHYSICS_LANES];
    double velocity_mps[3][PHYSICS_LANES], angular_radps[3][PHYSICS_LANES];
    double steer_rad[PHYSICS_LANES], engine_radps[PHYSICS_LANES];
    double throttle[PHYSICS_LANES], brake[PHYSICS_LANES];
    double zone_damage[APEX_ZONE_COUNT][PHYSICS_LANES], damage[PHYSICS_LANES];
} pose_columns;

// x of 2 (ab + cd) and the like, as physics_quaternion_axes has them.
static void fill_attitude(const physics_block *block, pose_columns *to) {
    const lanes_wide ONE = wide_all(1.0), *at = block->orientation;
    lanes_wide q[4];
    // Of both quaternions of an attitude the one with w >= 0.
    lanes_wide_mask is_other = wide_less(at[0], wide_all(0.0));
    for (uint32_t i = 0; i < 4; i++) {
        q[i] = wide_choose(is_other, wide_negate(at[i]), at[i]);
        wide_store(to->orientation[i], q[i]);
    }
    lanes_wide w = q[0], i = q[1], j = q[2], k = q[3];
#define SUM(a, b, c, d)  wide_add(wide_multiply(a, b), wide_multiply(c, d))
#define LESS(a, b, c, d) wide_subtract(wide_multiply(a, b), wide_multiply(c, d))
    lanes_wide x_x = wide_subtract(ONE, wide_scale(SUM(j, j, k, k), 2.0));
    lanes_wide x_y = wide_scale(SUM(i, j, w, k), 2.0);
    lanes_wide x_z = wide_scale(LESS(i, k, w, j), 2.0);
    lanes_wide y_z = wide_scale(SUM(j, k, w, i), 2.0);
    lanes_wide z_z = wide_subtract(ONE, wide_scale(SUM(i, i, j, j), 2.0));
#undef SUM
#undef LESS
    wide_store(to->yaw_rad, wide_atan2(x_y, x_x));
    wide_store(to->pitch_rad, wide_asin(wide_negate(x_z)));
    wide_store(to->roll_rad, wide_atan2(y_z, z_z));
}

static void fill_columns(const physics_block *block, const physics_work *work, pose_columns *to) {
    for (uint32_t i = 0; i < 3; i++) {
        wide_store(to->position_m[i], block->position_m[i]);
        wide_store(to->velocity_mps[i], lanes_widen(block->velocity_mps[i]));
        wide_store(to->angular_radps[i], lanes_widen(block->angular_radps[i]));
    }
    fill_attitude(block, to);
    wide_store(to->steer_rad, lanes_widen(block->steer_rad));
    wide_store(to->engine_radps, lanes_widen(block->engine_radps));
    wide_store(to->throttle, lanes_widen(work->throttle));
    wide_store(to->brake, lanes_widen(work->brake));
    lanes worst = lanes_zero();
    for (uint32_t zone = 0; zone < APEX_ZONE_COUNT; zone++) {
        wide_store(to->zone_damage[zone], lanes_widen(block->damage[zone]));
        worst = lanes_max(worst, block->damage[zone]);
    }
    wide_store(to->damage, lanes_widen(worst));
}

// Before a car's first step its wheels stand where it was placed.
static uint8_t count_on_road(const physics_cars *cars, uint32_t index, uint32_t lane) {
    const physics_work *work = &cars->works[index];
    const physics_type *type = cars->drives[index].types[lane];
    uint32_t count = 0;
    for (uint32_t w = 0; w < type->wheel_count; w++) {
        uint8_t surface = work->ground_caches[physics_wheel_slot(type, w)].surface[lane];
        count += cars->ground.map->surfaces[surface].is_road;
    }
    return (uint8_t)count;
}

static void write(const physics_cars *cars, uint32_t index, uint32_t lane, const pose_columns *from,
                  apex_car_pose *pose) {
    const physics_block *block = &cars->blocks[index];
    uint32_t slot = index * PHYSICS_LANES + lane;
    pose->id = (apex_car_id){(uint16_t)(slot + 1), (uint16_t)cars->generations[slot]};
    for (uint32_t i = 0; i < 3; i++) {
        pose->position_m[i] = from->position_m[i][lane];
        pose->velocity_mps[i] = from->velocity_mps[i][lane];
        pose->angular_radps[i] = from->angular_radps[i][lane];
    }
    for (uint32_t i = 0; i < 4; i++) {
        pose->orientation[i] = from->orientation[i][lane];
    }
    for (uint32_t zone = 0; zone < APEX_ZONE_COUNT; zone++) {
        pose->zone_damage[zone] = from->zone_damage[zone][lane];
    }
    pose->yaw_rad = from->yaw_rad[lane];
    pose->pitch_rad = from->pitch_rad[lane];
    pose->roll_rad = from->roll_rad[lane];
    pose->steer_rad = from->steer_rad[lane];
    pose->engine_radps = from->engine_radps[lane];
    pose->throttle = from->throttle[lane];
    pose->brake = from->brake[lane];
    pose->damage = from->damage[lane];
    pose->type.index1 = (uint16_t)(block->type[lane] + 1);
    pose->gear = block->gear[lane];
    pose->airborne = block->airborne[lane];
    pose->held = block->held[lane];
    pose->ghost = block->ghost[lane];
    pose->engine_blown = block->engine_blown[lane];
    pose->wheel_count = (uint8_t)cars->drives[index].types[lane]->wheel_count;
    pose->wheels_on_road = pose->airborne ? 0 : count_on_road(cars, index, lane);
}

void FOR_ISA(physics_block_poses)(const physics_cars *cars, uint32_t index, uint32_t which,
                                  apex_car_pose out[PHYSICS_LANES]) {
    APEX_ASSERT(index < cars->block_count && which < 1u << PHYSICS_LANES);
    pose_columns columns;
    fill_columns(&cars->blocks[index], &cars->works[index], &columns);
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        if (which & 1u << lane) {
            write(cars, index, lane, &columns, &out[lane]);
        }
    }
}
