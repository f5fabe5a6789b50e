/// Cars as contacts see them, and contacts of eight pairs side by side.
///
/// In a substep: cars are shown as hulls; of the tick's candidates those near each other become
/// groups of eight pairs that share no car; they meet, recall what held before, push, and relax;
/// what held is remembered, and cars move on.
///
/// A hull is a box whose footprint is the yaw projection of the rotated box, with a height; its
/// edges are rounded in the plan, so that corners have steady normals. What belongs to a slot
/// stands in rows of eight numbers: eight rows are turned into eight vectors at once.
#pragma once

#include "physics/lanes/geometry.h"
#include "physics/lanes/isa.h"
#include "physics/lanes/rows.h"
#include "physics/physics.h"

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

/// The box, as it stands when contacts are looked for.
typedef struct physics_box {
    real cos_yaw, sin_yaw;
    real half_m[2];     ///< along and across, without the rounding
    real low_m, high_m; ///< from the centre of mass
    real rounding_m;
    real reach_m; ///< how far it may get before contacts are looked for again
} physics_box;

typedef struct physics_skin {
    real friction, restitution;
    real middle_m[2]; ///< of the box in the plan, from the centre of mass, world directions
    real slope[2];    ///< of its roof and its underside, along the world's x and y
    real thick_m;     ///< from its middle to the one or the other
    real spare;
} physics_skin;

/// The box as the car's maker drew it, body axes from the centre of mass.
typedef struct physics_shape {
    real half_m[3], centre_m[3];
    real radius_m; ///< of all of it, about the centre of mass
    real rounding_m;
} physics_shape;

typedef struct physics_place {
    double at_m[3]; ///< the box's middle in the plan, the height of the centre of mass
    double spare;
} physics_place;

/// All of it, [slot]. The last one, [count], does not move and is nowhere: walls and posts.
typedef struct physics_hulls {
    physics_motion *motions;
    physics_motion *ways; ///< speeds cars move with, where they do not keep them
    physics_heft *hefts;
    physics_box *boxes;
    physics_skin *skins;
    physics_shape *shapes;
    physics_place *places;
    uint32_t count;
} physics_hulls;

/// Eight pairs. Lanes without one name the hull that does not move twice.
typedef struct physics_pairs {
    uint32_t a[PHYSICS_LANES], b[PHYSICS_LANES];
    lanes_mask is_other_half; ///< the other two corners of a hull that lies on another
} physics_pairs;

/// Where eight pairs touch, or may before contacts are looked for again.
typedef struct physics_touch {
    lanes apart_m[3];       ///< from a's centre of mass to b's
    lanes normal[3];        ///< unit, from a towards b
    lanes arm_m[2][3];      ///< of up to two points, from a's centre of mass
    lanes gap_m[2];         ///< below 0: sunk in
    lanes_mask is_there[2]; ///< the second only with the first
    lanes friction, restitution;
    lanes lever_m; ///< how far over or under the points sides may bear
} physics_touch;

/// Of the height that both have: sides are flat nearly to their edges.
#define PHYSICS_LEVER_SHARE R(0.4)

/// Separating axes: the boxes' four in the plan, and the vertical. Then the part of the facing edge
/// that lies over the reference face; or corner against corner; or four corners of what overlaps.
void LEVEL(physics_meet)(const physics_hulls *hulls, const physics_pairs *pairs,
                         physics_touch *out);

/// Two slots as one number: pairs rise with the lower one.
static inline uint32_t physics_pair(uint32_t a, uint32_t b) {
    return a < b ? a << 16 | b : b << 16 | a;
}
static inline uint32_t physics_pair_lower(uint32_t pair) {
    return pair >> 16;
}
static inline uint32_t physics_pair_higher(uint32_t pair) {
    return pair & 0xffff;
}

#define PHYSICS_ON_TOP 0x80000000u

/// Those of the pairs (of physics_pair) that are within each other's reach: their indices, rising,
/// with PHYSICS_ON_TOP where one lies on the other.
/// @return how many of near[count] are filled.
uint32_t LEVEL(physics_look)(const physics_hulls *hulls, const uint32_t pairs[], uint32_t count,
                             uint32_t near[]);

/// What holds a pair in two directions: at its two points, or along two tangents; of sides the
/// second is no tangent but a twist about the level one, in Nms.
typedef struct physics_hold {
    lanes spin_a[2][3], spin_b[2][3]; ///< what a unit of impulse does to the rotation
    lanes mobility[2];                ///< and to the speed along the direction
    lanes impulse_ns[2];              ///< summed up
} physics_hold;

/// The contacts of eight pairs that share no car. Normals carry, tangents rub at the mean point.
typedef struct physics_contacts {
    physics_pairs pairs;
    uint32_t memory[PHYSICS_LANES]; ///< index among memories
    physics_touch touch;
    physics_hold normals, tangents;
    lanes coupling;        ///< what an impulse at one point does to the other's speed
    lanes approach_mps[2]; ///< before the contacts answered; below 0: closing
} physics_contacts;

