// Soft contacts of eight pairs at a time: sequential impulses over small substeps, begun with what
// held last time (Catto, "Soft Step", 2023). A pair's two points are answered together, so that
// neither goes first: a box that lands flat stays flat, and a mirrored hit is a mirrored hit.

#include "physics/solver/constraint.h"

#include "physics/lanes/geometry.h"
#include "physics/lanes/rows.h"

static const real HERTZ_MAX = R(45.0), HERTZ_PER_SUBSTEP = R(0.1875), DAMPING_RATIO = R(10.0);
static const real PUSH_MPS_MAX = R(3.0);
static const real SLOP_M = R(0.005);
static const real RESTITUTION_MPS_MIN = R(1.0);
static const real ANY_MPS = R(-1e6);

_Static_assert(sizeof(physics_motion) == sizeof(lanes) && sizeof(physics_heft) == sizeof(lanes),
               "a row must fill a vector");

// --- Eight cars' rows as vectors ---------------------------------------------------------------

typedef struct pair_motion {
    lanes a[PHYSICS_LANES], b[PHYSICS_LANES]; ///< [0..2] velocity, [3..5] rotation, [6] per mass
} pair_motion;

LANES_INLINE void take_motions(const physics_hulls *hulls, const physics_pairs *pairs,
                               pair_motion *out) {
    physics_rows_take(hulls->motions, pairs->a, out->a);
    physics_rows_take(hulls->motions, pairs->b, out->b);
}

LANES_INLINE void give_motions(const physics_hulls *hulls, const physics_pairs *pairs,
                               pair_motion *in) {
    physics_rows_give(hulls->motions, pairs->a, in->a);
    physics_rows_give(hulls->motions, pairs->b, in->b);
}

// --- Directions --------------------------------------------------------------------------------

// per_inertia times twist.
LANES_INLINE void spin_of(const lanes heft[PHYSICS_LANES], const lanes twist[3], lanes out[3]) {
    out[0] = heft[0] * twist[0] + heft[3] * twist[1] + heft[4] * twist[2];
    out[1] = heft[3] * twist[0] + heft[1] * twist[1] + heft[5] * twist[2];
    out[2] = heft[4] * twist[0] + heft[5] * twist[1] + heft[2] * twist[2];
}

LANES_INLINE lanes_mask is_roof(const lanes normal[3]) {
    return lanes_more(lanes_abs(normal[2]), lanes_all(R(0.5)));
}

// On a roof along and across the world. On a side level and along the surface, and no second one:
// sides slide up along each other. What they do resist is to tip about the level one.
LANES_INLINE void tangents_of(const lanes normal[3], lanes out[2][3]) {
    lanes_mask is_up = is_roof(normal);
    out[0][0] = lanes_select(is_up, lanes_all(R(1.0)), -normal[1]);
    out[0][1] = lanes_keep(~is_up, normal[0]);
    out[0][2] = lanes_zero();
    cross3(normal, out[0], out[1]);
    for (uint32_t i = 0; i < 3; i++) {
        out[1][i] = lanes_keep(is_up, out[1][i]);
    }
}

/// Velocities of b's points against a's.
typedef struct point_speeds {
    lanes mps[2][3];
} point_speeds;

LANES_INLINE void speeds_of(const physics_contacts *contacts, const pair_motion *motion,
                            point_speeds *out) {
    const lanes *turn_a = &motion->a[3], *turn_b = &motion->b[3];
    const lanes turn[3] = {turn_b[0] - turn_a[0], turn_b[1] - turn_a[1], turn_b[2] - turn_a[2]};
    lanes back[3], swing[3];
    cross3(turn_b, contacts->touch.apart_m, back);
    for (uint32_t p = 0; p < 2; p++) {
        cross3(turn, contacts->touch.arm_m[p], swing);
        for (uint32_t i = 0; i < 3; i++) {
            out->mps[p][i] = (motion->b[i] - motion->a[i]) + (swing[i] - back[i]);
        }
    }
}

// Impulses along two directions at once.
LANES_INLINE void apply(const physics_hold *hold, const lanes push[3], const lanes impulse_ns[2],
                        pair_motion *motion) {
    for (uint32_t i = 0; i < 3; i++) {
        motion->a[i] -= motion->a[6] * push[i];
        motion->b[i] += motion->b[6] * push[i];
        motion->a[3 + i] -= impulse_ns[0] * hold->spin_a[0][i] + impulse_ns[1] * hold->spin_a[1][i];
        motion->b[3 + i] += impulse_ns[0] * hold->spin_b[0][i] + impulse_ns[1] * hold->spin_b[1][i];
    }
}

