// Manifolds of eight pairs of boxes at a time: the axis that separates them most, and the points
// across it (DECISIONS 25).
//
// A hull is a box as seen from above, with a height and rounded edges: four axes in the plan and
// the vertical. Where the vertical is the least overlap, of less than half of the flatter one's
// height and not more than 0.4 m, the one lies on the other and is pushed up at four corners, each
// with the separation of the two faces there, so that it is laid flat. Every other pair is pushed
// level, at the height of both centres of mass or as near to it as both have metal. The price: a
// hull that tumbles faster than three turns a second may penetrate by the growth of its outline in
// a substep.

#include "physics/solver/manifold.h"

#include "physics/lanes/geometry.h"
#include "physics/lanes/rows.h"

_Static_assert(sizeof(physics_box) == sizeof(lanes), "a row must fill a vector");

// For boxes that overlap, a later axis must be clearly better, so that the choice does not flicker.
// Apart, only the best one tells the distance.
static const real AXIS_HYSTERESIS_M = R(0.002);
// A hull is on top if it shares no more of the height than this share of the lower one.
static const real ON_TOP_SHARE = R(0.5), ON_TOP_M_MAX = R(0.4);
// Points closer together than this are one.
static const real MERGE_M = R(0.01);

/// A box in the plan, about its own middle.
typedef struct plan_box {
    lanes cos_yaw, sin_yaw;
    lanes half_m[2];
    lanes low_m, high_m;
    lanes rounding_m, reach_m;
} plan_box;

LANES_INLINE void load_boxes(const physics_hulls *hulls, const uint32_t index[PHYSICS_LANES],
                             plan_box *out) {
    lanes box[PHYSICS_LANES];
    physics_rows_gather(hulls->boxes, index, box);
    out->cos_yaw = box[0];
    out->sin_yaw = box[1];
    out->half_m[0] = box[2];
    out->half_m[1] = box[3];
    out->low_m = box[4];
    out->high_m = box[5];
    out->rounding_m = box[6];
    out->reach_m = box[7];
}

/// The rest of a box, which matters only in contact.
typedef struct plan_surface {
    lanes friction, restitution;
    lanes centre_m[2];
    lanes slope[2], half_thickness_m;
} plan_surface;

LANES_INLINE void load_surfaces(const physics_hulls *hulls, const uint32_t index[PHYSICS_LANES],
                                plan_surface *out) {
    lanes surface[PHYSICS_LANES];
    physics_rows_gather(hulls->surfaces, index, surface);
    out->friction = surface[0];
    out->restitution = surface[1];
    out->centre_m[0] = surface[2];
    out->centre_m[1] = surface[3];
    out->slope[0] = surface[4];
    out->slope[1] = surface[5];
    out->half_thickness_m = surface[6];
}

// The difference is exact enough for a float; places in the world are not.
LANES_INLINE void load_offsets(const physics_hulls *hulls, const uint32_t a[PHYSICS_LANES],
                               const uint32_t b[PHYSICS_LANES], lanes out[3]) {
    lanes rows[PHYSICS_LANES];
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        rows[lane] = lanes_difference(hulls->positions[b[lane]].centre_m,
                                      hulls->positions[a[lane]].centre_m);
    }
    lanes_transpose(rows);
    out[0] = rows[0];
    out[1] = rows[1];
    out[2] = rows[2];
}

/// Two boxes against each other.
typedef struct box_pair {
    plan_box a, b;
    lanes offset_m[3];                ///< from a's middle to b's
    lanes cos_relative, sin_relative; ///< cosine and sine of b's yaw against a's
    lanes from_a[2], from_b[2];       ///< from a's middle to b's, in the directions of each
    lanes low_m, high_m; ///< the heights both have; low above high: one is over the other
    lanes rounding_m;    ///< of both together
    // Of the reference face.
    lanes separation_m;    ///< of the boxes without rounding
    lanes_mask is_b;       ///< it is b's
    lanes_mask is_lateral; ///< it is one of the long sides
    lanes_mask is_on_top;
} box_pair;

