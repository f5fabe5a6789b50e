/// Cars as contacts see them, and contacts of eight pairs side by side.
///
/// A hull is a box whose footprint is the yaw projection of the rotated box, with a height; its
/// edges are rounded in the plan, so that corners have steady normals. What belongs to a slot
/// stands in rows of eight numbers: eight rows are turned into eight vectors at once.
#pragma once

#include "physics/substep_private.h"

/// What contacts change, and how much. World axes.
typedef struct physics_motion {
    real velocity_mps[3], turn_radps[3];
    real per_mass; ///< 0 for what does not move; stays as it is
    real spare;
} physics_motion;

/// What resists turning. World axes; all 0 for what does not move.
typedef struct physics_heft {
    real per_inertia[6]; ///< xx yy zz xy xz yz
    real spare[2];
} physics_heft;

/// How far a car has come since its contacts were found.
typedef struct physics_way {
    real moved_m[3], turned_rad[3];
    real spare[2];
} physics_way;

/// The box, as it stands when contacts are looked for. Lengths from the centre of mass.
typedef struct physics_box {
    real cos_yaw, sin_yaw;
    real x_m, y_m;  ///< of the box's middle, world directions
    real half_m[2]; ///< along and across, without the rounding
    real low_m, high_m;
} physics_box;

typedef struct physics_skin {
    real rounding_m;
    real reach_m; ///< how far it may get before contacts are looked for again
    real friction, restitution;
    real spare[4];
} physics_skin;

/// All of it, [slot]. The last one, [count], does not move: walls and posts.
typedef struct physics_hulls {
    physics_motion *motions;
    physics_heft *hefts;
    physics_way *ways;
    physics_box *boxes;
    physics_skin *skins;
    uint32_t count;
} physics_hulls;

/// Eight pairs. Lanes without one name the hull that does not move twice.
typedef struct physics_pairs {
    uint32_t a[PHYSICS_LANES], b[PHYSICS_LANES];
    lanes apart_m[3];     ///< from a's centre of mass to b's
    lanes_mask is_second; ///< the other two points of a hull that lies on another
} physics_pairs;

/// Where eight pairs touch, or may before contacts are looked for again.
typedef struct physics_touch {
    lanes normal[3];        ///< unit, from a towards b
    lanes arm_m[2][3];      ///< of up to two points, from a's centre of mass
    lanes gap_m[2];         ///< below 0: sunk in
    lanes_mask is_there[2]; ///< the second only with the first
} physics_touch;

/// Separating axes: the boxes' four in the plan, and the vertical. Then the part of the facing edge
/// that lies over the reference face; or corner against corner; or four corners of what overlaps.
void LEVEL(physics_meet)(const physics_hulls *hulls, const physics_pairs *pairs,
                         physics_touch *out);
/// Those of eight pairs that are within each other's reach, and those of which one is on top.
typedef struct physics_nearness {
    lanes_mask is_near, is_on_top;
} physics_nearness;

physics_nearness LEVEL(physics_look)(const physics_hulls *hulls, const physics_pairs *pairs);

/// What holds a pair in two directions: at its two points, or along two tangents.
typedef struct physics_hold {
    lanes spin_a[2][3], spin_b[2][3]; ///< what a unit of impulse does to the rotation
    lanes mobility[2];                ///< and to the speed along the direction
    lanes impulse_ns[2];              ///< summed up
} physics_hold;

/// The contacts of eight pairs that share no car. Normals carry, tangents rub at the mean point.
typedef struct physics_contacts {
    physics_pairs pairs;
    physics_touch touch;
    lanes friction, restitution;
    physics_hold normals, tangents;
    // What the last prepare found: as in pairs and touch, but now.
    lanes apart_m[3], arm_m[2][3], gap_m[2];
    lanes coupling;        ///< what an impulse at one point does to the other's speed
    lanes approach_mps[2]; ///< before the contacts answered; below 0: closing
} physics_contacts;

/// Arms, gaps and mobilities of now: at the beginning, and whenever the cars have moved.
void LEVEL(physics_contacts_prepare)(const physics_hulls *hulls, physics_contacts *contacts);
/// Begins with the impulses that held last time, all of them before anything is pushed: pair by
/// pair, together with the push, a heap of a thousand cars sinks in by 17 cm instead of 1.5.
/// Notes how fast the points close.
void LEVEL(physics_contacts_warm)(const physics_hulls *hulls, physics_contacts *contacts);
/// Stops what closes, and pushes out what is sunk in, as a stiff damped spring would (Catto, "Soft
/// Step", 2023). Cars move with the speeds this leaves.
void LEVEL(physics_contacts_push)(const physics_hulls *hulls, physics_contacts *contacts, real h_s);
/// Takes that push out of the speeds again; rubs; gives back what restitution leaves of a hit.
void LEVEL(physics_contacts_relax)(const physics_hulls *hulls, physics_contacts *contacts);

// --- Groups ------------------------------------------------------------------------------------

enum { PHYSICS_COLOURS = 64 };

/// Pairs in groups of eight that share no hull: each pair takes the lowest colour that neither of
/// its hulls has, and a colour's pairs fill groups in the order they came. Same order, same groups.
typedef struct physics_groups {
    physics_contacts *items; ///< the owner's, aligned as vectors are
    uint32_t count, capacity;
    uint64_t *colours;              ///< [hull] those that are taken
    uint32_t open[PHYSICS_COLOURS]; ///< a colour's last group
    uint32_t room[PHYSICS_COLOURS]; ///< lanes left in it
    uint32_t hull_count; ///< hulls from this one on do not move and belong to all colours
} physics_groups;

typedef struct physics_lane {
    uint32_t group, lane;
} physics_lane;

void physics_groups_clear(physics_groups *groups, uint32_t hull_count);
/// @return false when there is no room. A pair whose hulls have all colours gets a group alone.
bool physics_groups_add(physics_groups *groups, uint32_t a, uint32_t b, physics_lane *out);