LANES_INLINE void apply_normals(const physics_contacts *contacts, const lanes impulse_ns[2],
                                pair_motion *motion) {
    const lanes *normal = contacts->touch.normal;
    lanes both = impulse_ns[0] + impulse_ns[1];
    const lanes push[3] = {normal[0] * both, normal[1] * both, normal[2] * both};
    apply(&contacts->normals, push, impulse_ns, motion);
}

LANES_INLINE void apply_tangents(const physics_contacts *contacts, lanes tangents[2][3],
                                 const lanes impulse_ns[2], pair_motion *motion) {
    lanes push[3];
    for (uint32_t i = 0; i < 3; i++) {
        push[i] = tangents[0][i] * impulse_ns[0] + tangents[1][i] * impulse_ns[1];
    }
    apply(&contacts->tangents, push, impulse_ns, motion);
}

// --- Prepare -----------------------------------------------------------------------------------

// Cars have moved their ways: both arms still end in the same place, so that what one car loses in
// angular momentum the other gains.
void FOR_ISA(physics_contacts_follow)(const physics_hulls *hulls, physics_contacts *contacts,
                                      real h_s) {
    physics_touch *touch = &contacts->touch;
    lanes way_a[PHYSICS_LANES], way_b[PHYSICS_LANES], opening[3], drift[3];
    physics_rows_take(hulls->ways, contacts->pairs.a, way_a);
    physics_rows_take(hulls->ways, contacts->pairs.b, way_b);
    for (uint32_t i = 0; i < 3; i++) {
        opening[i] = h_s * (way_b[i] - way_a[i]);
        drift[i] = R(0.5) * opening[i];
    }
    for (uint32_t p = 0; p < 2; p++) {
        lanes *arm = touch->arm_m[p];
        const lanes far[3] = {arm[0] - touch->apart_m[0], arm[1] - touch->apart_m[1],
                              arm[2] - touch->apart_m[2]};
        lanes swing_a[3], swing_b[3], apart[3];
        cross3(&way_a[3], arm, swing_a);
        cross3(&way_b[3], far, swing_b);
        for (uint32_t i = 0; i < 3; i++) {
            apart[i] = opening[i] + h_s * (swing_b[i] - swing_a[i]);
            arm[i] += drift[i];
        }
        touch->gap_m[p] += dot3(touch->normal, apart);
    }
    for (uint32_t i = 0; i < 3; i++) {
        touch->apart_m[i] += opening[i];
    }
}

/// What prepare knows of a pair beside its contacts: rows of physics_heft.
typedef struct pair_heft {
    lanes per_mass; ///< of both together
    lanes a[PHYSICS_LANES], b[PHYSICS_LANES];
} pair_heft;

/// A direction at a place: arm x direction, for both.
typedef struct pair_twist {
    lanes a[3], b[3];
} pair_twist;

LANES_INLINE void make_hold(const pair_heft *heft, const pair_twist *twist, uint32_t which,
                            physics_hold *out) {
    spin_of(heft->a, twist->a, out->spin_a[which]);
    spin_of(heft->b, twist->b, out->spin_b[which]);
    out->mobility[which] =
        heft->per_mass + (dot3(twist->a, out->spin_a[which]) + dot3(twist->b, out->spin_b[which]));
}

LANES_INLINE void twist_at(const physics_contacts *contacts, const lanes arm[3],
                           const lanes direction[3], pair_twist *out) {
    const lanes *apart = contacts->touch.apart_m;
    const lanes far[3] = {arm[0] - apart[0], arm[1] - apart[1], arm[2] - apart[2]};
    cross3(arm, direction, out->a);
    cross3(far, direction, out->b);
}

// The second point, or the first once more where there is none.
LANES_INLINE lanes of_second(const physics_contacts *contacts, lanes first, lanes second) {
    return lanes_select(contacts->touch.is_there[1], second, first);
}