LANES_INLINE void try_axis(box_pair *pair, lanes separation_m, bool is_b, bool is_lateral) {
    lanes_mask is_overlap = lanes_less(separation_m, lanes_zero());
    lanes clearly_m = lanes_keep(is_overlap, lanes_all(AXIS_HYSTERESIS_M));
    lanes_mask is_better = lanes_more(separation_m, pair->separation_m + clearly_m);
    lanes_mask yes = ~(lanes_mask){0}, no = {0};
    pair->separation_m = lanes_select(is_better, separation_m, pair->separation_m);
    pair->is_b = (is_better & (is_b ? yes : no)) | (~is_better & pair->is_b);
    pair->is_lateral = (is_better & (is_lateral ? yes : no)) | (~is_better & pair->is_lateral);
}

LANES_INLINE void choose_axis(box_pair *pair) {
    const plan_box *a = &pair->a, *b = &pair->b;
    lanes ahead = lanes_abs(pair->cos_relative), aside = lanes_abs(pair->sin_relative);
    pair->separation_m =
        lanes_abs(pair->from_a[0]) - a->half_m[0] - (ahead * b->half_m[0] + aside * b->half_m[1]);
    pair->is_b = pair->is_lateral = (lanes_mask){0};
    try_axis(pair,
             lanes_abs(pair->from_a[1]) - a->half_m[1] -
                 (aside * b->half_m[0] + ahead * b->half_m[1]),
             false, true);
    try_axis(pair,
             lanes_abs(pair->from_b[0]) - b->half_m[0] -
                 (ahead * a->half_m[0] + aside * a->half_m[1]),
             true, false);
    try_axis(pair,
             lanes_abs(pair->from_b[1]) - b->half_m[1] -
                 (aside * a->half_m[0] + ahead * a->half_m[1]),
             true, true);
    lanes planar_m = pair->separation_m - pair->rounding_m;
    lanes lower_m = lanes_min(a->high_m - a->low_m, b->high_m - b->low_m);
    lanes shared_m = pair->high_m - pair->low_m;
    lanes most_m = lanes_min(ON_TOP_SHARE * lower_m, lanes_all(ON_TOP_M_MAX));
    pair->is_on_top =
        lanes_more(-shared_m, planar_m + AXIS_HYSTERESIS_M) & lanes_less(shared_m, most_m);
}

LANES_INLINE void load_pair(const physics_hulls *hulls, const uint32_t first[PHYSICS_LANES],
                            const uint32_t second[PHYSICS_LANES], box_pair *pair) {
    load_boxes(hulls, first, &pair->a);
    load_boxes(hulls, second, &pair->b);
    load_offsets(hulls, first, second, pair->offset_m);
    const plan_box *a = &pair->a, *b = &pair->b;
    lanes x = pair->offset_m[0], y = pair->offset_m[1];
    pair->cos_relative = a->cos_yaw * b->cos_yaw + a->sin_yaw * b->sin_yaw;
    pair->sin_relative = a->cos_yaw * b->sin_yaw - a->sin_yaw * b->cos_yaw;
    pair->from_a[0] = a->cos_yaw * x + a->sin_yaw * y;
    pair->from_a[1] = a->cos_yaw * y - a->sin_yaw * x;
    pair->from_b[0] = b->cos_yaw * x + b->sin_yaw * y;
    pair->from_b[1] = b->cos_yaw * y - b->sin_yaw * x;
    pair->low_m = lanes_max(a->low_m, b->low_m + pair->offset_m[2]);
    pair->high_m = lanes_min(a->high_m, b->high_m + pair->offset_m[2]);
    pair->rounding_m = a->rounding_m + b->rounding_m;
    choose_axis(pair);
}

LANES_INLINE lanes separation_of(const box_pair *pair) {
    return lanes_max(pair->separation_m - pair->rounding_m, pair->low_m - pair->high_m);
}

uint32_t FOR_ISA(physics_find_near)(const physics_hulls *hulls, const uint32_t pairs[],
                                    uint32_t count, uint32_t near[]) {
    uint32_t found = 0, last[PHYSICS_LANES], whole = count / PHYSICS_LANES * PHYSICS_LANES;
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        last[lane] =
            whole + lane < count ? pairs[whole + lane] : physics_pair(hulls->count, hulls->count);
    }
    for (uint32_t from = 0; from < count; from += PHYSICS_LANES) {
        uint32_t a[PHYSICS_LANES], b[PHYSICS_LANES];
        const uint32_t *eight = from < whole ? &pairs[from] : last;
        box_pair pair;
        for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
            a[lane] = physics_pair_lower(eight[lane]);
            b[lane] = physics_pair_higher(eight[lane]);
        }
        load_pair(hulls, a, b, &pair);
        uint32_t is_near =
            lanes_which(lanes_less(separation_of(&pair), pair.a.reach_m + pair.b.reach_m));
        uint32_t is_on_top = lanes_which(pair.is_on_top);
        for (; is_near != 0; is_near &= is_near - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(is_near);
            near[found++] = (from + lane) | ((is_on_top >> lane & 1) != 0 ? PHYSICS_ON_TOP : 0);
        }
    }
    return found;
}

