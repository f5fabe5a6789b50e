// A motorcycle's rider. It balances by steering, as real ones do: to lean left it must first steer
// right, so that the wheels run out from under it (counter-steering). The driver's demand is read
// as the bend that those handlebars would give a car; the rider leans for it. A motorcycle that
// lies on its side stays there.

#include "physics/dynamics/control/rider.h"

// Natural frequency and damping with which the lean is brought about.
static const real LEAN_PER_S = R(6.0);
static const real LEAN_DAMPING = R(0.9);
// Below the first speed a foot is down, above the second the wheels alone balance.
static const real FOOT_MPS = R(2.0), BALANCE_MPS = R(6.0);
static const real FOOT_PER_S = R(12.0);
// The way that the rider shifts the common centre of mass in the saddle, against rolling motions.
static const real BODY_M = R(0.02);
// The rider never steers by less than this speed would need: the bars have an end.
static const real STEER_SPEED_MIN_MPS = R(3.0);
// Cosines of lean: where foot and body begin to lose their hold, and where they have lost it.
static const real FALLING = R(0.6), FALLEN = R(0.35);
static const real LEAN_RATE_RADPS = R(1.5); ///< of the wanted lean

/// Lean and what changes it, all positive to the left as lateral acceleration is; ISO roll is
/// positive to the right.
typedef struct riding {
    lanes speed_mps; ///< forwards or backwards
    lanes lean_rad, lean_radps;
    lanes sine, cosine; ///< of the lean
    lanes target_rad;
    lanes inertia_kgm2; ///< of rolling about the line of the contacts
} riding;

static riding look(const physics_substep *step, lanes asked_rad) {
    const physics_numbers_lanes *numbers = step->numbers;
    const real g = step->gravity_mps2;
    lanes speed = lanes_abs(step->velocity_mps[0]), height = numbers->com_height_m;
    lanes lean = -lanes_atan(step->axis[1][2] / lanes_max(step->axis[2][2], lanes_all(R(0.1))));
    lanes wanted_mps2 = speed * speed * asked_rad / numbers->wheelbase_m;
    lanes most_mps2 = numbers->lean_friction * g;
    wanted_mps2 = lanes_clamp(wanted_mps2, -most_mps2, most_mps2);
    lanes wanted = lanes_atan(wanted_mps2 * (R(1.0) / g));
    lanes change = lanes_all(LEAN_RATE_RADPS * step->h_s), target = -step->block->lean_rad;
    // A nose that points up or down in a bend turns about the body's x, too, without leaning more.
    const lanes *turn = step->angular_radps;
    lanes up_x = step->axis[0][2], up_y = step->axis[1][2], up_z = step->axis[2][2];
    lanes bend = up_x * (turn[2] * up_z + turn[1] * up_y) /
                 lanes_max(up_y * up_y + up_z * up_z, lanes_all(R(0.01)));
    return (riding){
        .speed_mps = speed,
        .lean_rad = lean,
        .lean_radps = bend - turn[0],
        .sine = lanes_sin(lean),
        .cosine = lanes_max(lanes_cos(lean), lanes_all(R(0.2))),
        .target_rad = target + lanes_clamp(wanted - target, -change, change),
        .inertia_kgm2 = numbers->inertia_kgm2[0] + step->mass_kg * height * height,
    };
}

/// The side force of a tyre at the moment: by its spring's load, and by the share of its grip that
/// is at work already, along or across.
typedef struct tyre_feel {
    lanes load_n, n_per_rad;
} tyre_feel;

