#include "physics/car_private.h"

#include "base/assert.h"

// A box with synchromesh refuses to go through the standstill any faster.
static const real REVERSE_MPS_MAX = R(3.0);

static real gear_ratio(const physics_type *type, int8_t gear) {
    APEX_ASSERT(gear >= APEX_GEAR_REVERSE && gear <= type->gearbox.gear_count);
    return type->gearbox.ratio[gear + 1];
}

real physics_gearbox_input_radps(const physics_car *car, const physics_type *type, int8_t gear) {
    real shaft = R(0.0);
    for (uint32_t a = 0; a < type->axle_count; a++) {
        const physics_axle *axle = &type->axles[a];
        const physics_wheel *wheel = &car->wheels[axle->first_wheel];
        shaft += axle->drive_share * (axle->wheel_count == 2
                                          ? R(0.5) * (wheel[0].spin_radps + wheel[1].spin_radps)
                                          : wheel[0].spin_radps);
    }
    return shaft * gear_ratio(type, gear);
}

static real forward_speed(const physics_car *car) {
    double x[3], y[3], z[3];
    physics_quaternion_axes(car->orientation, x, y, z);
    return car->velocity_mps[0] * (real)x[0] + car->velocity_mps[1] * (real)x[1] +
           car->velocity_mps[2] * (real)x[2];
}

void physics_gearbox_request(apex_world *world, uint32_t slot, int32_t gear) {
    physics_car *car = &world->cars[slot];
    const physics_type *type = &world->types[car->type];
    if (gear == car->gear || gear < APEX_GEAR_REVERSE || gear > type->gearbox.gear_count) {
        return;
    }
    real speed = forward_speed(car);
    if ((gear < 0 && speed > REVERSE_MPS_MAX) || (gear > 0 && speed < -REVERSE_MPS_MAX)) {
        return;
    }
    car->gear_before = car->shift_left_s > R(0.0) ? car->gear_before : car->gear;
    car->gear = (int8_t)gear;
    car->shift_left_s = gear == APEX_GEAR_NEUTRAL ? R(0.0) : type->gearbox.shift_time_s;
    physics_event_raise(world, slot, APEX_CAR_SHIFTED, (double)gear);
}

// Both thresholds look at wheels and road: spinning wheels must not shift up, locked ones not down.
static void choose_automatically(physics_car_step *step) {
    const real MARGIN = R(1.1);
    const physics_gearbox *gearbox = &step->type->gearbox;
    const physics_car *car = step->car;
    int8_t gear = car->gear;
    if (gear <= APEX_GEAR_NEUTRAL) {
        physics_gearbox_request(step->world, step->slot, 1);
        return;
    }
    // A car that slides sideways is still fast: it must not find itself in first when it catches.
    real road =
        real_sqrt(step->speed_x_mps * step->speed_x_mps + step->speed_y_mps * step->speed_y_mps) /
        step->type->driven_radius_m;
    real wheels = physics_gearbox_input_radps(car, step->type, gear);
    real ratio = gear_ratio(step->type, gear);
    if (gear < gearbox->gear_count && real_min(wheels, car->engine_radps) > gearbox->up_radps &&
        road * gear_ratio(step->type, (int8_t)(gear + 1)) > gearbox->down_radps * MARGIN) {
        physics_gearbox_request(step->world, step->slot, gear + 1);
    } else if (gear > 1 && real_max(wheels, road * ratio) < gearbox->down_radps &&
               road * gear_ratio(step->type, (int8_t)(gear - 1)) * MARGIN < gearbox->up_radps) {
        physics_gearbox_request(step->world, step->slot, gear - 1);
    }
}

// Every substep, not every tick: a gear that is refused now may be taken a moment later, and that
// moment must not depend on the tick rate.
void physics_gearbox_step(physics_car_step *step) {
    physics_car *car = step->car;
    if (!car->held && step->input->gear != APEX_GEAR_AUTOMATIC &&
        step->input->gear != APEX_GEAR_SEQUENTIAL) {
        physics_gearbox_request(step->world, step->slot, step->input->gear);
    }
    if (car->shift_left_s > R(0.0)) {
        car->shift_left_s = real_max(car->shift_left_s - step->h_s, R(0.0));
        if (car->shift_left_s <= R(0.0)) {
            car->gear_before = car->gear;
        }
    } else if (!car->held && step->input->gear == APEX_GEAR_AUTOMATIC) {
        choose_automatically(step);
    }
}
