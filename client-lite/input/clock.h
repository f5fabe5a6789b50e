/// The server's clock as a client sees it: which tick the server is in now, with its fraction.
///
/// TimeReply gives samples with a known round trip; of the last few the one with the shortest trip
/// is believed (as NTP's clock filter does: a short trip leaves the least room for error). A
/// snapshot is a lower bound: the server has been at least there. The estimate slews towards what
/// is believed and jumps only when it is far off; what is a guess before the first reply ends with
/// it.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CLIENT_CLOCK_SAMPLES = 8 };

typedef struct client_clock_sample {
    uint64_t at_us;  ///< own clock
    uint64_t rtt_us; ///< includes what the server took to answer
    double tick;     ///< server's tick when it answered
} client_clock_sample;

typedef struct client_clock {
    double ticks_per_us;
    bool as_fast_as_possible; ///< the server runs unpaced: the rate is measured, not known
    uint32_t heard_tick;      ///< unpaced: newest that the server is known to have made, 0 none,
    uint64_t heard_us;        ///< and when that came
    bool known;
    bool answered; ///< there has been a reply; before it there was only a guess
    double tick;   ///< the estimate at ...
    uint64_t at_us;
    double believed_tick;  ///< to which the estimate glides, at at_us too
    uint64_t rtt_us;       ///< smoothed; 0 before the first sample
    uint64_t rtt_us_min;   ///< of the samples held
    uint32_t sample_count; ///< ever taken since the last forgetting
    client_clock_sample samples[CLIENT_CLOCK_SAMPLES];
} client_clock;

/// @param speed_permille as in Welcome: 1000 is real time, 0 as fast as possible.
void client_clock_begin(client_clock *clock, uint32_t tick_hz, uint32_t speed_permille);
/// The server's ticks come at another rate from now on, and `tick` was the last: what was known is
/// forgotten. @param ticks_per_s 0: none come.
void client_clock_pace(client_clock *clock, double tick, double ticks_per_s, uint64_t now_us);
/// A first guess from a message that names the server's tick (Welcome).
void client_clock_guess(client_clock *clock, uint32_t tick, uint64_t now_us);
/// @return false if the reply answers nothing that was asked within reason; nothing is changed.
bool client_clock_reply(client_clock *clock, uint64_t asked_us, double tick, uint64_t now_us);
void client_clock_snapshot(client_clock *clock, uint32_t tick, uint64_t now_us);
/// Moves the estimate to now. Call once an update.
void client_clock_update(client_clock *clock, uint64_t now_us);
/// Ticks that pass by the client's own clock at the rate of the server, counted from anywhere:
/// nothing that is learnt moves it.
double client_clock_own_tick(const client_clock *clock, uint64_t now_us);
double client_clock_tick(const client_clock *clock, uint64_t now_us); ///< 0 before it is known
/// Half a round trip in ticks: what the server will have advanced when a packet sent now arrives.
double client_clock_half_trip(const client_clock *clock);