static tyre_feel feel_tyre(const physics_axle_lanes *axle, const physics_wheel_lanes *wheel, real g,
                           lanes upright) {
    const lanes ZERO = lanes_zero(), ONE = lanes_all(R(1.0));
    const physics_suspension_lanes *suspension = &axle->suspension;
    const physics_tyre_axis_lanes *lateral = &axle->tyre.lateral;
    lanes spring = suspension->static_n + suspension->spring_n_per_m * wheel->travel_m;
    // In a bend the spring carries weight and centrifugal force, along the leaning wheel.
    lanes load = upright * lanes_max(spring + suspension->unsprung_kg * g, ZERO);
    // Under the brake the front seems no stronger than at rest, nor the rear weaker: steering by
    // the true ones would hold the lean and lose the heading.
    lanes rest = suspension->static_n + suspension->unsprung_kg * g;
    lanes_mask is_front = lanes_more(axle->x_m, ZERO);
    load = lanes_select(is_front, lanes_min(load, rest), lanes_max(load, rest)) * axle->present[0];
    lanes along = wheel->deflection_long_m * axle->tyre.longitudinal.per_deflection;
    lanes across = wheel->deflection_lat_m * lateral->per_deflection;
    // Whatever the curve, it begins with the rest's slope and has the peak's height at the peak.
    lanes steepness = lateral->rest_secant / lateral->d;
    lanes fall = lanes_max(steepness * steepness - ONE, ZERO);
    lanes flat = ONE / lanes_sqrt(ONE + fall * (along * along + across * across));
    return (tyre_feel){load, load * lateral->rest_secant * lateral->per_peak * flat};
}

/// The tyres' forces with the bars straight, from the way the contact patches drift.
typedef struct straight_ride {
    lanes force_n;                            ///< sideways
    lanes front_n_per_rad;                    ///< that a radian of the front wheel adds
    lanes front_slip_rad, front_slip_rad_max; ///< and where it would add no more
} straight_ride;

static straight_ride ride_straight(const physics_substep *step, const riding *ride) {
    const real SLIP_SHARE = R(0.8);
    const physics_numbers_lanes *numbers = step->numbers;
    lanes fast = lanes_max(ride->speed_mps, lanes_all(STEER_SPEED_MIN_MPS));
    lanes least = lanes_all(R(0.5)) * step->gravity_mps2 * step->mass_kg;
    lanes up_x = step->axis[0][2], up_y = step->axis[1][2], up_z = step->axis[2][2];
    lanes square = up_z * up_z + up_x * up_x;
    lanes per_length = R(1.0) / lanes_sqrt(lanes_max(square, lanes_all(R(0.01))));
    const lanes left[3] = {-up_y * up_x * per_length, square * per_length,
                           -up_y * up_z * per_length};
    straight_ride out = {.front_n_per_rad = least};
    for (uint32_t a = 0; a < step->drive->axle_count; a++) {
        const physics_axle_lanes *axle = &numbers->axles[a];
        tyre_feel feel =
            feel_tyre(axle, &step->block->wheels[2 * a], step->gravity_mps2, ride->cosine);
        // Of the contact, across the line in which the plane of an unsteered wheel cuts the ground.
        const lanes velocity[3] = {
            step->velocity_mps[0] - numbers->com_height_m * step->angular_radps[1],
            step->velocity_mps[1] + axle->x_m * step->angular_radps[2] +
                numbers->com_height_m * step->angular_radps[0],
            step->velocity_mps[2] - axle->x_m * step->angular_radps[1],
        };
        lanes drift = dot3(velocity, left);
        lanes slip = -drift / fast;
        out.force_n +=
            feel.load_n * axle->tyre.camber_stiffness * ride->sine + feel.n_per_rad * slip;
        lanes_mask is_front = lanes_more(axle->x_m * axle->present[0], lanes_zero());
        out.front_n_per_rad =
            lanes_select(is_front, lanes_max(feel.n_per_rad, least), out.front_n_per_rad);
        out.front_slip_rad = lanes_select(is_front, slip, out.front_slip_rad);
        out.front_slip_rad_max = lanes_select(is_front, SLIP_SHARE * axle->tyre.lateral.peak_slip,
                                              out.front_slip_rad_max);
    }
    return out;
}

