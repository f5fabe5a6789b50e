// A ledger of a car's energy: kinetic, potential, and of springs. A test reads it before and after,
// and knows whether something came from nothing.

#pragma once

#include "physics/car/orientation.h"
#include "physics/dynamics/pass/grip.h"
#include "physics/world/world.h"

#include <math.h>
#include <string.h>

typedef struct ledger {
    double moving_j; // body, hubs, wheels' spin, engine
    double height_j; // above world height 0
    double sprung_j; // springs, stops, bars, tyres and their contact patches
    double all_j;
    double lowest_m;       // of the hull's corners above the ground; negative: sunk in
    double lowest_wheel_m; // likewise of the wheels' feet, undeformed
    double up;             // of the body's vertical on the world's
} ledger;

// One car, taken out of its world.
typedef struct ledger_car {
    const apex_world *world;
    const physics_type *type;
    physics_car car;
    double axis[3][3], velocity[3], turn[3]; // body axes; motion along them
    uint32_t slot;
} ledger_car;

static inline double ledger_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double ledger_half_square(double mass, double speed) {
    return 0.5 * mass * speed * speed;
}

static inline ledger_car ledger_take(const apex_world *world, uint32_t slot) {
    ledger_car of = {.world = world, .slot = slot};
    physics_block_get(&world->cars, slot, &of.car);
    of.type = &world->cars.types[of.car.type];
    physics_quaternion_axes(of.car.orientation, of.axis[0], of.axis[1], of.axis[2]);
    double velocity[3], turn[3];
    for (int i = 0; i < 3; i++) {
        velocity[i] = (double)of.car.velocity_mps[i];
        turn[i] = (double)of.car.angular_radps[i];
    }
    for (int i = 0; i < 3; i++) {
        of.velocity[i] = ledger_dot(of.axis[i], velocity);
        of.turn[i] = ledger_dot(of.axis[i], turn);
    }
    return of;
}

// Height of a point of the body over the ground under it.
static inline double ledger_clearance(const ledger_car *of, const double local[3]) {
    uint8_t surface;
    double place[3];
    for (int i = 0; i < 3; i++) {
        place[i] = of->car.position_m[i] + of->axis[0][i] * local[0] + of->axis[1][i] * local[1] +
                   of->axis[2][i] * local[2];
    }
    return -(double)physics_ground_under(of->world->cars.ground.map, place, &surface);
}

static inline void ledger_add_body(const ledger_car *of, ledger *out) {
    const physics_numbers *numbers = &of->type->numbers;
    double mass = (double)(numbers->mass_kg + of->car.fuel_kg + of->car.ballast_kg);
    double sprung = mass - (double)numbers->unsprung_kg;
    double gravity = (double)of->world->cars.conditions.gravity_mps2;
    // Along the ground hubs move with the body, upwards on their own.
    out->moving_j += ledger_half_square(mass, of->velocity[0]) +
                     ledger_half_square(mass, of->velocity[1]) +
                     ledger_half_square(sprung, of->velocity[2]);
    for (int i = 0; i < 3; i++) {
        out->moving_j += ledger_half_square((double)numbers->inertia_kgm2[i], of->turn[i]);
    }
    out->moving_j +=
        ledger_half_square((double)numbers->engine.inertia_kgm2, (double)of->car.engine_radps);
    out->height_j += mass * gravity * of->car.position_m[2];
}

static inline void ledger_add_spring(const ledger_car *of, uint32_t w, ledger *out) {
    const physics_wheel_place *place = &of->type->wheels[w];
    const physics_axle *axle = &of->type->numbers.axles[place->axle];
    const physics_suspension *spring = &axle->suspension;
    double travel = (double)of->car.wheels[w].travel_m;
    double over = fmax(travel - (double)spring->travel_bump_m, 0.0);
    double under = fmax(-(double)spring->travel_rebound_m - travel, 0.0);
    out->sprung_j += (double)spring->static_n * travel +
                     0.5 * (double)spring->spring_n_per_m * travel * travel +
                     0.5 * (double)spring->stop_n_per_m * (over * over + under * under);
    if (place->side == 1) {
        double difference = travel - (double)of->car.wheels[w - 1].travel_m;
        out->sprung_j += 0.5 * (double)spring->anti_roll_n_per_m * difference * difference;
    }
}

