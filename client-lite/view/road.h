/// Cars along the road, for those that are heard of only now and then: where a car is on the lap,
/// where the lap has taken it since, and how fast others went there (DECISIONS 38).
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "client-lite/client.h"
#include "track/track.h"

typedef struct client_road client_road;

/// @param track lives as long as the road. @return NULL without a lap, or out of memory.
client_road *client_road_create(const apex_track *track);
void client_road_destroy(client_road *road); ///< NULL is fine

/// A car as the road has it.
typedef struct client_road_place {
    bool is_on;       ///< on the road or near it, and along it
    double s_m;       ///< lap distance
    double along_mps; ///< its change in a second
    double offset_m;  ///< to the left of the centre line
    double rise_m;    ///< above it
    double askew_rad; ///< yaw beyond the road's heading
} client_road_place;

/// @param near its place not long ago; NULL: not known.
client_road_place client_road_find(const client_road *road, const apex_client_pose *pose,
                                   const client_road_place *near);
/// A car was there: speeds of others are foretold by it.
void client_road_learn(client_road *road, const client_road_place *place);

/// On along the road, as fast against others as it was.
client_road_place client_road_ahead(const client_road *road, const client_road_place *from,
                                    double ahead_s);
/// The way from one place to another that a car has driven in this time.
/// @return false if it cannot have: it was put there.
bool client_road_way_m(const client_road *road, const client_road_place *from,
                       const client_road_place *to, double span_s, double *way_m);
/// Between two places that are `way_m` apart.
client_road_place client_road_between(const client_road_place *from, const client_road_place *to,
                                      double way_m, double share, double span_s);
/// Puts a place of the road into the world: position, attitude in the plan, and velocity.
void client_road_put(const client_road *road, const client_road_place *place,
                     apex_client_pose *pose);