// Falling left at lean'' = (g sin(lean) - a cos(lean)) / reach: the sideways acceleration a that
// brings lean to its target, and the bars that bring a about. Mostly those that make up the force
// it takes now: at 70 m/s a motorcycle answers the angle that the bend will want in the end at half
// a hertz, far too late. That angle's share keeps errors about the tyres small; and where the
// heading does not turn as such a bend does, the bars meet it, or the wheels would weave under the
// lean.
static lanes balance(const physics_substep *step, const riding *ride) {
    const real FORCE_SHARE = R(0.8), HEADING_SHARE = R(0.8);
    const physics_numbers_lanes *numbers = step->numbers;
    lanes asked = LEAN_PER_S * LEAN_PER_S * (ride->target_rad - ride->lean_rad) -
                  R(2.0) * LEAN_DAMPING * LEAN_PER_S * ride->lean_radps;
    lanes reach = ride->inertia_kgm2 / (step->mass_kg * numbers->com_height_m);
    lanes across_mps2 = (step->gravity_mps2 * ride->sine - reach * asked) / ride->cosine;
    lanes fast = lanes_max(ride->speed_mps, lanes_all(STEER_SPEED_MIN_MPS));
    lanes per_speed = numbers->wheelbase_m / fast, in_the_end = across_mps2 / fast * per_speed;
    const straight_ride straight = ride_straight(step, ride);
    lanes missing_n = step->mass_kg * across_mps2 - straight.force_n;
    lanes at_once = missing_n / straight.front_n_per_rad;
    const lanes *turn = step->angular_radps;
    lanes heading_radps =
        turn[2] * step->axis[2][2] + turn[1] * step->axis[1][2] + turn[0] * step->axis[0][2];
    lanes astray = heading_radps * per_speed - in_the_end;
    lanes angle = in_the_end + FORCE_SHARE * (at_once - in_the_end) - HEADING_SHARE * astray;
    // A rider does not wrench the bars round where the front wheel only scrubs, or is in the air.
    angle = lanes_clamp(angle, -straight.front_slip_rad_max - straight.front_slip_rad,
                        straight.front_slip_rad_max - straight.front_slip_rad);
    // Leaning wheels turn the more for the same angle of the bars: by 1 / cos(lean).
    return lanes_clamp(angle * ride->cosine, -numbers->steer_max_rad, numbers->steer_max_rad);
}

void FOR_ISA(physics_rider)(physics_substep *step, lanes *steer_rad) {
    physics_block *block = step->block;
    const riding ride = look(step, *steer_rad);
    lanes share = lanes_smoothstep(ride.speed_mps, lanes_all(FOOT_MPS), lanes_all(BALANCE_MPS));
    lanes bars = *steer_rad + (balance(step, &ride) - *steer_rad) * share;

    lanes rate = (-ride.target_rad - block->lean_rad) * (R(1.0) / step->h_s);
    lanes weight = step->gravity_mps2 * step->mass_kg;
    lanes foot_nm = (R(1.0) - share) * weight * step->numbers->com_height_m;
    lanes body_nm = lanes_all(BODY_M) * weight;
    lanes calming = R(-2.0) * FOOT_PER_S * ride.inertia_kgm2 * (ride.lean_radps + rate);
    lanes holding = FOOT_PER_S * FOOT_PER_S * ride.inertia_kgm2 * (ride.target_rad - ride.lean_rad);
    lanes hold = lanes_clamp(holding + calming, -foot_nm, foot_nm);
    hold += lanes_clamp(calming, -body_nm, body_nm) * share;
    lanes reaches = lanes_smoothstep(step->axis[2][2], lanes_all(FALLEN), lanes_all(FALLING));
    hold *= lanes_keep(~step->drive->is_airborne, reaches);
    lanes_mask is_riding = lanes_true(step->numbers->is_motorcycle) & step->drive->is_dynamic;
    *steer_rad = lanes_select(is_riding, bars, *steer_rad);
    step->rider_nm = lanes_keep(is_riding, -hold);
    block->lean_radps = lanes_select(is_riding, rate, block->lean_radps);
    block->lean_rad = lanes_select(is_riding, -ride.target_rad, block->lean_rad);
}