void FOR_ISA(physics_contacts_prepare)(const physics_hulls *hulls, physics_contacts *contacts) {
    const physics_pairs *pairs = &contacts->pairs;
    const lanes *normal = contacts->touch.normal;
    lanes tangents[2][3], mean[3];
    pair_heft heft;
    pair_twist twists[2], twist;
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        lanes_set(&heft.per_mass, lane,
                  hulls->motions[pairs->a[lane]].per_mass +
                      hulls->motions[pairs->b[lane]].per_mass);
    }
    physics_rows_take(hulls->hefts, pairs->a, heft.a);
    physics_rows_take(hulls->hefts, pairs->b, heft.b);
    for (uint32_t p = 0; p < 2; p++) {
        twist_at(contacts, contacts->touch.arm_m[p], normal, &twists[p]);
        make_hold(&heft, &twists[p], p, &contacts->normals);
    }
    const physics_hold *hold = &contacts->normals;
    contacts->coupling =
        heft.per_mass + (dot3(twists[0].a, hold->spin_a[1]) + dot3(twists[0].b, hold->spin_b[1]));
    contacts->coupling = lanes_keep(contacts->touch.is_there[1], contacts->coupling);
    for (uint32_t i = 0; i < 3; i++) {
        lanes first = contacts->touch.arm_m[0][i];
        mean[i] = R(0.5) * (first + of_second(contacts, first, contacts->touch.arm_m[1][i]));
    }
    tangents_of(normal, tangents);
    twist_at(contacts, mean, tangents[0], &twist);
    make_hold(&heft, &twist, 0, &contacts->tangents);
    twist_at(contacts, mean, tangents[1], &twist);
    lanes_mask is_up = is_roof(normal);
    for (uint32_t i = 0; i < 3; i++) {
        lanes tips = lanes_keep(~is_up, tangents[0][i]);
        twist.a[i] += tips;
        twist.b[i] += tips;
    }
    heft.per_mass = lanes_keep(is_up, heft.per_mass);
    make_hold(&heft, &twist, 1, &contacts->tangents);
}

// --- Impulses ----------------------------------------------------------------------------------

void FOR_ISA(physics_contacts_warm)(const physics_hulls *hulls, physics_contacts *contacts) {
    pair_motion motion;
    point_speeds speeds;
    lanes tangents[2][3];
    take_motions(hulls, &contacts->pairs, &motion);
    speeds_of(contacts, &motion, &speeds);
    for (uint32_t p = 0; p < 2; p++) {
        lanes_mask is_new = lanes_at_most(contacts->normals.impulse_ns[p], lanes_zero());
        contacts->approach_mps[p] = lanes_keep(is_new, dot3(contacts->touch.normal, speeds.mps[p]));
    }
    tangents_of(contacts->touch.normal, tangents);
    apply_normals(contacts, contacts->normals.impulse_ns, &motion);
    apply_tangents(contacts, tangents, contacts->tangents.impulse_ns, &motion);
    give_motions(hulls, &contacts->pairs, &motion);
}

/// Two points that may push and not pull: the impulses x >= 0 that leave no speed below 0,
/// K x + speed >= 0, and push only where none is left. Each of the four answers is tried.
typedef struct point_pair {
    lanes mobility[2], coupling;
    lanes speed[2];     ///< without any impulse of theirs
    lanes_mask are_two; ///< else there is the first alone
} point_pair;

LANES_INLINE void answer_pair(const point_pair *pair, lanes out[2]) {
    const lanes ZERO = lanes_zero(), ONE = lanes_all(R(1.0));
    const lanes *k = pair->mobility, *b = pair->speed;
    lanes_mask is_loose = lanes_at_most(k[0], ZERO); // nothing there that could move
    lanes k0 = lanes_select(is_loose, ONE, k[0]);
    lanes k1 = lanes_select(is_loose | ~pair->are_two, ONE, k[1]);
    lanes c = pair->coupling;
    lanes determinant = k0 * k1 - c * c;
    // Points close together say the same: then the first alone, or the second, will do.
    lanes_mask is_both = pair->are_two & lanes_more(determinant, R(1e-4) * k0 * k1);
    lanes per = ONE / lanes_select(is_both, determinant, ONE);
    lanes both[2] = {(c * b[1] - k1 * b[0]) * per, (c * b[0] - k0 * b[1]) * per};
    is_both &= lanes_at_most(ZERO, both[0]) & lanes_at_most(ZERO, both[1]);
    lanes first = lanes_max(-b[0] / k0, ZERO), second = lanes_max(-b[1] / k1, ZERO);
    second = lanes_keep(pair->are_two, second);
    lanes_mask is_first = ~pair->are_two | lanes_at_most(ZERO, b[1] + c * first + R(1e-6));
    out[0] = lanes_select(is_both, both[0], lanes_keep(is_first, first));
    out[1] = lanes_select(is_both, both[1], lanes_keep(~is_first, second));
    out[0] = lanes_keep(~is_loose, out[0]);
    out[1] = lanes_keep(~is_loose, out[1]);
}

