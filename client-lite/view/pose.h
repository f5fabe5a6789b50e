/// Poses between two ticks, and offsets that hide a correction in them.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "client-lite/client.h"

/// Of a snapshot's integers.
apex_client_pose client_pose_of_wire(const apex_wire_car *car, double tick);

/// A place and an attitude that are off by so much.
typedef struct client_offset {
    double position_m[3];
    double angle_rad[3]; ///< yaw, pitch, roll
} client_offset;

/// The offset of `from` from `to`, angles the short way.
client_offset client_offset_between(const apex_client_pose *from, const apex_client_pose *to);
double client_offset_m(const client_offset *offset);
double client_offset_rad(const client_offset *offset); ///< largest of the three
void client_offset_add(client_offset *offset, const client_offset *more);
/// Leaves the rest of a correction after a time: a tenth of a second takes all but 1 / e.
void client_offset_decay(client_offset *offset, double elapsed_s);
/// The same more slowly, and its place at most at this speed.
void client_offset_ease(client_offset *offset, double elapsed_s, double most_mps);
void client_pose_shift(apex_client_pose *pose, const client_offset *offset);

/// Straight from one to the other, and on: share 0 gives `from`, 1 `to`. Whole numbers are `to`'s.
apex_client_pose client_pose_between(const apex_client_pose *from, const apex_client_pose *to,
                                     double share);
/// Along the curve through places and velocities. @param span_s time between the two.
apex_client_pose client_pose_curve(const apex_client_pose *from, const apex_client_pose *to,
                                   double share, double span_s);
/// On along the arc of a steady bend.
void client_pose_turn_on(apex_client_pose *pose, double ahead_s);
