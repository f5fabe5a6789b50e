/// Touches of the own car with others: foretold ones, which are felt in the frame that shows them,
/// and those that the server tells of, a trip later.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client-lite/client.h"

enum {
    CLIENT_TOUCHES_MAX = 12,  ///< felt in one frame
    CLIENT_TOUCHES_KEPT = 32, ///< of each kind, until it is known what became of them
};

typedef struct client_touch_kept {
    uint32_t car;                   ///< 0: none
    uint32_t first_tick, last_tick; ///< cars that rub along each other have one touch
    double impulse_ns;              ///< of the first
    bool is_settled;
} client_touch_kept;

/// All zero: none yet.
typedef struct client_touches {
    uint32_t tick_hz;
    apex_client_touch frame[CLIENT_TOUCHES_MAX]; ///< felt in the newest
    size_t frame_count;
    client_touch_kept felt[CLIENT_TOUCHES_KEPT], told[CLIENT_TOUCHES_KEPT]; ///< rings
    uint32_t felt_count, told_count;
    uint64_t came, phantom, unforeseen;
} client_touches;

/// A new frame: nothing is felt in it yet.
void client_touches_begin_frame(client_touches *self);
void client_touches_feel(client_touches *self, const apex_client_touch *touch);
/// The server tells of one.
void client_touches_tell(client_touches *self, const apex_client_touch *touch);
/// Settles what will not be matched any more. Touches that are hardly one do not count: whether
/// they are told of is a matter of newtons.
/// @param told_tick of the newest snapshot @param shown_tick of the newest frame
void client_touches_settle(client_touches *self, uint32_t told_tick, uint32_t shown_tick);