// The speeds that both points would have if they had not answered at all, above what they may.
LANES_INLINE void look_at_pair(const physics_contacts *contacts, const pair_motion *motion,
                               const lanes floor_mps[2], point_pair *out) {
    const physics_hold *hold = &contacts->normals;
    const lanes_mask *is_there = contacts->touch.is_there;
    point_speeds speeds;
    speeds_of(contacts, motion, &speeds);
    for (uint32_t p = 0; p < 2; p++) {
        out->mobility[p] = hold->mobility[p];
        lanes own =
            hold->mobility[p] * hold->impulse_ns[p] + contacts->coupling * hold->impulse_ns[1 - p];
        lanes speed = dot3(contacts->touch.normal, speeds.mps[p]) - own - floor_mps[p];
        out->speed[p] = lanes_select(is_there[p], speed, lanes_all(R(1.0)));
    }
    out->coupling = contacts->coupling;
    out->are_two = is_there[1];
}

LANES_INLINE void change_normals(physics_contacts *contacts, const lanes impulse_ns[2],
                                 pair_motion *motion) {
    physics_hold *hold = &contacts->normals;
    const lanes change_ns[2] = {impulse_ns[0] - hold->impulse_ns[0],
                                impulse_ns[1] - hold->impulse_ns[1]};
    apply_normals(contacts, change_ns, motion);
    hold->impulse_ns[0] = impulse_ns[0];
    hold->impulse_ns[1] = impulse_ns[1];
}

// As a spring of this frequency and damping that is solved implicitly: how fast it drives out what
// is sunk in, and the share of a rigid contact's impulse that it takes.
typedef struct softness {
    real rate_per_s, share;
} softness;

static softness softness_of(real h_s) {
    const real TURN = R(6.28318530717958648);
    real omega = TURN * real_min(HERTZ_MAX, HERTZ_PER_SUBSTEP / h_s);
    real damped = R(2.0) * DAMPING_RATIO + h_s * omega, stiff = h_s * omega * damped;
    return (softness){omega / damped, stiff / (R(1.0) + stiff)};
}

void FOR_ISA(physics_contacts_push)(const physics_hulls *hulls, physics_contacts *contacts,
                                    real h_s) {
    const softness soft = softness_of(h_s);
    pair_motion motion;
    point_pair pair;
    lanes floor_mps[2], impulse_ns[2];
    take_motions(hulls, &contacts->pairs, &motion);
    for (uint32_t p = 0; p < 2; p++) {
        lanes gap = contacts->touch.gap_m[p];
        lanes out_mps = -soft.rate_per_s * lanes_min(gap + SLOP_M, lanes_zero());
        out_mps = lanes_min(out_mps, lanes_all(PUSH_MPS_MAX));
        lanes_mask is_apart = lanes_more(gap, lanes_zero());
        floor_mps[p] = lanes_select(is_apart, -gap * (R(1.0) / h_s), out_mps);
    }
    look_at_pair(contacts, &motion, floor_mps, &pair);
    answer_pair(&pair, impulse_ns);
    for (uint32_t p = 0; p < 2; p++) {
        lanes_mask is_apart = lanes_more(contacts->touch.gap_m[p], lanes_zero());
        impulse_ns[p] *= lanes_select(is_apart, lanes_all(R(1.0)), lanes_all(soft.share));
    }
    change_normals(contacts, impulse_ns, &motion);
    give_motions(hulls, &contacts->pairs, &motion);
}

