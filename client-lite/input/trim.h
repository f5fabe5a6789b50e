/// The trim decides how far ahead of a client's own time controls are stamped: stamp = own tick +
/// offset, where the own tick counts by the client's clock. The offset follows what the server
/// reports of the buffer: as small as the link's jitter and loss allow for nearly all samples to be
/// in time.
///
/// A report is turned into the offset that would just have done (the need), so that samples sent
/// under another offset, or still under way, cannot mislead: nothing swings. The offset covers a
/// quantile of the needs: 98 of 100 reports must be in time, which gives 99 of 100 ticks.
///
/// The offset moves by a time scale, 1 % down and 2 % up, so that controls are sampled a little
/// faster or slower; 3 % and 5 % once reports say that the line is plainly another. It jumps only
/// where the samples that a jump skips or delays are lost or old already: at the start, after a
/// stall of either end, when the needs of eight reports lie beyond all earlier ones (the route
/// changed), and when nothing has been in time for a fifth of a second.
///
/// In a closed loop (test_client_controls_loop.c) 99 % of samples are there on their tick with 0 to
/// 200 ms of delay, 0 to 50 ms of jitter and 0 to 5 % loss, and everything comes back within 2 s.
/// Why the server reports the worst and not a quantile: DECISIONS 47.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CLIENT_TRIM_NEEDS = 128 }; ///< reports remembered; 6.4 s at 20 snapshots a second

typedef struct client_trim_now {
    double own_tick; ///< ticks by the client's own clock, counted from anywhere
    double arrival;  ///< the server's tick when a packet sent now arrives, by the estimated clock
    double trip;     ///< a round trip, ticks
} client_trim_now;

typedef struct client_trim {
    double ticks_per_s; ///< of the client's time
    double lead_ticks;  ///< of stamps before their estimated arrival, at first
    double spare_ticks; ///< more than reports ask for
    bool started, reported;
    double offset;
    double own_tick;       ///< at the last advance
    double woken_own_tick; ///< at the end of the last nap
    bool has_span;
    double span;           ///< of stamps ahead of the newest snapshot when all is well
    double heard_own_tick; ///< when the newest snapshot came, and ...
    uint32_t heard_tick;
    uint32_t need_count, need_next;
    bool reckoned; ///< the two below are of the needs as they are: updates outnumber reports
    double usual, greatest;
    bool hurries;  ///< the line is better or worse than it was: the offset moves faster
    bool changed;  ///< the needs have made a step: it is a new route, or the server lost time
    bool starved;  ///< no sample was in time for a while
    bool settling; ///< it has jumped on the word of a clock, or of nobody
    uint32_t jumps;
    double needs[CLIENT_TRIM_NEEDS]; ///< ring
} client_trim;

void client_trim_begin(client_trim *trim, uint32_t real_tick_hz, uint32_t lead_ticks);
/// A snapshot of this tick came: the server is there at least.
void client_trim_heard(client_trim *trim, uint32_t tick, double own_tick);
/// A report: with this offset its newest sample would have been there just in time for the tick at
/// which there was least in hand. @param starved no sample has been in time for long.
void client_trim_need(client_trim *trim, double need, bool starved);
/// Samples will wait so much longer for their packets, or less: so much more is needed.
void client_trim_expect(client_trim *trim, double more_ticks);
/// @return whether the offset covers what is needed.
bool client_trim_is_settled(client_trim *trim);
/// @return whether nobody has called advance for so long that what is read now tells of the time
/// before.
bool client_trim_is_asleep(const client_trim *trim, double own_tick);
/// Moves the offset on to now. @return true if it jumped: reports on what was sampled before say
/// nothing more.
bool client_trim_advance(client_trim *trim, const client_trim_now *now);
double client_trim_stamp(const client_trim *trim, double own_tick);
