// Contacts of a hull with the ground: a car that rolled over lies on its roof, one that lands badly
// scrapes. Its eight rounded corners are contacts with friction, and so is the rim of each wheel,
// for when a tyre can't carry it; each car is solved by itself. Points are solved in pairs of left
// and right, both at once, so that a mirrored fall stays a mirrored fall to the last bit. They need
// sixteen iterations, where a heap of cars needs one: so the contact solver leaves the ground to
// this (DECISIONS 25).

#include "physics/dynamics/body/hull_on_ground.h"

#include "physics/car/car_incidents.h"
#include "physics/car/orientation.h"
#include "physics/dynamics/pass/grip.h"

#include <math.h>
#include <string.h>

enum { CORNERS = 8, POINTS = CORNERS + PHYSICS_WHEEL_SLOTS, ITERATIONS = 16 };

// A car with more penetration than this is lifted out; by a share of the rest in each substep, and
// no faster than this, so that a car that was put into the ground does not leap.
static const double SLOP_M = 0.005;
static const double PUSH_OUT_SHARE = 0.2;
static const double PUSH_OUT_MPS_MAX = 3.0;
static const double HULL_FRICTION = 0.7;
// The underside of a car that stands gives way, or a nose that meets a kerb would throw the car on
// its roof: a corner takes one weight of the car at first, two at this depth, then ever more. Out
// of the ground it comes by the wheels.
static const double SOFT_DEPTH_M = 0.1;
static const double SOFT_UPRIGHT_MIN = 0.8;
static const double NEAR_M = 0.02;
// A car that is slower than this once its contacts are solved is at rest: gravity alone adds twenty
// times as much in a substep, so no car that could move is stopped.
static const double STILL_MPS = 0.002;

// An iteration that changes less is the last one.
static const double SETTLED_MPS = 1e-6;

typedef struct hull_point {
    double anchor[3], normal[3];
    double separation_m;
    double normal_inverse_mass;  ///< speed along the normal for each unit of impulse
    double tangent_inverse_mass; ///< likewise across it; of all directions the largest, or more
    double friction;
    double max_ns; ///< of normal impulse in a substep
    double normal_ns, friction_ns[3];
    bool is_active;
} hull_point;

typedef struct ground_hull {
    const physics_cars *cars;
    const physics_car *car;
    const physics_type *type;
    double inverse_mass, inverse_inertia[3], h_s;
    double axis[3][3];
    double velocity[3], angular[3];
    hull_point points[POINTS]; ///< pairs of left and right
    uint32_t active_count;
} ground_hull;

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// From body axes to the world's.
static void to_world(const ground_hull *hull, const double local[3], double out[3]) {
    for (uint32_t i = 0; i < 3; i++) {
        out[i] = (hull->axis[0][i] * local[0] + hull->axis[2][i] * local[2]) +
                 hull->axis[1][i] * local[1];
    }
}

// Change of the rotation speed for an angular impulse.
static void angular_change(const ground_hull *hull, const double impulse[3], double out[3]) {
    double local[3];
    for (uint32_t i = 0; i < 3; i++) {
        local[i] = dot(hull->axis[i], impulse) * hull->inverse_inertia[i];
    }
    to_world(hull, local, out);
}

static void find_inverse_masses(const ground_hull *hull, hull_point *at) {
    double torque[3], spin[3], swing[3];
    const double *p = hull->inverse_inertia;
    double x = dot(hull->axis[0], at->anchor), y = dot(hull->axis[1], at->anchor);
    double z = dot(hull->axis[2], at->anchor), x2 = x * x, y2 = y * y, z2 = z * z;
    double all = p[0] * (y2 + z2) + p[1] * (x2 + z2) + p[2] * (x2 + y2);
    cross(at->anchor, at->normal, torque);
    angular_change(hull, torque, spin);
    cross(spin, at->anchor, swing);
    double along = dot(swing, at->normal);
    at->normal_inverse_mass = hull->inverse_mass + along;
    at->tangent_inverse_mass = hull->inverse_mass + (all - along);
}

/// A point before the ground under it is known; body axes.
typedef struct hull_sphere {
    double centre[3], radius_m, friction;
} hull_sphere;

