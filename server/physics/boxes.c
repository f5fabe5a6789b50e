// Two oriented boxes in the plane: the axis of least overlap, then the part of the facing edge
// that lies over the reference face.

#include "physics/contact_private.h"

static const real NEAR_M = R(0.02);

void physics_body_set_reach(physics_body *body, real h_s) {
    real square =
        body->velocity_x_mps * body->velocity_x_mps + body->velocity_y_mps * body->velocity_y_mps;
    real spin = real_abs(body->yaw_radps) * body->radius_m;
    body->reach_m = (real_sqrt(square) + spin) * h_s + NEAR_M;
}

void physics_body_hull_offset(const physics_body *body, real offset[2]) {
    offset[0] = body->cos_yaw * body->hull_x_m - body->sin_yaw * body->hull_y_m;
    offset[1] = body->sin_yaw * body->hull_x_m + body->cos_yaw * body->hull_y_m;
}

typedef struct flat_box {
    real x, y;                 ///< centre, from the first box's centre
    real axis_x[2], axis_y[2]; ///< its x and y directions
    real half[2];
} flat_box;

typedef struct box_face {
    bool is_second; ///< the reference face belongs to the second box
    uint32_t axis;  ///< of that box
    real sign;      ///< outwards, towards the other box
    real separation;
} box_face;

static real along(const flat_box *box, uint32_t axis, real x, real y) {
    return axis == 0 ? box->axis_x[0] * x + box->axis_x[1] * y
                     : box->axis_y[0] * x + box->axis_y[1] * y;
}

static real extent(const flat_box *box, real x, real y) {
    return box->half[0] * real_abs(along(box, 0, x, y)) +
           box->half[1] * real_abs(along(box, 1, x, y));
}

static const real *direction(const flat_box *box, uint32_t axis) {
    return axis == 0 ? box->axis_x : box->axis_y;
}

static box_face best_face(const flat_box *first, const flat_box *second) {
    // A later axis must be clearly better: a pair that rests must not change its mind each step.
    const real CLEARLY_M = R(0.002);
    box_face best = {.separation = R(-1e9)};
    for (uint32_t k = 0; k < 4; k++) {
        bool is_second = k >= 2;
        const flat_box *owner = is_second ? second : first, *other = is_second ? first : second;
        uint32_t axis = k % 2;
        const real *normal = direction(owner, axis);
        real distance = along(owner, axis, other->x - owner->x, other->y - owner->y);
        real separation =
            real_abs(distance) - owner->half[axis] - extent(other, normal[0], normal[1]);
        if (separation > best.separation + CLEARLY_M) {
            best = (box_face){is_second, axis, real_sign(distance), separation};
        }
    }
    return best;
}

typedef struct vertex {
    real x, y;
} vertex;

// The edge of `box` that faces against `normal`.
static void facing_edge(const flat_box *box, const real normal[2], vertex edge[2]) {
    real x = along(box, 0, normal[0], normal[1]), y = along(box, 1, normal[0], normal[1]);
    uint32_t axis = real_abs(x) >= real_abs(y) ? 0 : 1;
    real sign = (axis == 0 ? x : y) > R(0.0) ? R(-1.0) : R(1.0);
    const real *out = direction(box, axis), *side = direction(box, 1 - axis);
    real centre_x = box->x + sign * box->half[axis] * out[0];
    real centre_y = box->y + sign * box->half[axis] * out[1];
    for (uint32_t e = 0; e < 2; e++) {
        real reach = e == 0 ? box->half[1 - axis] : -box->half[1 - axis];
        edge[e] = (vertex){centre_x + reach * side[0], centre_y + reach * side[1]};
    }
}

