/// Contacts of eight pairs side by side, and what they answer.
#pragma once

#include "physics/lanes/isa.h"
#include "physics/solver/manifold.h"
#include "physics/solver/memories.h"

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
void FOR_ISA(physics_contacts_follow)(const physics_hulls *hulls, physics_contacts *contacts,
                                      real h_s);
/// Mobilities, from the touch: at the beginning, and when it has followed.
void FOR_ISA(physics_contacts_prepare)(const physics_hulls *hulls, physics_contacts *contacts);
/// Begins with the impulses that held last time, all of them before anything is pushed: pair by
/// pair, together with the push, a heap of a thousand cars sinks in by 17 cm instead of 1.5.
/// Notes how fast the points close.
void FOR_ISA(physics_contacts_warm)(const physics_hulls *hulls, physics_contacts *contacts);
/// Stops what closes, and pushes out what is sunk in, as a stiff damped spring would (Catto, "Soft
/// Step", 2023). Cars move with the speeds this leaves.
void FOR_ISA(physics_contacts_push)(const physics_hulls *hulls, physics_contacts *contacts,
                                    real h_s);
/// Takes that push out of the speeds again, and gives back what restitution leaves of a hit: all of
/// them before anything rubs, for friction is a share of what contacts bear in the end.
void FOR_ISA(physics_contacts_relax)(const physics_hulls *hulls, physics_contacts *contacts);
/// Rubs, and relaxes once more.
void FOR_ISA(physics_contacts_rub)(const physics_hulls *hulls, physics_contacts *contacts);
