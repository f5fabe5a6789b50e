// Heat and wear of tyres and brakes, where conditions ask for them.

#include "physics/dynamics/pass/stages.h"

static const real AIR_C = R(25.0);
// A tyre or brake disc sheds this share of its heat above the air in a second, standing; more
// with speed.
static const real COOLING_PER_S = R(0.02);
static const real COOLING_PER_M = R(0.001);

LANES_INLINE lanes cooling(lanes temperature_c, lanes speed_mps) {
    return (temperature_c - AIR_C) * (COOLING_PER_S + COOLING_PER_M * lanes_abs(speed_mps));
}

// A bound, too, for a temperature that is no number.
LANES_INLINE lanes bounded(lanes temperature_c) {
    const real hottest_c = (real)APEX_HOTTEST_C;
    return lanes_clamp(temperature_c, lanes_all(-hottest_c), lanes_all(hottest_c));
}

static void age_wheel(physics_substep *step, const physics_axle_lanes *axle,
                      const physics_wheel_pass *wheel, physics_wheel_lanes *state) {
    const physics_tyre_lanes *tyre = &axle->tyre;
    lanes_mask ages = step->drive->is_dynamic;
    lanes slip_x = state->spin_radps * tyre->radius_m - wheel->speed_x_mps;
    lanes sliding_w =
        lanes_abs(wheel->grip.long_n * slip_x) + lanes_abs(wheel->grip.lat_n * wheel->speed_y_mps);
    lanes speed = step->velocity_mps[0];
    real h = step->h_s;
    if (step->cars->conditions.temperatures) {
        // Half of the sliding work stays in the road.
        lanes warming = R(0.5) * sliding_w * tyre->per_heat_capacity;
        state->temperature_c =
            bounded(state->temperature_c +
                    lanes_keep(ages, h * (warming - cooling(state->temperature_c, speed))));
        lanes braking = wheel->brake_nm * lanes_abs(state->spin_radps) * axle->per_brake_heat;
        state->brake_temperature_c =
            bounded(state->brake_temperature_c +
                    lanes_keep(ages, h * (braking - cooling(state->brake_temperature_c, speed))));
    }
    if (step->cars->conditions.tyres_wear) {
        lanes worn = state->wear + lanes_keep(ages, h * sliding_w * tyre->wear_per_j);
        state->wear = lanes_min(worn, lanes_all(R(1.0)));
    }
}

void FOR_ISA(physics_heat_and_wear)(physics_substep *step) {
    if (!step->cars->conditions.temperatures && !step->cars->conditions.tyres_wear) {
        return;
    }
    for (uint32_t a = 0; a < step->drive->axle_count; a++) {
        for (uint32_t side = 0; side < 2; side++) {
            uint32_t w = 2 * a + side;
            age_wheel(step, &step->numbers->axles[a], &step->wheels[w], &step->block->wheels[w]);
        }
    }
}