// Cuts the edge to where its coordinate along the reference face is within `limit`.
static bool clip(vertex edge[2], const flat_box *owner, uint32_t axis, real limit) {
    real t[2];
    for (uint32_t e = 0; e < 2; e++) {
        t[e] = along(owner, axis, edge[e].x - owner->x, edge[e].y - owner->y);
    }
    for (int32_t side = 0; side < 2; side++) {
        real sign = side == 0 ? R(1.0) : R(-1.0);
        real over[2] = {sign * t[0] - limit, sign * t[1] - limit};
        if (over[0] > R(0.0) && over[1] > R(0.0)) {
            return false;
        }
        for (uint32_t e = 0; e < 2; e++) {
            if (over[e] > R(0.0)) {
                real share = over[e] / (over[e] - over[1 - e]);
                edge[e].x += share * (edge[1 - e].x - edge[e].x);
                edge[e].y += share * (edge[1 - e].y - edge[e].y);
                t[e] += share * (t[1 - e] - t[e]);
                over[e] = R(0.0);
            }
        }
    }
    return true;
}

static flat_box box_of(const physics_body *body) {
    real offset[2];
    physics_body_hull_offset(body, offset);
    return (flat_box){.x = offset[0],
                      .y = offset[1],
                      .axis_x = {body->cos_yaw, body->sin_yaw},
                      .axis_y = {-body->sin_yaw, body->cos_yaw},
                      .half = {body->half_length_m, body->half_width_m}};
}

// Points of the clipped edge that are near enough, half way across the gap.
static void add_points(physics_manifold *manifold, const vertex edge[2], const flat_box *owner,
                       const box_face *face, real reach) {
    const real *out = direction(owner, face->axis);
    for (uint32_t e = 0; e < 2; e++) {
        real height =
            face->sign * along(owner, face->axis, edge[e].x - owner->x, edge[e].y - owner->y) -
            owner->half[face->axis];
        if (height > reach) {
            continue;
        }
        real back = R(-0.5) * height * face->sign;
        physics_contact_point *point = &manifold->points[manifold->point_count++];
        point->separation_m = height;
        point->arm_a_x = edge[e].x + back * out[0];
        point->arm_a_y = edge[e].y + back * out[1];
    }
}

void physics_boxes_collide(const physics_body bodies[], uint32_t a, uint32_t b,
                           physics_manifold_list *list) {
    const physics_body *body_a = &bodies[a], *body_b = &bodies[b];
    if (body_a->bottom_m > body_b->top_m || body_b->bottom_m > body_a->top_m) {
        return;
    }
    // Everything from here on is relative to a's centre of mass, small enough for a float.
    real apart_x = (real)(body_b->x_m - body_a->x_m), apart_y = (real)(body_b->y_m - body_a->y_m);
    real reach = body_a->reach_m + body_b->reach_m;
    flat_box first = box_of(body_a), second = box_of(body_b);
    second.x += apart_x;
    second.y += apart_y;
    box_face face = best_face(&first, &second);
    if (face.separation > reach) {
        return;
    }
    const flat_box *owner = face.is_second ? &second : &first;
    const flat_box *other = face.is_second ? &first : &second;
    const real *axis = direction(owner, face.axis);
    const real normal[2] = {axis[0] * face.sign, axis[1] * face.sign};
    vertex edge[2];
    facing_edge(other, normal, edge);
    if (!clip(edge, owner, 1 - face.axis, owner->half[1 - face.axis])) {
        return;
    }
    physics_manifold *manifold = physics_manifold_add(list);
    if (manifold == NULL) {
        return;
    }
    real outwards = face.is_second ? R(-1.0) : R(1.0);
    *manifold = (physics_manifold){
        .a = a,
        .b = b,
        .kind = APEX_CONTACT_CAR,
        .normal_x = normal[0] * outwards,
        .normal_y = normal[1] * outwards,
        .friction = real_sqrt(body_a->friction * body_b->friction),
        .restitution = R(0.5) * (body_a->restitution + body_b->restitution),
    };
    add_points(manifold, edge, owner, &face, reach);
    for (uint32_t p = 0; p < manifold->point_count; p++) {
        physics_contact_point *point = &manifold->points[p];
        point->arm_b_x = point->arm_a_x - apart_x;
        point->arm_b_y = point->arm_a_y - apart_y;
    }
    if (manifold->point_count == 0) {
        list->count--;
    }
}
