// What a box meets of a wall or a post, and the guard that no wall is passed.

#include "physics/walls_private.h"

// Of a heap of more those of lowest index count.
enum { NEAR_MAX = 32 };

static const real NEAR_M = R(0.02);
static const real GUARD_M = R(0.02);

typedef struct wall_meeting {
    const physics_walls *walls;
    const physics_body *body;
    uint32_t slot;
    real reach;
    real hull_x, hull_y; ///< box centre from the centre of mass, world axes
    physics_manifold_list *list;
} wall_meeting;

static physics_manifold *add_manifold(const wall_meeting *meeting, apex_contact_kind kind,
                                      uint32_t index, uint8_t material) {
    physics_manifold *manifold = physics_manifold_add(meeting->list);
    if (manifold == NULL) {
        return NULL;
    }
    const apex_wall_material *of = &meeting->walls->from->materials[material];
    *manifold = (physics_manifold){
        .a = meeting->slot,
        .b = PHYSICS_NOBODY,
        .other_index = index,
        .kind = kind,
        .friction = real_sqrt(meeting->body->friction * (real)of->friction),
        .restitution = R(0.5) * (meeting->body->restitution + (real)of->restitution),
    };
    return manifold;
}

typedef struct segment_frame {
    real from_x, from_y;                 ///< from the body's centre of mass
    real along_x, along_y, out_x, out_y; ///< out is the side cars are on
    real length;
} segment_frame;

static segment_frame frame_of(const apex_wall_segment *segment, const physics_body *body) {
    double dx = segment->to_x_m - segment->from_x_m, dy = segment->to_y_m - segment->from_y_m;
    double length = sqrt(dx * dx + dy * dy);
    double scale = length > 0.0 ? 1.0 / length : 0.0;
    segment_frame frame = {.from_x = (real)(segment->from_x_m - body->x_m),
                           .from_y = (real)(segment->from_y_m - body->y_m),
                           .along_x = (real)(dx * scale),
                           .along_y = (real)(dy * scale),
                           .length = (real)length};
    frame.out_x = -frame.along_y;
    frame.out_y = frame.along_x;
    return frame;
}

// Keeps the two corners that are lowest over the wall, lowest first.
static void keep_lowest(physics_manifold *manifold, const physics_contact_point *corner) {
    physics_contact_point *kept = manifold->points;
    if (manifold->point_count == 0 || corner->separation_m < kept[0].separation_m) {
        kept[1] = kept[0];
        kept[0] = *corner;
    } else if (manifold->point_count == 1 || corner->separation_m < kept[1].separation_m) {
        kept[1] = *corner;
    } else {
        return;
    }
    manifold->point_count = manifold->point_count < 2 ? manifold->point_count + 1 : 2;
}

static void meet_corners(const wall_meeting *meeting, const segment_frame *frame,
                         physics_manifold *manifold) {
    const physics_body *body = meeting->body;
    for (int32_t k = 0; k < 4; k++) {
        real x = k & 1 ? body->half_length_m : -body->half_length_m;
        real y = k & 2 ? body->half_width_m : -body->half_width_m;
        physics_contact_point corner = {
            .arm_a_x = meeting->hull_x + body->cos_yaw * x - body->sin_yaw * y,
            .arm_a_y = meeting->hull_y + body->sin_yaw * x + body->cos_yaw * y,
        };
        real dx = corner.arm_a_x - frame->from_x, dy = corner.arm_a_y - frame->from_y;
        real t = dx * frame->along_x + dy * frame->along_y;
        corner.separation_m = dx * frame->out_x + dy * frame->out_y;
        bool is_over = t >= -NEAR_M && t <= frame->length + NEAR_M;
        if (is_over && corner.separation_m <= meeting->reach) {
            keep_lowest(manifold, &corner);
        }
    }
    manifold->normal_x = -frame->out_x;
    manifold->normal_y = -frame->out_y;
}