static void place_sphere(ground_hull *hull, const hull_sphere *sphere, hull_point *at) {
    double place[3];
    to_world(hull, sphere->centre, at->anchor);
    for (uint32_t i = 0; i < 3; i++) {
        place[i] = hull->car->position_m[i] + at->anchor[i];
    }
    const apex_ground *ground = hull->cars->ground.map;
    apex_ground_sample under = apex_ground_at(ground, place[0], place[1], place[2]);
    for (uint32_t i = 0; i < 3; i++) {
        at->normal[i] = under.normal[i];
        at->anchor[i] -= sphere->radius_m * under.normal[i];
    }
    at->separation_m = (place[2] - under.height_m) * under.normal[2] - sphere->radius_m;
    double speed = sqrt(dot(hull->velocity, hull->velocity)) +
                   sqrt(dot(hull->angular, hull->angular) * dot(at->anchor, at->anchor));
    at->is_active = at->separation_m < NEAR_M + hull->h_s * speed;
    at->friction = sphere->friction * ground->surfaces[under.surface].friction;
    at->max_ns = (double)INFINITY;
    if (at->is_active) {
        find_inverse_masses(hull, at);
        hull->active_count++;
    }
}

static void limit_impulse(const ground_hull *hull, hull_point *at) {
    if (dot(hull->axis[2], at->normal) > SOFT_UPRIGHT_MIN) {
        double weight_n = (double)hull->cars->conditions.gravity_mps2 / hull->inverse_mass;
        double depth = fmax(-at->separation_m, 0.0) / SOFT_DEPTH_M;
        at->max_ns = weight_n * (1.0 + depth * depth * depth) * hull->h_s;
    }
}

static void place_corners(ground_hull *hull) {
    const real *centre = hull->type->numbers.hull_centre_m, *half = hull->type->numbers.hull_half_m;
    double radius = hull->type->def.hull.rounding_m;
    for (uint32_t i = 0; i < 3; i++) {
        radius = fmin(radius, (double)half[i]);
    }
    for (uint32_t c = 0; c < CORNERS; c++) {
        hull_sphere sphere = {.radius_m = radius, .friction = HULL_FRICTION};
        for (uint32_t i = 0; i < 3; i++) {
            static const uint32_t SIDE[3] = {4u, 1u, 2u};
            double out = (double)half[i] - radius;
            sphere.centre[i] = (double)centre[i] + (c & SIDE[i] ? -out : out);
        }
        place_sphere(hull, &sphere, &hull->points[c]);
        if (c & 2u) {
            limit_impulse(hull, &hull->points[c]);
        }
    }
}

// A wheel that lies is as hard as the hull. One that stands carries the car by its tyre and spring,
// until both have given way as far as they can: then the rim does, which goes on rolling.
static void place_wheels(ground_hull *hull) {
    for (uint32_t w = 0; w < hull->type->wheel_count; w++) {
        const physics_wheel_place *place = &hull->type->wheels[w];
        const physics_axle *axle = &hull->type->numbers.axles[place->axle];
        const physics_suspension *suspension = &axle->suspension;
        double bump = (double)suspension->travel_bump_m, radius = (double)axle->tyre.radius_m;
        double travel = fmin((double)hull->car->wheels[w].travel_m, bump);
        hull_sphere sphere = {
            {(double)place->x_m, (double)place->y_m, (double)suspension->hub_z_m + travel - radius},
            0.0,
            HULL_FRICTION};
        hull_point *at = &hull->points[CORNERS + 2u * place->axle + place->side];
        uint32_t others = hull->active_count;
        place_sphere(hull, &sphere, at);
        if (dot(hull->axis[2], at->normal) > (double)PHYSICS_UPRIGHT_MIN) {
            hull->active_count = others;
            sphere.centre[2] += bump - travel + (double)PHYSICS_TYRE_DEPTH * radius;
            sphere.friction = 0.0;
            place_sphere(hull, &sphere, at);
        }
    }
}