/// One end of a motorcycle, and the force along the ground that it can take: by thrust it would
/// rise about its rear contact, by the brake about its front one.
typedef struct bike_end {
    lanes tipping_n; ///< takes all load off the other end: m g c / h
    lanes grip_n;    ///< the part of the tyre's friction that the bend leaves
    lanes lightness; ///< of the other end: 0 firm, 1 as good as off the ground and rising
    lanes radius_m, spin_radps;
    lanes dragged;  ///< longitudinal slip while braking, in units of the peak's
    lanes brake_nm; ///< full pedal
} bike_end;

// `end` is 1 for the front, -1 for the rear. The other end counts as light with the last fiftieth
// of the weight on it, and the more the faster it rises.
static bike_end look_at_end(const physics_substep *step, real end) {
    const real SHARE = R(0.02), CALM_RADPS = R(0.3), RADPS = R(1.0), RESTING = R(0.1);
    // A bend needs both wheels on the ground with some weight.
    const real LEANT = R(0.4), LEANT_AT = R(0.15);
    // And the tyre something to steer with.
    const real GRIP = R(0.9), SPARE = R(0.35);
    const lanes ZERO = lanes_zero(), ONE = lanes_all(R(1.0));
    lanes weight = step->gravity_mps2 * step->mass_kg;
    lanes up_x = step->axis[0][2], up_z = step->axis[2][2];
    lanes sideways = lanes_abs(step->axis[1][2]) / lanes_max(up_z, lanes_all(R(0.1)));
    bike_end out = {.radius_m = ONE, .brake_nm = ONE};
    lanes load = ZERO;
    for (uint32_t a = 0; a < step->drive->axle_count; a++) {
        const physics_axle_lanes *axle = &step->numbers->axles[a];
        const physics_wheel_pass *wheel = &step->wheels[2 * a];
        lanes_mask is_present = lanes_true(axle->present[0]);
        lanes_mask is_end = lanes_more(end * axle->x_m, ZERO) & is_present;
        lanes x = wheel->x_m - step->com_x_m;
        lanes arm = end * (x * up_z - wheel->z_m * up_x);
        lanes height = -(x * up_x + wheel->z_m * up_z);
        lanes tipping = weight * lanes_max(arm, ZERO) / lanes_max(height, lanes_all(R(0.1)));
        tipping *= ONE - LEANT * lanes_share(sideways * (R(1.0) / LEANT_AT));
        lanes used = sideways / (axle->tyre.lateral.d * wheel->friction);
        lanes left = lanes_sqrt(lanes_max(ONE - used * used, ZERO)) - SPARE * used;
        lanes grip = GRIP * lanes_max(left, ZERO) * axle->tyre.longitudinal.d * wheel->friction *
                     wheel->load_n;
        out.tipping_n = lanes_select(is_end, tipping, out.tipping_n);
        out.grip_n = lanes_select(is_end, grip, out.grip_n);
        out.radius_m = lanes_select(is_end, axle->tyre.radius_m, out.radius_m);
        out.brake_nm = lanes_select(is_end, lanes_max(axle->brake_nm, ONE), out.brake_nm);
        const physics_wheel_lanes *state = &step->block->wheels[2 * a];
        lanes slip = state->deflection_long_m * axle->tyre.longitudinal.per_deflection;
        out.spin_radps = lanes_select(is_end, state->spin_radps, out.spin_radps);
        out.dragged = lanes_select(is_end, -slip, out.dragged);
        load += lanes_keep(~is_end & is_present, wheel->load_n);
    }
    lanes rise = lanes_max(end * step->angular_radps[1] - CALM_RADPS, ZERO);
    rise = lanes_share(RESTING + rise * (R(1.0) / RADPS));
    out.lightness = lanes_share(ONE - load / (SHARE * weight)) * rise;
    return out;
}

