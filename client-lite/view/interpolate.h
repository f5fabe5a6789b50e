/// Interpolation shows cars between snapshots: the last samples of each, played back a little
/// behind along smooth curves, carried on where the next sample is late: for a moment as it was
/// told, then along the road for as long as others are heard of.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/histogram.h"
#include "client-lite/client.h"
#include "client-lite/view/presentation_clock.h"
#include "client-lite/view/road.h"
#include "client-lite/view/snapshots.h"

struct client_track; ///< one car as it is shown

typedef struct client_interpolation {
    uint32_t tick_hz;
    client_presentation_clock presentation;
    uint32_t heard_tick; ///< newest snapshot before the newest
    client_road *road;   ///< along which cars go on that are heard of rarely; NULL: straight on
    struct client_track **tracks; ///< sorted by id
    size_t count, capacity;
    uint64_t shown, extrapolated, stale; ///< cars in frames
    apex_histogram age_us;
} client_interpolation;

void client_interpolation_begin(client_interpolation *self, uint32_t tick_hz);
void client_interpolation_free(client_interpolation *self);

/// @param road lives until the next begin or free; NULL for none.
void client_interpolation_ride(client_interpolation *self, client_road *road);

/// Cars of one snapshot part of `tick`; parts may come late, twice and in any order.
/// @param ticks_per_s by the client's clock. A car for which there is no memory is not shown.
void client_interpolation_take(client_interpolation *self, const apex_snapshot_message *part,
                               double ticks_per_s, uint64_t now_us);
/// One car of them: for a caller that takes a part to pieces itself.
void client_interpolation_take_car(client_interpolation *self, const apex_wire_car *car,
                                   uint32_t tick, uint64_t now_us);

/// As client_presentation_pace and client_presentation_hold.
void client_interpolation_pace(client_interpolation *self, double tick, double ticks_per_s,
                               uint64_t now_us);
void client_interpolation_hold(client_interpolation *self, uint64_t now_us);
/// Forgets all cars: what comes is of another time.
void client_interpolation_forget(client_interpolation *self);

typedef struct client_frame {
    double server_tick; ///< that the server is in now, for the age of what is shown
    apex_client_pose *out;
    size_t capacity;
} client_frame;

/// Poses of the cars that `snapshots` knows, sorted by id. @return cars written.
size_t client_interpolation_show(client_interpolation *self, const client_snapshots *snapshots,
                                 uint64_t now_us, const client_frame *frame);
/// The car at a tick as its samples give it, without what hides corrections.
/// @return false if it is not known.
bool client_interpolation_pose(const client_interpolation *self, uint32_t car, double tick,
                               apex_client_pose *out);
apex_client_showing client_interpolation_stats(const client_interpolation *self);
