// Soft contacts of eight pairs at a time: sequential impulses over small substeps, begun with what
// held last time (Catto, "Soft Step", 2023). A pair's two points are answered together, so that
// neither goes first: a box that lands flat stays flat, and a mirrored hit is a mirrored hit.

#include "physics/hulls_private.h"

#include <string.h>

static const real HERTZ_MAX = R(30.0), HERTZ_PER_SUBSTEP = R(0.125), DAMPING_RATIO = R(10.0);
static const real PUSH_MPS_MAX = R(3.0);
static const real SLOP_M = R(0.005);
static const real RESTITUTION_MPS_MIN = R(1.0);
static const real ANY_MPS = R(-1e6);

_Static_assert(sizeof(physics_motion) == sizeof(lanes) && sizeof(physics_heft) == sizeof(lanes) &&
                   sizeof(physics_way) == sizeof(lanes),
               "a row must fill a vector");

// --- Eight cars' rows as vectors ---------------------------------------------------------------

typedef struct pair_motion {
    lanes a[PHYSICS_LANES], b[PHYSICS_LANES]; ///< [0..2] velocity, [3..5] rotation
} pair_motion;

LANES_INLINE void take_rows(const void *rows, const uint32_t index[PHYSICS_LANES],
                            lanes out[PHYSICS_LANES]) {
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        memcpy(&out[lane], (const char *)rows + index[lane] * sizeof(lanes), sizeof(lanes));
    }
    lanes_transpose(out);
}

LANES_INLINE void give_rows(void *rows, const uint32_t index[PHYSICS_LANES],
                            lanes in[PHYSICS_LANES]) {
    lanes_transpose(in);
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        memcpy((char *)rows + index[lane] * sizeof(lanes), &in[lane], sizeof(lanes));
    }
}

LANES_INLINE void take_motions(const physics_hulls *hulls, const physics_pairs *pairs,
                               pair_motion *out) {
    take_rows(hulls->motions, pairs->a, out->a);
    take_rows(hulls->motions, pairs->b, out->b);
}

LANES_INLINE void give_motions(const physics_hulls *hulls, const physics_pairs *pairs,
                               pair_motion *in) {
    give_rows(hulls->motions, pairs->a, in->a);
    give_rows(hulls->motions, pairs->b, in->b);
}

// --- Rows --------------------------------------------------------------------------------------

LANES_INLINE lanes row_speed(const physics_row *row, const pair_motion *motion) {
    const lanes apart[3] = {motion->b[0] - motion->a[0], motion->b[1] - motion->a[1],
                            motion->b[2] - motion->a[2]};
    return dot3(row->direction, apart) +
           (dot3(row->twist_b, &motion->b[3]) - dot3(row->twist_a, &motion->a[3]));
}

LANES_INLINE void row_apply(const physics_row *row, const lanes per_mass[2], lanes impulse_ns,
                            pair_motion *motion) {
    lanes a = impulse_ns * per_mass[0], b = impulse_ns * per_mass[1];
    for (uint32_t i = 0; i < 3; i++) {
        motion->a[i] -= a * row->direction[i];
        motion->b[i] += b * row->direction[i];
        motion->a[3 + i] -= impulse_ns * row->spin_a[i];
        motion->b[3 + i] += impulse_ns * row->spin_b[i];
    }
}

// per_inertia times twist.
LANES_INLINE void spin_of(const lanes heft[PHYSICS_LANES], const lanes twist[3], lanes out[3]) {
    out[0] = heft[0] * twist[0] + heft[3] * twist[1] + heft[4] * twist[2];
    out[1] = heft[3] * twist[0] + heft[1] * twist[1] + heft[5] * twist[2];
    out[2] = heft[4] * twist[0] + heft[5] * twist[1] + heft[2] * twist[2];
}

/// What prepare knows of a pair beside its contacts.
typedef struct pair_heft {
    lanes a[PHYSICS_LANES], b[PHYSICS_LANES]; ///< as physics_heft
} pair_heft;

static void make_row(const pair_heft *heft, const lanes direction[3], const lanes arm_a[3],
                     const lanes arm_b[3], physics_row *row) {
    memcpy(row->direction, direction, sizeof row->direction);
    cross3(arm_a, direction, row->twist_a);
    cross3(arm_b, direction, row->twist_b);
    spin_of(heft->a, row->twist_a, row->spin_a);
    spin_of(heft->b, row->twist_b, row->spin_b);
    row->mobility = (heft->a[6] + heft->b[6]) +
                    (dot3(row->twist_a, row->spin_a) + dot3(row->twist_b, row->spin_b));
}