static lanes full_torque(const physics_substep *step) {
    lanes torque = lanes_zero();
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        const physics_type *type = step->drive->types[lane];
        lanes_set(&torque, lane, physics_torque_at(&type->torque, step->block->engine_radps[lane]));
    }
    return torque;
}

// Share of full throttle that makes this much thrust.
static lanes throttle_for(const physics_substep *step, const bike_end *rear, lanes thrust_n) {
    const lanes ONE = lanes_all(R(1.0));
    const physics_engine_lanes *engine = &step->numbers->engine;
    lanes per_metre = lanes_abs(step->drive->ratio) / rear->radius_m;
    // An engine in step with its wheel takes a part to gain speed itself; behind a slipping clutch
    // it has no more to gain.
    lanes input = rear->spin_radps * step->drive->ratio;
    lanes slip = lanes_abs(ONE - input / lanes_max(step->block->engine_radps, ONE));
    lanes in_step = lanes_share(R(2.0) - R(20.0) * slip);
    lanes spinning_kg = in_step * engine->inertia_kgm2 * per_metre * per_metre;
    thrust_n *= ONE + spinning_kg / step->mass_kg;
    lanes drag_nm = engine->brake_nms * step->block->engine_radps;
    lanes wanted_nm =
        thrust_n / lanes_max(per_metre * step->numbers->efficiency, lanes_all(R(0.1)));
    return lanes_share((wanted_nm + drag_nm) / lanes_max(full_torque(step) + drag_nm, ONE));
}

// @return the share of what the driver wants that is allowed.
LANES_INLINE lanes share_allowed(lanes wanted, lanes allowed) {
    return lanes_min(allowed / lanes_max(wanted, lanes_all(R(0.01))), lanes_all(R(1.0)));
}

// Thrust and brake are held just below what would lift the other wheel, and taken back where it
// rises all the same: waiting for that alone would saw.
void FOR_ISA(physics_rider_balance)(const physics_substep *step, physics_balance *out) {
    const real THRUST = R(0.98), BRAKE = R(0.92), DRAGGED = R(0.3);
    const lanes ONE = lanes_all(R(1.0));
    const physics_drive *drive = step->drive;
    lanes_mask rides = lanes_true(step->numbers->is_motorcycle);
    bike_end rear = look_at_end(step, R(-1.0)), front = look_at_end(step, R(1.0));

    lanes thrust_n = lanes_min(THRUST * rear.tipping_n, rear.grip_n);
    lanes throttle = share_allowed(drive->throttle, throttle_for(step, &rear, thrust_n));
    out->throttle = lanes_select(rides, throttle * (ONE - rear.lightness), ONE);

    // As a clutch does that slips when the wheel would drive the engine too hard.
    lanes drag_nm = step->numbers->engine.brake_nms * step->block->engine_radps;
    lanes coasting = drag_nm / lanes_max(full_torque(step) + drag_nm, ONE);
    lanes slips = lanes_share((rear.dragged - DRAGGED) * (R(1.0) / DRAGGED));
    lanes_mask is_forward = lanes_more(drive->gear, lanes_zero());
    out->throttle_least = lanes_keep(rides & is_forward, coasting * slips);

    lanes front_nm = lanes_min(BRAKE * front.tipping_n, front.grip_n) * front.radius_m;
    lanes pedal = share_allowed(drive->brake, front_nm / front.brake_nm);
    out->front_brake = lanes_select(rides, pedal * (ONE - front.lightness), ONE);
    lanes rear_nm = rear.grip_n * rear.radius_m;
    out->rear_brake =
        lanes_select(rides, share_allowed(drive->brake, rear_nm / rear.brake_nm), ONE);
}
