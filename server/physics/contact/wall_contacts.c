// Manifolds of a hull against a wall or a post, and the guard that no wall is passed
// (DECISIONS 25).
//
// Walls' normals between joints are those of walls, never of corners, so that cars slide along
// chains. The guard comes after everything else: no box's middle ends a substep behind a wall that
// it began in front of, wherever it was pushed from. A hull that stands on its corner reaches a
// little further than the circle by which walls are found.

#include "physics/contact/walls.h"

#include "base/assert.h"
#include "physics/solver/manifold.h"

static const real GUARD_M = R(0.02);

/// One hull before one wall or post. Lengths from the box's middle.
typedef struct wall_query {
    const physics_walls *walls;
    const physics_box *box;
    const physics_hull_surface *surface;
    const double *centre_m;
    physics_wall_manifold *manifold;
} wall_query;

typedef struct segment_frame {
    real from_x, from_y;
    real along_x, along_y, out_x, out_y; ///< out is the side cars are on
    real length;
} segment_frame;

static segment_frame frame_of(const physics_walls *walls, uint32_t index,
                              const double centre_m[2]) {
    const apex_wall_segment *segment = &walls->from->segments[index];
    const physics_wall_line *line = &walls->lines[index];
    return (segment_frame){.from_x = (real)(segment->from_x_m - centre_m[0]),
                           .from_y = (real)(segment->from_y_m - centre_m[1]),
                           .along_x = line->along_x,
                           .along_y = line->along_y,
                           .out_x = -line->along_y,
                           .out_y = line->along_x,
                           .length = line->length_m};
}

static void mix_material(const wall_query *query, uint8_t material) {
    const apex_wall_material *of = &query->walls->from->materials[material];
    query->manifold->friction = real_sqrt(query->surface->friction * (real)of->friction);
    query->manifold->restitution = R(0.5) * (query->surface->restitution + (real)of->restitution);
}

/// The heights that an obstacle takes, from its foot to its top.
typedef struct height_range {
    double base_m, top_m;
} height_range;

// Sets the height of contact: within both, as near to the centre of mass as that allows.
// @return false if one is over the other.
static bool set_height(const wall_query *query, const height_range *of) {
    real low = real_max(query->box->low_m, (real)(of->base_m - query->centre_m[2]));
    real high = real_min(query->box->high_m, (real)(of->top_m - query->centre_m[2]));
    real height = real_clamp(R(0.0), low, real_max(low, high));
    query->manifold->anchor_m[0][2] = query->manifold->anchor_m[1][2] = height;
    query->manifold->lever_m = PHYSICS_LEVER_SHARE * real_max(high - low, R(0.0));
    return low <= high;
}

/// A point of the hull's outline, and its separation from the wall.
typedef struct outline_point {
    real x, y, separation_m;
} outline_point;

// Keeps the two deepest points, deepest first.
static void keep_deepest(physics_wall_manifold *manifold, const outline_point *point) {
    uint32_t at = manifold->count;
    while (at > 0 && point->separation_m < manifold->separation_m[at - 1]) {
        at--;
    }
    if (at == 2) {
        return;
    }
    if (at == 0) {
        manifold->anchor_m[1][0] = manifold->anchor_m[0][0];
        manifold->anchor_m[1][1] = manifold->anchor_m[0][1];
        manifold->separation_m[1] = manifold->separation_m[0];
    }
    manifold->anchor_m[at][0] = point->x;
    manifold->anchor_m[at][1] = point->y;
    manifold->separation_m[at] = point->separation_m;
    manifold->count = manifold->count < 2 ? manifold->count + 1 : 2;
}

static void collide_corners(const wall_query *query, const segment_frame *frame) {
    const real NEAR_M = R(0.02);
    const physics_box *box = query->box;
    real rounding_m = query->box->rounding_m;
    for (uint32_t k = 0; k < 4; k++) {
        real x = k & 1 ? box->half_m[0] : -box->half_m[0];
        real y = k & 2 ? box->half_m[1] : -box->half_m[1];
        outline_point point = {box->cos_yaw * x - box->sin_yaw * y - rounding_m * frame->out_x,
                               box->sin_yaw * x + box->cos_yaw * y - rounding_m * frame->out_y,
                               R(0.0)};
        real dx = point.x - frame->from_x, dy = point.y - frame->from_y;
        real t = dx * frame->along_x + dy * frame->along_y;
        point.separation_m = dx * frame->out_x + dy * frame->out_y;
        bool is_over = t >= -NEAR_M && t <= frame->length + NEAR_M;
        if (is_over && point.separation_m <= query->box->reach_m) {
            keep_deepest(query->manifold, &point);
        }
    }
    query->manifold->normal[0] = -frame->out_x;
    query->manifold->normal[1] = -frame->out_y;
}