/// The reference box's frame, turned so that its face looks along the first direction, out to the
/// incident box, whose facing edge runs between two ends.
typedef struct reference_face {
    lanes out_x, out_y;   ///< the first direction in the world
    lanes face_m, side_m; ///< half sizes of the reference box: to the face, and along it
    lanes end_m[2][2];    ///< of the edge: out and along
    lanes rounding_m;     ///< of the incident box
} reference_face;

// Turns the frame by a right angle: the second direction becomes the first.
LANES_INLINE void rotate_quarter(lanes_mask is_lateral, lanes at[2]) {
    lanes first = lanes_select(is_lateral, at[1], at[0]);
    at[1] = lanes_select(is_lateral, -at[0], at[1]);
    at[0] = first;
}

LANES_INLINE void find_incident_edge(const lanes middle[2], const lanes ahead[2],
                                     const lanes half_m[2], lanes end_m[2][2]) {
    const lanes left[2] = {-ahead[1], ahead[0]};
    lanes_mask is_front = ~lanes_less(lanes_abs(ahead[0]), lanes_abs(left[0]));
    lanes out_m = lanes_select(is_front, half_m[0], half_m[1]);
    lanes along_m = lanes_select(is_front, half_m[1], half_m[0]);
    lanes out[2], along[2];
    for (uint32_t i = 0; i < 2; i++) {
        out[i] = lanes_select(is_front, ahead[i], left[i]);
        along[i] = lanes_select(is_front, left[i], ahead[i]);
    }
    lanes towards_m = lanes_with_sign(out_m, -out[0]);
    for (uint32_t i = 0; i < 2; i++) {
        lanes face = middle[i] + towards_m * out[i];
        end_m[0][i] = face + along_m * along[i];
        end_m[1][i] = face - along_m * along[i];
    }
}

static void find_reference_face(const box_pair *pair, reference_face *face) {
    const plan_box *a = &pair->a, *b = &pair->b;
    lanes_mask is_b = pair->is_b, is_lateral = pair->is_lateral;
    lanes middle[2], ahead[2], half_m[2], reference_m[2];
    for (uint32_t i = 0; i < 2; i++) {
        middle[i] = lanes_select(is_b, -pair->from_b[i], pair->from_a[i]);
        half_m[i] = lanes_select(is_b, a->half_m[i], b->half_m[i]);
        reference_m[i] = lanes_select(is_b, b->half_m[i], a->half_m[i]);
    }
    ahead[0] = pair->cos_relative;
    ahead[1] = lanes_select(is_b, -pair->sin_relative, pair->sin_relative);
    lanes cos_yaw = lanes_select(is_b, b->cos_yaw, a->cos_yaw);
    lanes sin_yaw = lanes_select(is_b, b->sin_yaw, a->sin_yaw);
    rotate_quarter(is_lateral, middle);
    rotate_quarter(is_lateral, ahead);
    lanes sign = lanes_with_sign(lanes_all(R(1.0)), middle[0]);
    for (uint32_t i = 0; i < 2; i++) {
        middle[i] *= sign;
        ahead[i] *= sign;
    }
    face->out_x = sign * lanes_select(is_lateral, -sin_yaw, cos_yaw);
    face->out_y = sign * lanes_select(is_lateral, cos_yaw, sin_yaw);
    face->face_m = lanes_select(is_lateral, reference_m[1], reference_m[0]);
    face->side_m = lanes_select(is_lateral, reference_m[0], reference_m[1]);
    face->rounding_m = lanes_select(is_b, a->rounding_m, b->rounding_m);
    find_incident_edge(middle, ahead, half_m, face->end_m);
}