// Impulses along the tangents that leave no speed along them; and on sides, instead of the second,
// the twist that leaves them flush.
static void find_rub(const physics_contacts *contacts, const pair_motion *motion,
                     lanes tangents[2][3], lanes out[2]) {
    const physics_hold *hold = &contacts->tangents;
    point_speeds speeds;
    lanes speed[3], tipping[3];
    lanes_mask is_side = ~is_roof(contacts->touch.normal);
    speeds_of(contacts, motion, &speeds);
    for (uint32_t i = 0; i < 3; i++) {
        lanes first = speeds.mps[0][i];
        speed[i] = R(0.5) * (first + of_second(contacts, first, speeds.mps[1][i]));
        tipping[i] = lanes_keep(is_side, motion->b[3 + i] - motion->a[3 + i]);
    }
    const lanes slip[2] = {dot3(tangents[0], speed),
                           dot3(tangents[1], speed) + dot3(tangents[0], tipping)};
    for (uint32_t i = 0; i < 2; i++) {
        lanes_mask is_loose = lanes_at_most(hold->mobility[i], lanes_zero());
        lanes mobility = lanes_select(is_loose, lanes_all(R(1.0)), hold->mobility[i]);
        out[i] = hold->impulse_ns[i] - lanes_keep(~is_loose, slip[i] / mobility);
    }
}

// Coulomb's circle at the mean point, for what the normals bear. The middle of what they bear may
// lie higher or lower than the point, by the lever: so far sides resist to tip.
LANES_INLINE void rub(physics_contacts *contacts, pair_motion *motion) {
    physics_hold *hold = &contacts->tangents;
    const physics_touch *touch = &contacts->touch;
    lanes bears_ns = contacts->normals.impulse_ns[0] + contacts->normals.impulse_ns[1];
    lanes limit_ns = touch->friction * bears_ns, twist_nms = touch->lever_m * bears_ns;
    lanes_mask is_up = is_roof(touch->normal);
    lanes tangents[2][3], wanted[2], change[2];
    tangents_of(touch->normal, tangents);
    find_rub(contacts, motion, tangents, wanted);
    lanes square = wanted[0] * wanted[0] + lanes_keep(is_up, wanted[1] * wanted[1]);
    lanes_mask is_sliding = lanes_more(square, limit_ns * limit_ns);
    lanes size = lanes_sqrt(lanes_select(is_sliding, square, lanes_all(R(1.0))));
    lanes scale = lanes_select(is_sliding, limit_ns / size, lanes_all(R(1.0)));
    const lanes total[2] = {
        wanted[0] * scale,
        lanes_select(is_up, wanted[1] * scale, lanes_clamp(wanted[1], -twist_nms, twist_nms))};
    for (uint32_t i = 0; i < 2; i++) {
        change[i] = total[i] - hold->impulse_ns[i];
        hold->impulse_ns[i] = total[i];
    }
    apply_tangents(contacts, tangents, change, motion);
}

// Metal that gives way springs back ever less: at this closing speed half of what a gentle touch
// does.
static const real SPRINGY_MPS = R(20.0);

LANES_INLINE lanes rebound_mps(lanes restitution, lanes approach_mps) {
    lanes closing = lanes_max(-approach_mps, lanes_zero());
    lanes back = restitution * (SPRINGY_MPS / (SPRINGY_MPS + closing)) * closing;
    return lanes_keep(lanes_more(closing, lanes_all(RESTITUTION_MPS_MIN)), back);
}

// Takes the push out of the speeds again, and gives back what restitution leaves of a hit.
LANES_INLINE void bear(physics_contacts *contacts, pair_motion *motion) {
    point_pair pair;
    lanes floor_mps[2], impulse_ns[2];
    for (uint32_t p = 0; p < 2; p++) {
        // What has not met yet is the next substep's business, with the speed it then has.
        lanes_mask has_met = lanes_more(contacts->normals.impulse_ns[p], lanes_zero()) |
                             lanes_at_most(contacts->touch.gap_m[p], lanes_zero());
        lanes back = rebound_mps(contacts->touch.restitution, contacts->approach_mps[p]);
        floor_mps[p] = lanes_select(has_met, back, lanes_all(ANY_MPS));
    }
    look_at_pair(contacts, motion, floor_mps, &pair);
    answer_pair(&pair, impulse_ns);
    change_normals(contacts, impulse_ns, motion);
}

void FOR_ISA(physics_contacts_relax)(const physics_hulls *hulls, physics_contacts *contacts) {
    pair_motion motion;
    take_motions(hulls, &contacts->pairs, &motion);
    bear(contacts, &motion);
    give_motions(hulls, &contacts->pairs, &motion);
}

void FOR_ISA(physics_contacts_rub)(const physics_hulls *hulls, physics_contacts *contacts) {
    pair_motion motion;
    take_motions(hulls, &contacts->pairs, &motion);
    rub(contacts, &motion);
    bear(contacts, &motion);
    give_motions(hulls, &contacts->pairs, &motion);
}