/// An obstacle that is round in the plan: a post, or the end of a wall.
typedef struct round_obstacle {
    real x, y, radius_m;
} round_obstacle;

// Its middle is inside the box: out by the nearest face.
static void exit_by_face(const wall_query *query, const real local[2], real out[2]) {
    const physics_box *box = query->box;
    real over_x = real_abs(local[0]) - box->half_m[0], over_y = real_abs(local[1]) - box->half_m[1];
    bool is_x = over_x >= over_y;
    out[0] = is_x ? real_sign(local[0]) : R(0.0);
    out[1] = is_x ? R(0.0) : real_sign(local[1]);
    query->manifold->separation_m[0] = real_max(over_x, over_y);
}

static bool collide_round(const wall_query *query, const round_obstacle *obstacle) {
    const physics_box *box = query->box;
    physics_wall_manifold *manifold = query->manifold;
    const real local[2] = {box->cos_yaw * obstacle->x + box->sin_yaw * obstacle->y,
                           box->cos_yaw * obstacle->y - box->sin_yaw * obstacle->x};
    real past[2], normal[2];
    for (uint32_t i = 0; i < 2; i++) {
        past[i] = local[i] - real_clamp(local[i], -box->half_m[i], box->half_m[i]);
    }
    real distance = real_sqrt(past[0] * past[0] + past[1] * past[1]);
    if (distance > R(1e-4)) {
        normal[0] = past[0] / distance;
        normal[1] = past[1] / distance;
        manifold->separation_m[0] = distance;
    } else {
        exit_by_face(query, local, normal);
    }
    real from_surface_m = manifold->separation_m[0] - query->box->rounding_m;
    manifold->separation_m[0] = from_surface_m - obstacle->radius_m;
    manifold->normal[0] = box->cos_yaw * normal[0] - box->sin_yaw * normal[1];
    manifold->normal[1] = box->sin_yaw * normal[0] + box->cos_yaw * normal[1];
    manifold->anchor_m[0][0] = obstacle->x - from_surface_m * manifold->normal[0];
    manifold->anchor_m[0][1] = obstacle->y - from_surface_m * manifold->normal[1];
    manifold->count = 1;
    return manifold->separation_m[0] <= query->box->reach_m;
}

// Prevents ghost collisions: a box that slides over a joint must not catch on it, so the normal
// stays between those of the two walls that meet there.
static void limit_normal(physics_wall_manifold *manifold, const segment_frame *before,
                         const segment_frame *after) {
    real out_x = -manifold->normal[0], out_y = -manifold->normal[1];
    bool is_past_before = before->out_x * out_y - before->out_y * out_x > R(0.0);
    bool is_past_after = out_x * after->out_y - out_y * after->out_x > R(0.0);
    if (!is_past_before && !is_past_after) {
        return;
    }
    real near_before = before->out_x * out_x + before->out_y * out_y;
    real near_after = after->out_x * out_x + after->out_y * out_y;
    const segment_frame *nearest = near_before > near_after ? before : after;
    manifold->normal[0] = -nearest->out_x;
    manifold->normal[1] = -nearest->out_y;
}

// Walls that bend away from the cars, up to the tip of a wall that comes back on its other side.
static bool is_convex(const segment_frame *before, const segment_frame *after) {
    const real STRAIGHT = R(0.02);
    real turn = before->along_x * after->along_y - before->along_y * after->along_x;
    real ahead = before->along_x * after->along_x + before->along_y * after->along_y;
    return turn < -STRAIGHT || (turn < STRAIGHT && ahead < R(0.0));
}

static bool collide_end(const wall_query *query, uint32_t index, const segment_frame *frame) {
    const apex_wall_segment *segment = &query->walls->from->segments[index];
    const round_obstacle first = {frame->from_x, frame->from_y, R(0.0)};
    const round_obstacle last = {frame->from_x + frame->along_x * frame->length,
                                 frame->from_y + frame->along_y * frame->length, R(0.0)};
    if (segment->previous == APEX_GROUND_NONE) {
        if (collide_round(query, &first)) {
            return true;
        }
    } else {
        segment_frame before = frame_of(query->walls, segment->previous, query->centre_m);
        if (is_convex(&before, frame) && collide_round(query, &first)) {
            limit_normal(query->manifold, &before, frame);
            return true;
        }
    }
    return segment->next == APEX_GROUND_NONE && collide_round(query, &last);
}

// @return the height of the box's middle over the wall, towards the cars' side.
static real height_over(const segment_frame *frame) {
    return -(frame->from_x * frame->out_x + frame->from_y * frame->out_y);
}

