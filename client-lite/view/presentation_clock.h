/// The presentation clock says which moment to show: behind what has come by as much as the link
/// needs, and going on evenly.
///
/// Each arrival tells by how much the moment shown must be behind for the snapshot before it to
/// have reached until now: an interval, and what this one was late, and intervals more where some
/// were lost. The delay follows what 97 % of the last 128 arrivals would have needed, by playing up
/// to a tenth faster or slower: without a jump. A car that comes with every tenth snapshot only is
/// shown later than others, up to half a second, instead of in leaps.
///
/// Measured on ridgeway, eight cars in whole snapshots: 0.4 mm off in the mean on a clean link,
/// 54 ms behind what arrives; 0.7 mm and 4 cm at most at 25 % loss and 30 ms of jitter, 163 ms
/// behind. Deltas are coarser: 2 cm, far cars among them. DECISIONS 28 says why the
/// delay is no multiple of the interval.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// A moment that goes by evenly, between 0.9 and 1.1 of the pace, to where it is wanted; it jumps
/// only if that is farther off than a second.
typedef struct client_moment {
    bool begun;
    double tick;
    uint64_t at_us;
} client_moment;

/// @return its tick at `now_us`, after which it is at `wanted` or on the way there.
double client_moment_follow(client_moment *moment, double wanted, double ticks_per_s,
                            uint64_t now_us);

enum { CLIENT_PRESENTATION_ARRIVALS = 128 };
#define CLIENT_PRESENTATION_DELAY_S_MAX   0.5
#define CLIENT_PRESENTATION_INTERVAL_GAIN 0.05 ///< of the mean interval, per arrival

typedef struct client_presentation_clock {
    double ticks_per_s; ///< of the client's clock, when ticks come
    bool paused;        ///< none come
    bool begun;
    double head_tick; ///< the tick that arrives now, were the link even, at ...
    uint64_t head_us;
    uint32_t newest_tick;
    double needs[CLIENT_PRESENTATION_ARRIVALS]; ///< ticks; a ring
    uint32_t need_count;                        ///< ever
    double interval_ticks;                      ///< mean of the ways from one arrival to the next
    double delay_ticks;                         ///< to which the delay glides
    client_moment moment;                       ///< that is shown
    bool crosses;        ///< the pace has changed: the moment goes on by the one before until it is
                         ///< where it is wanted, which is then by the new one
    bool crosses_upward; ///< it is wanted later than it is
    double crossing_per_s;
} client_presentation_clock;

/// A newer snapshot than all before. @param ticks_per_s by the client's clock.
void client_presentation_arrival(client_presentation_clock *clock, uint32_t tick,
                                 double ticks_per_s, uint64_t now_us);
/// The server's ticks come at another rate from now on, and `tick` was the last. Moments
/// before it go on being shown at the rate they had, so nothing jumps, and a pause runs out to the
/// very tick (DECISIONS 34). @param ticks_per_s 0: none come.
void client_presentation_pace(client_presentation_clock *clock, double tick, double ticks_per_s,
                              uint64_t now_us);
/// The moment stays where it is until the pace is set.
void client_presentation_hold(client_presentation_clock *clock, uint64_t now_us);
/// The next arrival begins anew, at whatever tick.
void client_presentation_forget(client_presentation_clock *clock);
/// Moves the moment shown to now. @return its tick; 0 before the first arrival.
double client_presentation_tick(client_presentation_clock *clock, uint64_t now_us);
/// The delay of the moment shown behind what arrives, in seconds of the client's clock.
double client_presentation_delay_s(const client_presentation_clock *clock);
