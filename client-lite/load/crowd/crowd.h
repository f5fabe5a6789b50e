/// Drivers by the thousand: a line round the track with a speed for each place of it, shared by
/// all, and for each driver a lane beside it. They see nobody; drivers that stand together on a
/// wide road and drive alike keep out of each other's way. For load, not for winning.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "physics/physics.h"
#include "proto/proto.h"
#include "track/track.h"

typedef struct client_crowd_line client_crowd_line;

/// @param car for its steering and its grip; read now, not kept.
/// @return NULL if there is no memory or the track has no lap.
client_crowd_line *client_crowd_line_create(const apex_track *track, const apex_car_def *car);
void client_crowd_line_destroy(client_crowd_line *line);

typedef enum client_crowd_manner {
    CLIENT_CROWD_RACE,   ///< as fast as the bends allow, a little different each
    CLIENT_CROWD_CRUISE, ///< along the road at a steady 20 m/s
    CLIENT_CROWD_IDLE,   ///< controls at rest
    CLIENT_CROWD_CHAOS,  ///< whatever a controller can say, anew each time
} client_crowd_manner;

typedef struct client_crowd_driver {
    client_crowd_manner manner;
    uint64_t random;
    double share; ///< of the line's speed
    double lane_m;
    uint32_t station;
    uint32_t stood; ///< turns in which it wanted to move and stood
    bool placed;
    apex_control_sample controls; ///< the last
} client_crowd_driver;

/// Same seed, same driver.
client_crowd_driver client_crowd_driver_create(client_crowd_manner manner, uint64_t seed);

/// One turn, a thirtieth of a second after the last.
/// @param line NULL where there is none: RACE and CRUISE stand still then.
/// @param car as last heard, or NULL. @param may_go the race is on.
/// @param ahead_s the age of that when the controls act.
apex_control_sample client_crowd_drive(client_crowd_driver *driver, const client_crowd_line *line,
                                       const apex_wire_car *car, bool may_go, double ahead_s);