/// Points in the reference frame, and the normal there.
typedef struct plan_manifold {
    lanes out[2], along[2];
    lanes separation_m[2];
    lanes normal_out, normal_along;
    lanes_mask is_one;
} plan_manifold;

// The edge, as far as it lies over the face.
static void clip(const reference_face *face, lanes rounding_m, plan_manifold *manifold) {
    const lanes(*end)[2] = face->end_m;
    lanes run = end[1][1] - end[0][1];
    lanes_mask is_steep = lanes_less(lanes_abs(run), lanes_all(R(1e-4)));
    lanes slope = lanes_keep(~is_steep, (end[1][0] - end[0][0]) /
                                            lanes_select(is_steep, lanes_all(R(1.0)), run));
    for (uint32_t p = 0; p < 2; p++) {
        manifold->along[p] = lanes_clamp(end[p][1], -face->side_m, face->side_m);
        lanes out = end[p][0] + (manifold->along[p] - end[p][1]) * slope;
        manifold->separation_m[p] = out - face->face_m - rounding_m;
        manifold->out[p] = out - (face->rounding_m + R(0.5) * manifold->separation_m[p]);
    }
    manifold->normal_out = lanes_all(R(1.0));
    manifold->normal_along = lanes_zero();
    manifold->is_one =
        lanes_less(lanes_abs(manifold->along[0] - manifold->along[1]), lanes_all(MERGE_M));
    lanes_mask is_lower =
        manifold->is_one & lanes_less(manifold->separation_m[1], manifold->separation_m[0]);
    manifold->out[0] = lanes_select(is_lower, manifold->out[1], manifold->out[0]);
    manifold->along[0] = lanes_select(is_lower, manifold->along[1], manifold->along[0]);
    manifold->separation_m[0] =
        lanes_select(is_lower, manifold->separation_m[1], manifold->separation_m[0]);
}

// Two corners whose roundings meet: past the end of the face, boxes apart.
static void collide_corners(const box_pair *pair, const reference_face *face,
                            plan_manifold *manifold) {
    const lanes ZERO = lanes_zero();
    lanes out[2], past[2], square[2];
    for (uint32_t p = 0; p < 2; p++) {
        out[p] = face->end_m[p][0] - face->face_m;
        lanes along = face->end_m[p][1];
        past[p] = lanes_with_sign(lanes_max(lanes_abs(along) - face->side_m, ZERO), along);
        square[p] = out[p] * out[p] + past[p] * past[p];
    }
    lanes_mask is_second = lanes_less(square[1], square[0]);
    lanes o = lanes_select(is_second, out[1], out[0]);
    lanes a = lanes_select(is_second, past[1], past[0]);
    lanes distance = lanes_sqrt(lanes_min(square[0], square[1]));
    lanes_mask is_corner =
        lanes_more(pair->separation_m, ZERO) & lanes_more(lanes_abs(a), lanes_all(R(1e-5)));
    if (!lanes_any(is_corner)) {
        return;
    }
    lanes per = R(1.0) / lanes_select(is_corner, distance, lanes_all(R(1.0)));
    lanes separation_m = distance - pair->rounding_m,
          back = face->rounding_m + R(0.5) * separation_m;
    lanes end_out = lanes_select(is_second, face->end_m[1][0], face->end_m[0][0]);
    lanes end_along = lanes_select(is_second, face->end_m[1][1], face->end_m[0][1]);
    manifold->normal_out = lanes_select(is_corner, o * per, manifold->normal_out);
    manifold->normal_along = lanes_select(is_corner, a * per, manifold->normal_along);
    manifold->out[0] = lanes_select(is_corner, end_out - back * (o * per), manifold->out[0]);
    manifold->along[0] = lanes_select(is_corner, end_along - back * (a * per), manifold->along[0]);
    manifold->separation_m[0] = lanes_select(is_corner, separation_m, manifold->separation_m[0]);
    manifold->is_one |= is_corner;
}

// Bumpers and sills stand about as high as the centres of mass do: there, if both have metal there.
LANES_INLINE lanes height_of(const box_pair *pair) {
    return lanes_clamp(R(0.5) * pair->offset_m[2], pair->low_m,
                       lanes_max(pair->low_m, pair->high_m));
}