// Wheels move with the body in a blow: the body's own inertia would be too small by theirs.
static void load_hull(const physics_cars *cars, const physics_car *car, ground_hull *hull) {
    const physics_type *type = &cars->types[car->type];
    const apex_car_def *def = &type->def;
    memset(hull, 0, sizeof *hull);
    hull->cars = cars;
    hull->car = car;
    hull->type = type;
    physics_quaternion_axes(car->orientation, hull->axis[0], hull->axis[1], hull->axis[2]);
    for (uint32_t i = 0; i < 3; i++) {
        hull->velocity[i] = (double)car->velocity_mps[i];
        hull->angular[i] = (double)car->angular_radps[i];
    }
    hull->inverse_inertia[0] = 1.0 / def->inertia_roll_kgm2;
    hull->inverse_inertia[1] = 1.0 / def->inertia_pitch_kgm2;
    hull->inverse_inertia[2] = 1.0 / def->inertia_yaw_kgm2;
    hull->inverse_mass = 1.0 / (double)(type->numbers.mass_kg + car->fuel_kg + car->ballast_kg);
    hull->h_s = (double)cars->conditions.h_s;
    place_corners(hull);
    place_wheels(hull);
}

// Finds the change of a point's accumulated impulse.
static void solve_point(const ground_hull *hull, hull_point *at, double share, double change[3]) {
    double swing[3], speed[3], sliding[3], size = 0.0;
    cross(hull->angular, at->anchor, swing);
    for (uint32_t i = 0; i < 3; i++) {
        speed[i] = hull->velocity[i] + swing[i];
        change[i] = 0.0;
    }
    if (!at->is_active) {
        return;
    }
    double along = dot(speed, at->normal);
    double allowed = at->separation_m > 0.0 ? at->separation_m / hull->h_s : 0.0;
    double wanted = at->normal_ns - (along + allowed) * share / at->normal_inverse_mass;
    wanted = wanted > 0.0 ? wanted : 0.0;
    wanted = wanted < at->max_ns ? wanted : at->max_ns;
    double gain = wanted - at->normal_ns, limit = at->friction * wanted;
    double tangent_mass = share / at->tangent_inverse_mass;
    at->normal_ns = wanted;
    for (uint32_t i = 0; i < 3; i++) {
        sliding[i] = at->friction_ns[i] - (speed[i] - along * at->normal[i]) * tangent_mass;
        size += sliding[i] * sliding[i];
    }
    double scale = size > limit * limit ? limit / sqrt(size) : 1.0;
    for (uint32_t i = 0; i < 3; i++) {
        double friction = sliding[i] * scale;
        change[i] = gain * at->normal[i] + (friction - at->friction_ns[i]);
        at->friction_ns[i] = friction;
    }
}

// @return the change of speed, at most.
static double solve_pair(ground_hull *hull, hull_point pair[2]) {
    double left[3], right[3], left_twist[3], right_twist[3], twist[3], spin[3];
    if (!pair[0].is_active && !pair[1].is_active) {
        return 0.0;
    }
    double share = pair[0].is_active && pair[1].is_active ? 0.5 : 1.0;
    solve_point(hull, &pair[0], share, left);
    solve_point(hull, &pair[1], share, right);
    cross(pair[0].anchor, left, left_twist);
    cross(pair[1].anchor, right, right_twist);
    for (uint32_t i = 0; i < 3; i++) {
        twist[i] = left_twist[i] + right_twist[i];
    }
    angular_change(hull, twist, spin);
    for (uint32_t i = 0; i < 3; i++) {
        hull->velocity[i] += (left[i] + right[i]) * hull->inverse_mass;
        hull->angular[i] += spin[i];
    }
    return (sqrt(dot(left, left)) + sqrt(dot(right, right))) * hull->inverse_mass;
}

static void solve(ground_hull *hull) {
    double change_mps = SETTLED_MPS;
    for (uint32_t i = 0; i < ITERATIONS && change_mps >= SETTLED_MPS; i++) {
        change_mps = 0.0;
        for (uint32_t pair = 0; pair < POINTS; pair += 2) {
            change_mps = fmax(change_mps, solve_pair(hull, &hull->points[pair]));
        }
    }
}

typedef struct hull_motion {
    double velocity[3], angular[3];
} hull_motion;

// Of two equal motions twice the kinetic energy.
static double kinetic_product(const ground_hull *hull, const hull_motion *a, const hull_motion *b) {
    double sum = dot(a->velocity, b->velocity) / hull->inverse_mass;
    for (uint32_t i = 0; i < 3; i++) {
        sum += dot(hull->axis[i], a->angular) * dot(hull->axis[i], b->angular) /
               hull->inverse_inertia[i];
    }
    return sum;
}