// Of a contact patch only what sticks is stored.
static inline double ledger_patch(const ledger_car *of, const physics_axle *axle, uint32_t w) {
    const physics_wheel *wheel = &of->car.wheels[w];
    const physics_wheel_place *place = &of->type->wheels[w];
    const physics_wheel_work *work =
        &of->world->cars.works[of->slot / PHYSICS_LANES].wheels[2u * place->axle + place->side];
    uint32_t lane = of->slot % PHYSICS_LANES;
    double grip_n = (double)(work->load_n[lane] * work->friction[lane]);
    const physics_tyre_axis *along = &axle->tyre.longitudinal, *across = &axle->tyre.lateral;
    double u = (double)wheel->deflection_long_m, v = (double)wheel->deflection_lat_m;
    double x = u * (double)along->per_deflection, y = v * (double)across->per_deflection;
    double stored = (double)(along->rest_secant * along->per_deflection) * u * u +
                    (double)(across->rest_secant * across->per_deflection) * v * v;
    return 0.5 * grip_n * stored / fmax(x * x + y * y, 1.0);
}

static inline void ledger_add_wheel(const ledger_car *of, uint32_t w, ledger *out) {
    const physics_wheel_place *place = &of->type->wheels[w];
    const physics_axle *axle = &of->type->numbers.axles[place->axle];
    const physics_wheel *wheel = &of->car.wheels[w];
    double x = (double)place->x_m, y = (double)place->y_m;
    double mass = (double)axle->suspension.unsprung_kg, radius = (double)axle->tyre.radius_m;
    double hub_mps = of->velocity[2] + of->turn[0] * y - of->turn[1] * x;
    out->moving_j += ledger_half_square(mass, hub_mps + (double)wheel->travel_mps) +
                     ledger_half_square((double)axle->tyre.inertia_kgm2, (double)wheel->spin_radps);
    out->height_j += mass * (double)of->world->cars.conditions.gravity_mps2 * of->axis[2][2] *
                     (double)wheel->travel_m;
    ledger_add_spring(of, w, out);
    out->sprung_j += ledger_patch(of, axle, w);
    const double foot[3] = {x, y, (double)(axle->suspension.hub_z_m + wheel->travel_m) - radius};
    double clear = ledger_clearance(of, foot);
    out->lowest_wheel_m = fmin(out->lowest_wheel_m, clear);
    if (of->axis[2][2] > (double)PHYSICS_UPRIGHT_MIN) {
        double pressed = fmin(fmax(-clear, 0.0), (double)PHYSICS_TYRE_DEPTH * radius);
        out->sprung_j += 0.5 * (double)axle->tyre.vertical_n_per_m * pressed * pressed;
    }
}

static inline void ledger_find_lowest(const ledger_car *of, ledger *out) {
    const real *centre = of->type->numbers.hull_centre_m, *half = of->type->numbers.hull_half_m;
    for (unsigned c = 0; c < 8; c++) {
        const double local[3] = {(double)centre[0] + (c & 4u ? -1.0 : 1.0) * (double)half[0],
                                 (double)centre[1] + (c & 1u ? -1.0 : 1.0) * (double)half[1],
                                 (double)centre[2] + (c & 2u ? -1.0 : 1.0) * (double)half[2]};
        out->lowest_m = fmin(out->lowest_m, ledger_clearance(of, local));
    }
}

static inline ledger ledger_of(const apex_world *world, uint32_t slot) {
    ledger_car of = ledger_take(world, slot);
    ledger out = {.lowest_m = 1e9, .lowest_wheel_m = 1e9, .up = of.axis[2][2]};
    ledger_add_body(&of, &out);
    for (uint32_t w = 0; w < of.type->wheel_count; w++) {
        ledger_add_wheel(&of, w, &out);
    }
    ledger_find_lowest(&of, &out);
    out.all_j = out.moving_j + out.height_j + out.sprung_j;
    return out;
}