// --- Prepare -----------------------------------------------------------------------------------

/// A point as it is now.
typedef struct point_place {
    lanes arm_a[3], arm_b[3];
    lanes gap_m;
} point_place;

// Both arms end in the same place, whatever the cars have done since: what one car loses in angular
// momentum the other gains.
static void place_point(const physics_contacts *contacts, uint32_t p, const lanes way_a[],
                        const lanes way_b[], point_place *out) {
    const lanes *normal = contacts->touch.normal, *arm = contacts->touch.arm_m[p];
    const lanes *apart = contacts->pairs.apart_m;
    const lanes far[3] = {arm[0] - apart[0], arm[1] - apart[1], arm[2] - apart[2]};
    lanes swing_a[3], swing_b[3], opening[3];
    cross3(&way_a[3], arm, swing_a);
    cross3(&way_b[3], far, swing_b);
    for (uint32_t i = 0; i < 3; i++) {
        lanes drift = R(0.5) * (way_b[i] - way_a[i]);
        opening[i] = R(2.0) * drift + (swing_b[i] - swing_a[i]);
        out->arm_a[i] = arm[i] + drift;
        out->arm_b[i] = far[i] - drift;
    }
    out->gap_m = contacts->touch.gap_m[p] + dot3(normal, opening);
}

// Level and along the surface; then up it. On a roof along and across the world.
LANES_INLINE void tangents_of(const lanes normal[3], lanes first[3], lanes second[3]) {
    lanes_mask is_roof = lanes_more(lanes_abs(normal[2]), lanes_all(R(0.5)));
    first[0] = lanes_select(is_roof, lanes_all(R(1.0)), -normal[1]);
    first[1] = lanes_keep(~is_roof, normal[0]);
    first[2] = lanes_zero();
    cross3(normal, first, second);
}

void LEVEL(physics_contacts_prepare)(const physics_hulls *hulls, physics_contacts *contacts) {
    const physics_pairs *pairs = &contacts->pairs;
    lanes way_a[PHYSICS_LANES], way_b[PHYSICS_LANES], tangents[2][3];
    pair_heft heft;
    point_place places[2], mean;
    take_rows(hulls->hefts, pairs->a, heft.a);
    take_rows(hulls->hefts, pairs->b, heft.b);
    take_rows(hulls->ways, pairs->a, way_a);
    take_rows(hulls->ways, pairs->b, way_b);
    for (uint32_t p = 0; p < 2; p++) {
        place_point(contacts, p, way_a, way_b, &places[p]);
        contacts->gap_m[p] = places[p].gap_m;
        make_row(&heft, contacts->touch.normal, places[p].arm_a, places[p].arm_b,
                 &contacts->normals[p]);
    }
    const physics_row *n = contacts->normals;
    contacts->coupling = (heft.a[6] + heft.b[6]) +
                         (dot3(n[0].twist_a, n[1].spin_a) + dot3(n[0].twist_b, n[1].spin_b));
    contacts->coupling = lanes_keep(contacts->touch.is_there[1], contacts->coupling);
    for (uint32_t i = 0; i < 3; i++) {
        lanes_mask is_both = contacts->touch.is_there[1];
        mean.arm_a[i] = R(0.5) * (places[0].arm_a[i] +
                                  lanes_select(is_both, places[1].arm_a[i], places[0].arm_a[i]));
        mean.arm_b[i] = R(0.5) * (places[0].arm_b[i] +
                                  lanes_select(is_both, places[1].arm_b[i], places[0].arm_b[i]));
    }
    tangents_of(contacts->touch.normal, tangents[0], tangents[1]);
    for (uint32_t i = 0; i < 2; i++) {
        make_row(&heft, tangents[i], mean.arm_a, mean.arm_b, &contacts->tangents[i]);
    }
}

// --- Impulses ----------------------------------------------------------------------------------

LANES_INLINE void masses_of(const physics_hulls *hulls, const physics_pairs *pairs,
                            lanes per_mass[2]) {
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        lanes_set(&per_mass[0], lane, hulls->hefts[pairs->a[lane]].per_mass);
        lanes_set(&per_mass[1], lane, hulls->hefts[pairs->b[lane]].per_mass);
    }
}