static void collide_sides(const box_pair *pair, const physics_pairs *pairs, physics_manifold *out) {
    reference_face face;
    plan_manifold manifold;
    find_reference_face(pair, &face);
    clip(&face, pair->rounding_m, &manifold);
    collide_corners(pair, &face, &manifold);
    lanes x = face.out_x, y = face.out_y;
    // A hull over the other passes it, however near and fast; as with walls.
    lanes_mask is_beside = lanes_at_most(pair->low_m, pair->high_m);
    lanes sign = lanes_select(pair->is_b, lanes_all(R(-1.0)), lanes_all(R(1.0)));
    lanes middle_x = lanes_keep(pair->is_b, pair->offset_m[0]);
    lanes middle_y = lanes_keep(pair->is_b, pair->offset_m[1]);
    out->normal[0] = sign * (manifold.normal_out * x - manifold.normal_along * y);
    out->normal[1] = sign * (manifold.normal_out * y + manifold.normal_along * x);
    out->normal[2] = lanes_zero();
    for (uint32_t p = 0; p < 2; p++) {
        out->anchor_m[p][0] = middle_x + (manifold.out[p] * x - manifold.along[p] * y);
        out->anchor_m[p][1] = middle_y + (manifold.out[p] * y + manifold.along[p] * x);
        out->anchor_m[p][2] = height_of(pair);
        out->separation_m[p] = manifold.separation_m[p];
        out->has_point[p] = ~pair->is_on_top & ~pairs->is_other_half & is_beside;
    }
    out->has_point[1] &= ~manifold.is_one;
}

/// Surfaces of both.
typedef struct surface_pair {
    plan_surface a, b;
} surface_pair;

// Heights of two surfaces that face each other, at a place from a's middle: the lower one's roof
// and the upper one's underside. From a's centre of mass.
static void facing_heights(const box_pair *pair, const surface_pair *surface, const lanes at[2],
                           lanes out[2]) {
    const plan_box *a = &pair->a, *b = &pair->b;
    lanes middle_a = R(0.5) * (a->low_m + a->high_m);
    lanes middle_b = R(0.5) * (b->low_m + b->high_m) + pair->offset_m[2];
    lanes up = lanes_with_sign(lanes_all(R(1.0)), middle_b - middle_a);
    lanes rise_a = surface->a.slope[0] * at[0] + surface->a.slope[1] * at[1];
    lanes rise_b = surface->b.slope[0] * (at[0] - pair->offset_m[0]) +
                   surface->b.slope[1] * (at[1] - pair->offset_m[1]);
    out[0] = middle_a + up * surface->a.half_thickness_m + rise_a;
    out[1] = middle_b - up * surface->b.half_thickness_m + rise_b;
}

// One lies on the other: two corners of what overlaps, and the other two for a second look. Each
// has a separation of its own, so that a hull that comes down askew is laid flat.
static void collide_roof(const box_pair *pair, const surface_pair *surface,
                         const physics_pairs *pairs, physics_manifold *out) {
    const plan_box *a = &pair->a, *b = &pair->b;
    lanes ahead = lanes_abs(pair->cos_relative), aside = lanes_abs(pair->sin_relative);
    const lanes size_m[2] = {ahead * b->half_m[0] + aside * b->half_m[1],
                             aside * b->half_m[0] + ahead * b->half_m[1]};
    lanes from[2], to[2];
    for (uint32_t i = 0; i < 2; i++) {
        from[i] = lanes_max(-a->half_m[i], pair->from_a[i] - size_m[i]);
        to[i] = lanes_max(lanes_min(a->half_m[i], pair->from_a[i] + size_m[i]), from[i]);
    }
    lanes_mask is_mine = pair->is_on_top, is_other = pairs->is_other_half;
    lanes_mask is_over = lanes_at_most(pair->separation_m, pair->rounding_m);
    lanes is_above = (b->low_m + b->high_m) - (a->low_m + a->high_m) + R(2.0) * pair->offset_m[2];
    lanes up = lanes_with_sign(lanes_all(R(1.0)), is_above);
    out->normal[0] = lanes_keep(~is_mine, out->normal[0]);
    out->normal[1] = lanes_keep(~is_mine, out->normal[1]);
    out->normal[2] = lanes_keep(is_mine, up);
    for (uint32_t p = 0; p < 2; p++) {
        lanes x = p == 0 ? from[0] : to[0], height[2];
        lanes y = p == 0 ? lanes_select(is_other, to[1], from[1])
                         : lanes_select(is_other, from[1], to[1]);
        const lanes anchor[2] = {a->cos_yaw * x - a->sin_yaw * y, a->sin_yaw * x + a->cos_yaw * y};
        facing_heights(pair, surface, anchor, height);
        lanes middle = R(0.5) * (height[0] + height[1]),
              separation_m = up * (height[1] - height[0]);
        out->anchor_m[p][0] = lanes_select(is_mine, anchor[0], out->anchor_m[p][0]);
        out->anchor_m[p][1] = lanes_select(is_mine, anchor[1], out->anchor_m[p][1]);
        out->anchor_m[p][2] = lanes_select(is_mine, middle, out->anchor_m[p][2]);
        out->separation_m[p] = lanes_select(is_mine, separation_m, out->separation_m[p]);
        out->has_point[p] |= is_mine & is_over;
    }
}