// A point against the box: its nearest face. @return false if it is out of reach.
static bool meet_point(const wall_meeting *meeting, real x, real y, physics_manifold *manifold) {
    const physics_body *body = meeting->body;
    real dx = x - meeting->hull_x, dy = y - meeting->hull_y;
    real local_x = body->cos_yaw * dx + body->sin_yaw * dy;
    real local_y = body->cos_yaw * dy - body->sin_yaw * dx;
    real over_x = real_abs(local_x) - body->half_length_m;
    real over_y = real_abs(local_y) - body->half_width_m;
    real over = real_max(over_x, over_y);
    if (over > meeting->reach) {
        return false;
    }
    real face_x = over_x >= over_y ? real_sign(local_x) : R(0.0);
    real face_y = over_x >= over_y ? R(0.0) : real_sign(local_y);
    manifold->normal_x = body->cos_yaw * face_x - body->sin_yaw * face_y;
    manifold->normal_y = body->sin_yaw * face_x + body->cos_yaw * face_y;
    manifold->points[0] = (physics_contact_point){.arm_a_x = x, .arm_a_y = y, .separation_m = over};
    manifold->point_count = 1;
    return true;
}

// A box that slides over a joint must not catch on it: the normal stays between those of the two
// walls that meet there.
static void fit_between(physics_manifold *manifold, const segment_frame *before,
                        const segment_frame *after) {
    real out_x = -manifold->normal_x, out_y = -manifold->normal_y;
    bool is_past_before = before->out_x * out_y - before->out_y * out_x > R(0.0);
    bool is_past_after = out_x * after->out_y - out_y * after->out_x > R(0.0);
    if (!is_past_before && !is_past_after) {
        return;
    }
    real near_before = before->out_x * out_x + before->out_y * out_y;
    real near_after = after->out_x * out_x + after->out_y * out_y;
    const segment_frame *nearest = near_before > near_after ? before : after;
    manifold->normal_x = -nearest->out_x;
    manifold->normal_y = -nearest->out_y;
}

// Walls that bend away from the cars, up to the tip of a wall that comes back on its other side.
static bool is_convex(const segment_frame *before, const segment_frame *after) {
    const real STRAIGHT = R(0.02);
    real turn = before->along_x * after->along_y - before->along_y * after->along_x;
    real ahead = before->along_x * after->along_x + before->along_y * after->along_y;
    return turn < -STRAIGHT || (turn < STRAIGHT && ahead < R(0.0));
}

static bool meet_end(const wall_meeting *meeting, const apex_wall_segment *segment,
                     const segment_frame *frame, physics_manifold *manifold) {
    const apex_wall_segment *segments = meeting->walls->from->segments;
    if (segment->previous == APEX_GROUND_NONE) {
        if (meet_point(meeting, frame->from_x, frame->from_y, manifold)) {
            return true;
        }
    } else {
        segment_frame before = frame_of(&segments[segment->previous], meeting->body);
        if (is_convex(&before, frame) &&
            meet_point(meeting, frame->from_x, frame->from_y, manifold)) {
            fit_between(manifold, &before, frame);
            return true;
        }
    }
    return segment->next == APEX_GROUND_NONE &&
           meet_point(meeting, frame->from_x + frame->along_x * frame->length,
                      frame->from_y + frame->along_y * frame->length, manifold);
}

static real height_over(const wall_meeting *meeting, const segment_frame *frame) {
    return (meeting->hull_x - frame->from_x) * frame->out_x +
           (meeting->hull_y - frame->from_y) * frame->out_y;
}

static void meet_segment(const wall_meeting *meeting, uint32_t index) {
    const apex_wall_segment *segment = &meeting->walls->from->segments[index];
    const physics_body *body = meeting->body;
    if (body->bottom_m > (real)segment->top_m || body->top_m < (real)segment->base_m) {
        return;
    }
    segment_frame frame = frame_of(segment, body);
    if (height_over(meeting, &frame) < R(0.0)) {
        return; // behind it: a wall pushes only one way
    }
    physics_manifold *manifold = add_manifold(meeting, APEX_CONTACT_WALL, index, segment->material);
    if (manifold == NULL) {
        return;
    }
    meet_corners(meeting, &frame, manifold);
    if (manifold->point_count == 0 && !meet_end(meeting, segment, &frame, manifold)) {
        meeting->list->count--;
    }
}

