// Gears of one car: what a box does, what it refuses, and when an automatic one changes. Rare, so
// one car at a time; shifting.c says whom to look at.

#include "physics/car/gearbox.h"

#include "physics/car/orientation.h"

#include "base/assert.h"

// A box with synchromesh refuses to go through the standstill any faster.
static const real REVERSE_MPS_MAX = R(3.0);

static real gear_ratio(const physics_type *type, int32_t gear) {
    APEX_ASSERT(gear >= APEX_GEAR_REVERSE && gear <= type->gear_count);
    return type->ratio[gear + 1];
}

real physics_gearbox_input_radps(const physics_car *car, const physics_type *type, int32_t gear) {
    real shaft = R(0.0);
    for (uint32_t w = 0; w < type->wheel_count; w++) {
        const physics_axle *axle = &type->numbers.axles[type->wheels[w].axle];
        shaft += axle->drive_share * axle->mean_share * car->wheels[w].spin_radps;
    }
    return shaft * gear_ratio(type, gear);
}

/// One car's view of its block.
typedef struct gear_seat {
    physics_cars *cars;
    uint32_t slot, lane;
    physics_block *block;
    physics_drive *drive;
    const physics_type *type;
} gear_seat;

static gear_seat seat_of(physics_cars *cars, uint32_t slot) {
    uint32_t lane = slot % PHYSICS_LANES;
    physics_block *block = &cars->blocks[slot / PHYSICS_LANES];
    return (gear_seat){cars,
                       slot,
                       lane,
                       block,
                       &cars->drives[slot / PHYSICS_LANES],
                       &cars->types[block->type[lane]]};
}

static real forward_mps(const gear_seat *seat) {
    physics_car car;
    double x[3], y[3], z[3];
    physics_block_get(seat->cars, seat->slot, &car);
    physics_quaternion_axes(car.orientation, x, y, z);
    return car.velocity_mps[0] * (real)x[0] + car.velocity_mps[1] * (real)x[1] +
           car.velocity_mps[2] * (real)x[2];
}

void physics_gearbox_request(physics_cars *cars, uint32_t slot, int32_t gear) {
    APEX_ASSERT(apex_pool_is_index_live(&cars->pool, slot));
    gear_seat seat = seat_of(cars, slot);
    int8_t now = seat.block->gear[seat.lane];
    if (gear == now || gear < APEX_GEAR_REVERSE || gear > seat.type->gear_count) {
        return;
    }
    real speed = forward_mps(&seat);
    if ((gear < 0 && speed > REVERSE_MPS_MAX) || (gear > 0 && speed < -REVERSE_MPS_MAX)) {
        return;
    }
    bool is_shifting = seat.block->shift_left_s[seat.lane] > R(0.0);
    if (!is_shifting) {
        seat.block->gear_before[seat.lane] = now;
    }
    seat.block->gear[seat.lane] = (int8_t)gear;
    lanes_set(&seat.block->shift_left_s, seat.lane,
              gear == APEX_GEAR_NEUTRAL ? R(0.0) : seat.type->numbers.shift_time_s);
    physics_drive_set_gear(cars, slot);
    physics_event_raise(&cars->events, slot, APEX_CAR_SHIFTED, (double)gear);
}

// Both thresholds look at wheels and road: spinning wheels must not shift up, locked ones not down.
static void choose_automatically(const gear_seat *seat) {
    const real MARGIN = R(1.1);
    const physics_numbers *numbers = &seat->type->numbers;
    int32_t gear = seat->block->gear[seat->lane];
    if (gear <= APEX_GEAR_NEUTRAL) {
        physics_gearbox_request(seat->cars, seat->slot, 1);
        return;
    }
    physics_car car;
    physics_block_get(seat->cars, seat->slot, &car);
    // A car that slides sideways is still fast: it must not find itself in first when it catches.
    const real *v = car.velocity_mps;
    real road = real_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / numbers->driven_radius_m;
    real wheels = physics_gearbox_input_radps(&car, seat->type, gear);
    if (gear < seat->type->gear_count && real_min(wheels, car.engine_radps) > numbers->up_radps &&
        road * gear_ratio(seat->type, gear + 1) > numbers->down_radps * MARGIN) {
        physics_gearbox_request(seat->cars, seat->slot, gear + 1);
    } else if (gear > 1 &&
               real_max(wheels, road * gear_ratio(seat->type, gear)) < numbers->down_radps &&
               road * gear_ratio(seat->type, gear - 1) * MARGIN < numbers->up_radps) {
        physics_gearbox_request(seat->cars, seat->slot, gear - 1);
    }
}

void physics_gearbox_attend(physics_cars *cars, uint32_t slot) {
    APEX_ASSERT(apex_pool_is_index_live(&cars->pool, slot));
    gear_seat seat = seat_of(cars, slot);
    int32_t asked = (int32_t)seat.drive->gear_asked[seat.lane];
    if (asked == APEX_GEAR_AUTOMATIC) {
        choose_automatically(&seat);
    } else {
        physics_gearbox_request(cars, slot, asked);
    }
}