// Orders the points along the surface, whichever box's face is the reference: so that each finds
// its own impulses of the substep before.
static void order_points(physics_manifold *out) {
    const lanes *first = out->anchor_m[0], *second = out->anchor_m[1];
    lanes along = out->normal[0] * (second[1] - first[1]) - out->normal[1] * (second[0] - first[0]);
    lanes_mask is_swapped = lanes_less(along, lanes_zero()) & out->has_point[0] & out->has_point[1];
    for (uint32_t i = 0; i < 3; i++) {
        lanes anchor = out->anchor_m[0][i];
        out->anchor_m[0][i] = lanes_select(is_swapped, out->anchor_m[1][i], anchor);
        out->anchor_m[1][i] = lanes_select(is_swapped, anchor, out->anchor_m[1][i]);
    }
    lanes separation_m = out->separation_m[0];
    out->separation_m[0] = lanes_select(is_swapped, out->separation_m[1], separation_m);
    out->separation_m[1] = lanes_select(is_swapped, separation_m, out->separation_m[1]);
}

// Makes anchors and offset, which are from the boxes' middles, start at the centres of mass; mixes
// the materials.
static void finish_pair(const surface_pair *surface, const lanes offset_m[3],
                        physics_manifold *out) {
    const plan_surface *a = &surface->a, *b = &surface->b;
    for (uint32_t i = 0; i < 2; i++) {
        out->offset_m[i] = offset_m[i] + (a->centre_m[i] - b->centre_m[i]);
        out->anchor_m[0][i] += a->centre_m[i];
        out->anchor_m[1][i] += a->centre_m[i];
    }
    out->offset_m[2] = offset_m[2];
    out->friction = lanes_sqrt(a->friction * b->friction);
    out->restitution = R(0.5) * (a->restitution + b->restitution);
}

// Keeps the points within reach, the first before the second.
static void drop_far_points(lanes reach_m, physics_manifold *out) {
    out->has_point[0] &= lanes_less(out->separation_m[0], reach_m);
    out->has_point[1] &= lanes_less(out->separation_m[1], reach_m);
    lanes_mask is_moved = out->has_point[1] & ~out->has_point[0];
    for (uint32_t i = 0; i < 3; i++) {
        out->anchor_m[0][i] = lanes_select(is_moved, out->anchor_m[1][i], out->anchor_m[0][i]);
    }
    out->separation_m[0] = lanes_select(is_moved, out->separation_m[1], out->separation_m[0]);
    out->has_point[0] |= is_moved;
    out->has_point[1] &= ~is_moved;
}

void FOR_ISA(physics_collide)(const physics_hulls *hulls, const physics_pairs *pairs,
                              physics_manifold *out) {
    box_pair pair;
    surface_pair surface;
    load_pair(hulls, pairs->a, pairs->b, &pair);
    load_surfaces(hulls, pairs->a, &surface.a);
    load_surfaces(hulls, pairs->b, &surface.b);
    collide_sides(&pair, pairs, out);
    if (lanes_any(pair.is_on_top)) {
        collide_roof(&pair, &surface, pairs, out);
    }
    out->lever_m = PHYSICS_LEVER_SHARE * lanes_max(pair.high_m - pair.low_m, lanes_zero());
    finish_pair(&surface, pair.offset_m, out);
    order_points(out);
    drop_far_points(pair.a.reach_m + pair.b.reach_m, out);
}