void LEVEL(physics_contacts_warm)(const physics_hulls *hulls, physics_contacts *contacts) {
    pair_motion motion;
    lanes per_mass[2];
    take_motions(hulls, &contacts->pairs, &motion);
    masses_of(hulls, &contacts->pairs, per_mass);
    for (uint32_t p = 0; p < 2; p++) {
        contacts->approach_mps[p] = row_speed(&contacts->normals[p], &motion);
    }
    for (uint32_t p = 0; p < 2; p++) {
        row_apply(&contacts->normals[p], per_mass, contacts->normals[p].impulse_ns, &motion);
        row_apply(&contacts->tangents[p], per_mass, contacts->tangents[p].impulse_ns, &motion);
    }
    give_motions(hulls, &contacts->pairs, &motion);
}

/// Two points that may push and not pull: the impulses x >= 0 that leave no speed below 0,
/// K x + speed >= 0, and push only where none is left. Each of the four answers is tried.
typedef struct point_pair {
    lanes mobility[2], coupling;
    lanes speed[2]; ///< without any impulse of theirs
    lanes_mask is_second;
} point_pair;

LANES_INLINE void answer_pair(const point_pair *pair, lanes out[2]) {
    const lanes ZERO = lanes_zero(), ONE = lanes_all(R(1.0));
    const lanes *k = pair->mobility, *b = pair->speed;
    lanes_mask is_loose = lanes_at_most(k[0], ZERO); // nothing there that could move
    lanes k0 = lanes_select(is_loose, ONE, k[0]);
    lanes k1 = lanes_select(is_loose | ~pair->is_second, ONE, k[1]);
    lanes c = pair->coupling;
    lanes determinant = k0 * k1 - c * c;
    // Points close together say the same: then the first alone, or the second, will do.
    lanes_mask is_both = pair->is_second & lanes_more(determinant, R(1e-4) * k0 * k1);
    lanes per = ONE / lanes_select(is_both, determinant, ONE);
    lanes both[2] = {(c * b[1] - k1 * b[0]) * per, (c * b[0] - k0 * b[1]) * per};
    is_both &= lanes_at_most(ZERO, both[0]) & lanes_at_most(ZERO, both[1]);
    lanes first = lanes_max(-b[0] / k0, ZERO), second = lanes_max(-b[1] / k1, ZERO);
    second = lanes_keep(pair->is_second, second);
    lanes_mask is_first = ~pair->is_second | lanes_at_most(ZERO, b[1] + c * first + R(1e-6));
    out[0] = lanes_select(is_both, both[0], lanes_keep(is_first, first));
    out[1] = lanes_select(is_both, both[1], lanes_keep(~is_first, second));
    out[0] = lanes_keep(~is_loose, out[0]);
    out[1] = lanes_keep(~is_loose, out[1]);
}

// The speeds that both points would have if they had not answered at all, above what they may.
LANES_INLINE void look_at_pair(const physics_contacts *contacts, const pair_motion *motion,
                               const lanes floor_mps[2], point_pair *out) {
    const physics_row *n = contacts->normals;
    const lanes_mask *is_there = contacts->touch.is_there;
    for (uint32_t p = 0; p < 2; p++) {
        out->mobility[p] = n[p].mobility;
        lanes own = n[p].mobility * n[p].impulse_ns + contacts->coupling * n[1 - p].impulse_ns;
        lanes speed = row_speed(&n[p], motion) - own - floor_mps[p];
        out->speed[p] = lanes_select(is_there[p], speed, lanes_all(R(1.0)));
    }
    out->coupling = contacts->coupling;
    out->is_second = is_there[1];
}