static bool collide_segment(const wall_query *query, uint32_t index) {
    const apex_wall_segment *segment = &query->walls->from->segments[index];
    const height_range range = {segment->base_m, segment->top_m};
    segment_frame frame = frame_of(query->walls, index, query->centre_m);
    if (!set_height(query, &range) || height_over(&frame) < R(0.0)) {
        return false; // over or under it, or behind it: a wall pushes only one way
    }
    mix_material(query, segment->material);
    collide_corners(query, &frame);
    return query->manifold->count > 0 || collide_end(query, index, &frame);
}

static bool collide_post(const wall_query *query, uint32_t index) {
    const apex_wall_post *post = &query->walls->from->posts[index];
    const height_range range = {post->base_m, post->top_m};
    const round_obstacle obstacle = {(real)(post->x_m - query->centre_m[0]),
                                     (real)(post->y_m - query->centre_m[1]), (real)post->radius_m};
    if (!set_height(query, &range)) {
        return false;
    }
    mix_material(query, post->material);
    return collide_round(query, &obstacle);
}

// Makes anchors, which are from the box's middle, start at the centre of mass.
static void shift_anchors(const physics_hull_surface *surface, physics_wall_manifold *manifold) {
    for (uint32_t p = 0; p < manifold->count; p++) {
        manifold->anchor_m[p][0] += surface->centre_m[0];
        manifold->anchor_m[p][1] += surface->centre_m[1];
    }
}

bool physics_wall_collide(const physics_walls *walls, const physics_hulls *hulls, uint32_t slot,
                          uint32_t item, physics_wall_manifold *out) {
    APEX_ASSERT(slot < hulls->count && item < walls->from->segment_count + walls->from->post_count);
    const double *centre_m = hulls->positions[slot].centre_m;
    const physics_box *box = &hulls->boxes[slot];
    physics_circle circle = {centre_m[0], centre_m[1],
                             (double)(hulls->shapes[slot].radius_m + box->reach_m)};
    wall_query query = {walls, box, &hulls->surfaces[slot], centre_m, out};
    *out = (physics_wall_manifold){0};
    uint32_t segments = walls->from->segment_count;
    if (!physics_wall_is_near(walls, item, &circle) ||
        !(item < segments ? collide_segment(&query, item)
                          : collide_post(&query, item - segments))) {
        return false;
    }
    shift_anchors(query.surface, out);
    return true;
}

// @return the way that the box's middle may swing about the centre of mass.
static real swing_m(const physics_hulls *hulls, uint32_t slot, real h_s) {
    const real *angular = hulls->biased[slot].angular_radps,
               *anchor = hulls->surfaces[slot].centre_m;
    return h_s *
           real_sqrt((angular[0] * angular[0] + angular[1] * angular[1] + angular[2] * angular[2]) *
                     (anchor[0] * anchor[0] + anchor[1] * anchor[1]));
}

// @return whether box and wall have some height in common.
static bool is_beside(const physics_walls *walls, const physics_hulls *hulls, uint32_t slot,
                      uint32_t item) {
    const apex_wall_segment *segment = &walls->from->segments[item];
    const physics_box *box = &hulls->boxes[slot];
    double up_m = hulls->positions[slot].centre_m[2];
    return up_m + (double)box->high_m >= segment->base_m &&
           up_m + (double)box->low_m <= segment->top_m;
}

void physics_wall_guard(const physics_walls *walls, physics_hulls *hulls, uint32_t slot,
                        uint32_t item, real h_s) {
    APEX_ASSERT(slot < hulls->count && h_s > R(0.0));
    if (item >= walls->from->segment_count) {
        return;
    }
    physics_motion *biased = &hulls->biased[slot], *motion = &hulls->motions[slot];
    segment_frame frame = frame_of(walls, item, hulls->positions[slot].centre_m);
    real dx = h_s * biased->velocity_mps[0] - frame.from_x;
    real dy = h_s * biased->velocity_mps[1] - frame.from_y;
    real t = dx * frame.along_x + dy * frame.along_y;
    real height = dx * frame.out_x + dy * frame.out_y;
    real keep_m = GUARD_M + swing_m(hulls, slot, h_s);
    if (height >= keep_m || t < R(0.0) || t > frame.length || biased->inverse_mass <= R(0.0) ||
        height_over(&frame) < R(0.0) || !is_beside(walls, hulls, slot, item)) {
        return;
    }
    real push_mps = (keep_m - height) / h_s;
    real inwards = motion->velocity_mps[0] * frame.out_x + motion->velocity_mps[1] * frame.out_y;
    inwards = real_min(inwards, R(0.0));
    biased->velocity_mps[0] += push_mps * frame.out_x;
    biased->velocity_mps[1] += push_mps * frame.out_y;
    motion->velocity_mps[0] -= inwards * frame.out_x;
    motion->velocity_mps[1] -= inwards * frame.out_y;
}