static void meet_post(const wall_meeting *meeting, uint32_t index) {
    const apex_wall_post *post = &meeting->walls->from->posts[index];
    const physics_body *body = meeting->body;
    if (body->bottom_m > (real)post->top_m || body->top_m < (real)post->base_m) {
        return;
    }
    real dx = (real)(post->x_m - body->x_m) - meeting->hull_x;
    real dy = (real)(post->y_m - body->y_m) - meeting->hull_y;
    real local_x = body->cos_yaw * dx + body->sin_yaw * dy;
    real local_y = body->cos_yaw * dy - body->sin_yaw * dx;
    real near_x = real_clamp(local_x, -body->half_length_m, body->half_length_m);
    real near_y = real_clamp(local_y, -body->half_width_m, body->half_width_m);
    real out_x = local_x - near_x, out_y = local_y - near_y;
    real distance = real_sqrt(out_x * out_x + out_y * out_y);
    if (distance - (real)post->radius_m > meeting->reach) {
        return;
    }
    physics_manifold *manifold = add_manifold(meeting, APEX_CONTACT_POST, index, post->material);
    if (manifold == NULL) {
        return;
    }
    if (distance > R(1e-4)) {
        real nx = out_x / distance, ny = out_y / distance;
        manifold->normal_x = body->cos_yaw * nx - body->sin_yaw * ny;
        manifold->normal_y = body->sin_yaw * nx + body->cos_yaw * ny;
        real x = meeting->hull_x + body->cos_yaw * near_x - body->sin_yaw * near_y;
        real y = meeting->hull_y + body->sin_yaw * near_x + body->cos_yaw * near_y;
        manifold->points[0] = (physics_contact_point){
            .arm_a_x = x, .arm_a_y = y, .separation_m = distance - (real)post->radius_m};
        manifold->point_count = 1;
    } else { // its middle is inside the box
        meet_point(meeting, meeting->hull_x + dx, meeting->hull_y + dy, manifold);
        manifold->points[0].separation_m -= (real)post->radius_m;
    }
}

void physics_walls_collide_near(const physics_walls *walls, const physics_body bodies[],
                                uint32_t slot, const physics_near *candidates,
                                physics_manifold_list *list) {
    uint32_t near[NEAR_MAX];
    const physics_body *body = &bodies[slot];
    wall_meeting meeting = {
        .walls = walls, .body = body, .slot = slot, .reach = body->reach_m, .list = list};
    physics_circle circle = {body->x_m, body->y_m, (double)(body->radius_m + meeting.reach)};
    uint32_t count = physics_walls_pick(walls, &circle, candidates, near, NEAR_MAX);
    if (count == 0) {
        return;
    }
    real hull[2];
    physics_body_hull_offset(body, hull);
    meeting.hull_x = hull[0];
    meeting.hull_y = hull[1];
    for (uint32_t i = 0; i < count; i++) {
        if (near[i] < walls->from->segment_count) {
            meet_segment(&meeting, near[i]);
        } else {
            meet_post(&meeting, near[i] - walls->from->segment_count);
        }
    }
}

void physics_walls_collide(const physics_walls *walls, const physics_body bodies[], uint32_t slot,
                           physics_manifold_list *list) {
    static const uint32_t MANY = PHYSICS_NEAR_MANY;
    physics_near all = {&MANY, 1};
    physics_walls_collide_near(walls, bodies, slot, &all, list);
}

void physics_walls_guard(const physics_walls *walls, physics_body bodies[],
                         const physics_manifold_list *list, real h_s) {
    for (uint32_t i = 0; i < list->count; i++) {
        const physics_manifold *manifold = &list->items[i];
        if (manifold->kind != APEX_CONTACT_WALL) {
            continue;
        }
        physics_body *body = &bodies[manifold->a];
        segment_frame frame = frame_of(&walls->from->segments[manifold->other_index], body);
        real hull[2];
        physics_body_hull_offset(body, hull);
        real move_x = body->velocity_x_mps * h_s + body->push_x_m;
        real move_y = body->velocity_y_mps * h_s + body->push_y_m;
        real dx = hull[0] + move_x - frame.from_x, dy = hull[1] + move_y - frame.from_y;
        real t = dx * frame.along_x + dy * frame.along_y;
        real height = dx * frame.out_x + dy * frame.out_y;
        if (t < R(0.0) || t > frame.length || height >= GUARD_M) {
            continue;
        }
        body->push_x_m += (GUARD_M - height) * frame.out_x;
        body->push_y_m += (GUARD_M - height) * frame.out_y;
        real inwards = body->velocity_x_mps * frame.out_x + body->velocity_y_mps * frame.out_y;
        inwards = real_min(inwards, R(0.0));
        // The push above counts on the old velocity: what is taken off it here is given back.
        body->push_x_m += inwards * h_s * frame.out_x;
        body->push_y_m += inwards * h_s * frame.out_y;
        body->velocity_x_mps -= inwards * frame.out_x;
        body->velocity_y_mps -= inwards * frame.out_y;
    }
}