LANES_INLINE void apply_normals(physics_contacts *contacts, const lanes per_mass[2],
                                const lanes impulse_ns[2], pair_motion *motion) {
    for (uint32_t p = 0; p < 2; p++) {
        physics_row *row = &contacts->normals[p];
        row_apply(row, per_mass, impulse_ns[p] - row->impulse_ns, motion);
        row->impulse_ns = impulse_ns[p];
    }
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

void LEVEL(physics_contacts_push)(const physics_hulls *hulls, physics_contacts *contacts,
                                  real h_s) {
    const softness soft = softness_of(h_s);
    pair_motion motion;
    point_pair pair;
    lanes per_mass[2], floor_mps[2], impulse_ns[2];
    take_motions(hulls, &contacts->pairs, &motion);
    masses_of(hulls, &contacts->pairs, per_mass);
    for (uint32_t p = 0; p < 2; p++) {
        lanes gap = contacts->gap_m[p];
        lanes out_mps = -soft.rate_per_s * lanes_min(gap + SLOP_M, lanes_zero());
        out_mps = lanes_min(out_mps, lanes_all(PUSH_MPS_MAX));
        lanes_mask is_apart = lanes_more(gap, lanes_zero());
        floor_mps[p] = lanes_select(is_apart, -gap * (R(1.0) / h_s), out_mps);
    }
    look_at_pair(contacts, &motion, floor_mps, &pair);
    answer_pair(&pair, impulse_ns);
    for (uint32_t p = 0; p < 2; p++) {
        lanes_mask is_apart = lanes_more(contacts->gap_m[p], lanes_zero());
        impulse_ns[p] *= lanes_select(is_apart, lanes_all(R(1.0)), lanes_all(soft.share));
    }
    apply_normals(contacts, per_mass, impulse_ns, &motion);
    give_motions(hulls, &contacts->pairs, &motion);
}

// Coulomb's circle at the mean point, for what the normals bear.
LANES_INLINE void rub(physics_contacts *contacts, const lanes per_mass[2], pair_motion *motion) {
    physics_row *t = contacts->tangents;
    lanes limit =
        contacts->friction * (contacts->normals[0].impulse_ns + contacts->normals[1].impulse_ns);
    lanes wanted[2];
    for (uint32_t i = 0; i < 2; i++) {
        lanes_mask is_loose = lanes_at_most(t[i].mobility, lanes_zero());
        lanes mobility = lanes_select(is_loose, lanes_all(R(1.0)), t[i].mobility);
        wanted[i] = t[i].impulse_ns - lanes_keep(~is_loose, row_speed(&t[i], motion) / mobility);
    }
    lanes square = wanted[0] * wanted[0] + wanted[1] * wanted[1];
    lanes_mask is_sliding = lanes_more(square, limit * limit);
    lanes size = lanes_sqrt(lanes_select(is_sliding, square, lanes_all(R(1.0))));
    lanes scale = lanes_select(is_sliding, limit / size, lanes_all(R(1.0)));
    for (uint32_t i = 0; i < 2; i++) {
        lanes impulse = wanted[i] * scale;
        row_apply(&t[i], per_mass, impulse - t[i].impulse_ns, motion);
        t[i].impulse_ns = impulse;
    }
}

// Half of a hit at 20 m/s comes back as of one at walking pace.
static const real SPRINGY_MPS = R(20.0);

real physics_restitution(real restitution, real closing_mps) {
    return restitution * SPRINGY_MPS / (SPRINGY_MPS + closing_mps);
}

LANES_INLINE lanes rebound_mps(lanes restitution, lanes approach_mps) {
    lanes closing = lanes_max(-approach_mps, lanes_zero());
    lanes back = restitution * (SPRINGY_MPS / (SPRINGY_MPS + closing)) * closing;
    return lanes_keep(lanes_more(closing, lanes_all(RESTITUTION_MPS_MIN)), back);
}

void LEVEL(physics_contacts_relax)(const physics_hulls *hulls, physics_contacts *contacts) {
    pair_motion motion;
    point_pair pair;
    lanes per_mass[2], floor_mps[2], impulse_ns[2];
    take_motions(hulls, &contacts->pairs, &motion);
    masses_of(hulls, &contacts->pairs, per_mass);
    rub(contacts, per_mass, &motion);
    for (uint32_t p = 0; p < 2; p++) {
        // What has not met yet is the next substep's business, with the speed it then has.
        lanes_mask has_met = lanes_more(contacts->normals[p].impulse_ns, lanes_zero()) |
                             lanes_at_most(contacts->gap_m[p], lanes_zero());
        lanes back = rebound_mps(contacts->restitution, contacts->approach_mps[p]);
        floor_mps[p] = lanes_select(has_met, back, lanes_all(ANY_MPS));
    }
    look_at_pair(contacts, &motion, floor_mps, &pair);
    answer_pair(&pair, impulse_ns);
    apply_normals(contacts, per_mass, impulse_ns, &motion);
    give_motions(hulls, &contacts->pairs, &motion);
}