// Contacts solved to the end only ever take energy. Where the iterations stop short of it, the
// whole change is scaled back to where none is gained: with it the energy is a parabola.
static void limit_energy(ground_hull *hull) {
    hull_motion before, change;
    for (uint32_t i = 0; i < 3; i++) {
        before.velocity[i] = (double)hull->car->velocity_mps[i];
        before.angular[i] = (double)hull->car->angular_radps[i];
        change.velocity[i] = hull->velocity[i] - before.velocity[i];
        change.angular[i] = hull->angular[i] - before.angular[i];
    }
    double square = kinetic_product(hull, &change, &change);
    double along = kinetic_product(hull, &before, &change);
    if (square <= -2.0 * along) {
        return;
    }
    double scale = along < 0.0 ? -2.0 * along / square : 0.0;
    for (uint32_t i = 0; i < 3; i++) {
        hull->velocity[i] = before.velocity[i] + scale * change.velocity[i];
        hull->angular[i] = before.angular[i] + scale * change.angular[i];
    }
}

static uint32_t count_loaded(const ground_hull *hull) {
    uint32_t loaded = 0;
    for (uint32_t p = 0; p < POINTS; p++) {
        loaded += hull->points[p].normal_ns > 0.0 ? 1 : 0;
    }
    return loaded;
}

static void stop_creep(ground_hull *hull, uint32_t loaded) {
    double reach = 0.0, square = dot(hull->velocity, hull->velocity);
    for (uint32_t p = 0; p < POINTS; p++) {
        reach = fmax(reach, dot(hull->points[p].anchor, hull->points[p].anchor));
    }
    square += dot(hull->angular, hull->angular) * reach;
    bool is_lying = dot(hull->axis[2], hull->points[0].normal) < (double)PHYSICS_UPRIGHT_MIN;
    if (loaded >= 3 && is_lying && square < STILL_MPS * STILL_MPS) {
        memset(hull->velocity, 0, sizeof hull->velocity);
        memset(hull->angular, 0, sizeof hull->angular);
    }
}

static double push_out_of(const ground_hull *hull, const hull_point *at) {
    if (!at->is_active || !isinf(at->max_ns)) {
        return 0.0;
    }
    double depth = fmax(-at->separation_m - SLOP_M, 0.0);
    return fmin(PUSH_OUT_SHARE * depth, PUSH_OUT_MPS_MAX * hull->h_s);
}

// As far as the deepest point asks for; whither, all say together.
static void push_out(const ground_hull *hull, double push_out_m[3]) {
    double sum[3] = {0.0, 0.0, 0.0}, all = 0.0, most = 0.0;
    for (uint32_t p = 0; p < POINTS; p += 2) {
        const hull_point *left = &hull->points[p], *right = left + 1;
        double up[2] = {push_out_of(hull, left), push_out_of(hull, right)};
        all += up[0] + up[1];
        most = fmax(most, fmax(up[0], up[1]));
        for (uint32_t i = 0; i < 3; i++) {
            sum[i] += up[0] * left->normal[i] + up[1] * right->normal[i];
        }
    }
    for (uint32_t i = 0; i < 3; i++) {
        push_out_m[i] = all > 0.0 ? most * sum[i] / all : 0.0;
    }
}

bool physics_hull_solve_ground(physics_cars *cars, uint32_t slot) {
    physics_block *block = &cars->blocks[slot / PHYSICS_LANES];
    uint32_t lane = slot % PHYSICS_LANES;
    physics_car car;
    ground_hull hull;
    double push_out_m[3];
    physics_block_get(cars, slot, &car);
    load_hull(cars, &car, &hull);
    if (hull.active_count == 0) {
        return false;
    }
    solve(&hull);
    uint32_t loaded = count_loaded(&hull);
    if (loaded > 0 && car.airborne) {
        physics_flight_change(cars, slot); // with the speed it came down at
    }
    limit_energy(&hull);
    stop_creep(&hull, loaded);
    push_out(&hull, push_out_m);
    for (uint32_t i = 0; i < 3; i++) {
        lanes_set(&block->velocity_mps[i], lane, (real)hull.velocity[i]);
        lanes_set(&block->angular_radps[i], lane, (real)hull.angular[i]);
        wide_set(&block->position_m[i], lane, car.position_m[i] + push_out_m[i]);
    }
    return loaded > 0;
}