/// Arms and gaps once cars have moved their ways.
void LEVEL(physics_contacts_follow)(const physics_hulls *hulls, physics_contacts *contacts,
                                    real h_s);
/// Mobilities, from the touch: at the beginning, and when it has followed.
void LEVEL(physics_contacts_prepare)(const physics_hulls *hulls, physics_contacts *contacts);
/// Begins with the impulses that held last time, all of them before anything is pushed: pair by
/// pair, together with the push, a heap of a thousand cars sinks in by 17 cm instead of 1.5.
/// Notes how fast the points close.
void LEVEL(physics_contacts_warm)(const physics_hulls *hulls, physics_contacts *contacts);
/// Stops what closes, and pushes out what is sunk in, as a stiff damped spring would (Catto, "Soft
/// Step", 2023). Cars move with the speeds this leaves.
void LEVEL(physics_contacts_push)(const physics_hulls *hulls, physics_contacts *contacts, real h_s);
/// Takes that push out of the speeds again, and gives back what restitution leaves of a hit: all of
/// them before anything rubs, for friction is a share of what contacts bear in the end.
void LEVEL(physics_contacts_relax)(const physics_hulls *hulls, physics_contacts *contacts);
/// Rubs, and relaxes once more.
void LEVEL(physics_contacts_rub)(const physics_hulls *hulls, physics_contacts *contacts);

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
    uint32_t hull_count;     ///< hulls from this one on do not move and belong to all colours
    uint32_t nobodys_memory; ///< of lanes without a pair
} physics_groups;

typedef struct physics_lane {
    uint32_t group, lane;
} physics_lane;

void physics_groups_clear(physics_groups *groups);
/// What is added from now on shares no group with what is there.
void physics_groups_part(physics_groups *groups);
/// @return false when there is no room. A pair whose hulls have all colours gets a group alone.
bool physics_groups_add(physics_groups *groups, uint32_t a, uint32_t b, physics_lane *out);

// --- Memories ----------------------------------------------------------------------------------

/// What a pair did in the substep before, and in this tick so far.
typedef struct physics_memory {
    real normal_ns[2], tangent_ns[2];
    real sum_ns, hardest_ns; ///< of the tick's substeps
    real closing_mps;        ///< at the tick's first touch
    real substep;            ///< the last that wrote it; 0: none
} physics_memory;

/// The substep that was hardest.
typedef struct physics_moment {
    real point_m[3], normal[3];
    uint8_t zone, other_zone;
} physics_moment;

/// What a contact does to one of its two hulls.
typedef struct physics_pressing {
    real arm_m[3]; ///< where: from its centre of mass, world directions
    real down;     ///< 1: on its roof
} physics_pressing;

/// @param side 0 for a, 1 for b.
static inline physics_pressing physics_pressing_on(const physics_touch *touch, uint32_t lane,
                                                   uint32_t side) {
    uint32_t last = touch->is_there[1][lane] ? 1 : 0;
    physics_pressing by;
    for (uint32_t i = 0; i < 3; i++) {
        by.arm_m[i] = R(0.5) * (touch->arm_m[0][i][lane] + touch->arm_m[last][i][lane]);
        by.arm_m[i] -= side == 0 ? R(0.0) : touch->apart_m[i][lane];
    }
    by.down = side == 0 ? touch->normal[2][lane] : -touch->normal[2][lane];
    return by;
}

/// Which of its zones is pressed.
apex_damage_zone physics_zone_of(const physics_hulls *hulls, uint32_t slot,
                                 const physics_pressing *by);

typedef struct physics_memories {
    physics_memory *items;
    physics_moment *moments;
    real substep, substep_before;
} physics_memories;

void LEVEL(physics_contacts_recall)(const physics_memories *memories, physics_contacts *contacts);
void LEVEL(physics_contacts_remember)(const physics_memories *memories, const physics_hulls *hulls,
                                      const physics_contacts *contacts);

// --- All of it ---------------------------------------------------------------------------------

typedef struct physics_solver {
    physics_hulls hulls;
    physics_groups groups; ///< of pairs of cars first; then of cars and what does not move
    uint32_t pair_groups;  ///< how many of them are pairs of cars
    physics_memories memories;
} physics_solver;

bool physics_hulls_allocate(physics_hulls *hulls, uint32_t count);
void physics_hulls_free(physics_hulls *hulls);
/// Pairs meet, recall and push. Wall groups must have met already.
void LEVEL(physics_solver_push)(physics_solver *solver, real h_s);
/// Follows the ways, relaxes and remembers.
void LEVEL(physics_solver_relax)(physics_solver *solver, real h_s);
