// The last reports tell how far ahead was needed; the offset goes to what covers nearly all.
#include "client-lite/input/trim.h"

#include "base/assert.h"

// The own tick runs this much faster while samples come too late, and slower while they come too
// early.
static const double FASTER = 0.02;
static const double SLOWER = 0.01;
// The same once reports say that the line has changed: controls are late, or wait for nothing.
static const double HURRIES_FASTER = 0.05;
static const double HURRIES_SLOWER = 0.03;
// One report in so many may be of a late sample: what it takes to have all in time is lag for
// nothing.
enum { LATE_ONE_IN = 50 };
// The server counts whole ticks in hand; half a tick more is there on average. Few reports hardly
// know the worst, so they get a tick more. A small difference is left alone: the offset must not
// hunt.
static const double GUARD_TICKS = -0.5;
static const double GUARD_OF_FEW_TICKS = 0.5;
static const double IDLE_TICKS = 0.25;
// So many reports must lie beyond all earlier ones before earlier ones are history; so many are
// wanted before anything is made later.
enum { STEP_NEEDS = 8, STARVED_NEEDS = 4, NEEDS_BEFORE_SLOWER = 40 };
static const double STEP_TICKS = 1.0;
// A line is worse when most of the newest reports are of late samples. It is better when the mean
// of the newest needs is below that of those before by more than chance explains, and by more than
// losses do, which are a tail: they seldom come, and are no less likely for not having come.
enum { WORSE_OF = 8, WORSE_LATE = 5, BETTER_NEEDS = 24, BETTER_NEEDS_BEFORE = 72 };
static const double LATE_TICKS = 0.75;
static const double BETTER_TICKS = 0.5;
static const double BETTER_SIGMAS = 5.0;
// Less than this is slewed within two seconds.
static const double JUMP_TICKS = 2.0;
// Too early by this for as long as is remembered: not every lost time makes a clear step.
static const double EXCESS_S = 0.1;
// The server keeps 63 ticks: what is stamped this much later than usual is as good as refused. And
// what it calls usual goes so far and no farther.
static const double AHEAD_TICKS = 40.0;
static const double AHEAD_TICKS_MAX = 64.0;
// A client that was not updated for so long finds snapshots of all ages waiting.
static const double NAP_S = 0.25;
// Without snapshots for so long the estimated clock is all there is; it counts if it is off by more
// than trimming explains.
static const double DEAF_S = 5.0;
static const double DEAF_OFF_S = 0.25;
static const double SPAN_GAIN = 0.125;
static const double SPAN_OUTLIER_TICKS = 6.0;

void client_trim_begin(client_trim *trim, uint32_t real_tick_hz, uint32_t lead_ticks) {
    APEX_ASSERT(real_tick_hz > 0);
    *trim = (client_trim){.ticks_per_s = real_tick_hz, .lead_ticks = lead_ticks};
}

double client_trim_stamp(const client_trim *trim, double own_tick) {
    return own_tick + trim->offset;
}

bool client_trim_is_asleep(const client_trim *trim, double own_tick) {
    return own_tick - trim->own_tick > NAP_S * trim->ticks_per_s;
}

void client_trim_heard(client_trim *trim, uint32_t tick, double own_tick) {
    trim->heard_tick = tick;
    trim->heard_own_tick = own_tick;
}

// The need that came `back` reports ago; 0 is the newest.
static double need_of(const client_trim *trim, uint32_t back) {
    return trim->needs[(trim->need_next - 1 - back) % CLIENT_TRIM_NEEDS];
}

static double greatest_need(const client_trim *trim, uint32_t begin, uint32_t end) {
    double greatest = need_of(trim, begin);
    for (uint32_t i = begin + 1; i < end; i++) {
        greatest = need_of(trim, i) > greatest ? need_of(trim, i) : greatest;
    }
    return greatest;
}

static double least_need(const client_trim *trim, uint32_t begin, uint32_t end) {
    double least = need_of(trim, begin);
    for (uint32_t i = begin + 1; i < end; i++) {
        least = need_of(trim, i) < least ? need_of(trim, i) : least;
    }
    return least;
}

// The need that nearly all lie under: the greatest but as many as may be late. It is an exact rank
// in a short window, and a histogram cannot forget.
static double usual_need(const client_trim *trim, double *greatest) {
    enum { RANKS = (CLIENT_TRIM_NEEDS + 20) / LATE_ONE_IN + 1 };
    double top[RANKS] = {0};
    uint32_t rank = (trim->need_count + 20) / LATE_ONE_IN; // soon one, so that a loss is not all
    for (uint32_t i = 0; i < trim->need_count; i++) {
        double need = need_of(trim, i);
        uint32_t at = i < rank ? i : rank;
        if (i > rank && need <= top[at]) {
            continue;
        }
        for (; at > 0 && top[at - 1] < need; at--) {
            top[at] = top[at - 1];
        }
        top[at] = need;
    }
    *greatest = top[0];
    return top[rank];
}

// The newest needs are all over or all under those before. The first of these will nearly always
// say that they are not.
static bool made_a_step(const client_trim *trim) {
    if (trim->need_count < 2 * STEP_NEEDS) {
        return false;
    }
    double least = least_need(trim, 0, STEP_NEEDS);
    double greatest = greatest_need(trim, 0, STEP_NEEDS);
    bool over = true, under = true;
    for (uint32_t i = STEP_NEEDS; i < trim->need_count && (over || under); i++) {
        over = over && least - need_of(trim, i) > STEP_TICKS;
        under = under && need_of(trim, i) - greatest > STEP_TICKS;
    }
    return over || under;
}

static bool is_line_worse(const client_trim *trim) {
    uint32_t late = 0;
    for (uint32_t i = 0; i < WORSE_OF && i < trim->need_count; i++) {
        late += need_of(trim, i) > trim->offset + LATE_TICKS;
    }
    return late >= WORSE_LATE;
}

typedef struct need_mean {
    double mean, variance; // of each
} need_mean;

static need_mean mean_of(const client_trim *trim, uint32_t begin, uint32_t end) {
    double origin = need_of(trim, begin); // needs are large numbers near each other
    double sum = 0.0, squares = 0.0, count = (double)end - begin;
    for (uint32_t i = begin; i < end; i++) {
        double need = need_of(trim, i) - origin;
        sum += need;
        squares += need * need;
    }
    double mean = sum / count;
    return (need_mean){origin + mean, squares / count - mean * mean};
}

static bool is_line_better(const client_trim *trim) {
    if (trim->need_count < BETTER_NEEDS + BETTER_NEEDS_BEFORE) {
        return false;
    }
    need_mean now = mean_of(trim, 0, BETTER_NEEDS);
    need_mean before = mean_of(trim, BETTER_NEEDS, trim->need_count);
    double less = before.mean - now.mean;
    // By chance the newest have fewer losses among them, and seem even.
    double each = before.variance > now.variance ? before.variance : now.variance;
    double variance = each / BETTER_NEEDS + each / (trim->need_count - BETTER_NEEDS);
    return less > BETTER_TICKS && less * less > BETTER_SIGMAS * BETTER_SIGMAS * variance;
}

// A worse line is seen in the quantile at once, a better one only when what was needed before it is
// forgotten: all but the newer half of those that told of it.
static void note_line(client_trim *trim) {
    if (is_line_worse(trim)) {
        trim->hurries = true;
    } else if (is_line_better(trim)) {
        trim->hurries = true;
        trim->reckoned = false;
        trim->need_count = BETTER_NEEDS / 2;
    }
}

// Of stamps that arrive in time; a server that lost time shows itself by standing out.
static void note_span(client_trim *trim) {
    double span = client_trim_stamp(trim, trim->heard_own_tick) - (double)trim->heard_tick;
    if (!trim->has_span) {
        trim->has_span = true;
        trim->span = span;
    } else if (span < trim->span + SPAN_OUTLIER_TICKS) {
        trim->span += SPAN_GAIN * (span - trim->span);
    }
}

// @return whether as many needs lie below the usual one as before, and those above are the same.
static bool leaves_ranks(const client_trim *trim, double need, double gone) {
    return need <= trim->usual && gone <= trim->usual &&
           (need < trim->usual) == (gone < trim->usual);
}

static void remember(client_trim *trim, double need) {
    double *place = &trim->needs[trim->need_next++ % CLIENT_TRIM_NEEDS];
    bool is_full = trim->need_count == CLIENT_TRIM_NEEDS;
    trim->reckoned = trim->reckoned && is_full && leaves_ranks(trim, need, *place);
    trim->need_count += is_full ? 0 : 1;
    *place = need;
}

void client_trim_need(client_trim *trim, double need, bool starved) {
    if (!starved) {
        note_span(trim);
    }
    remember(trim, need);
    trim->reported = true;
    trim->starved = starved;
    if (made_a_step(trim)) {
        trim->reckoned = false;
        trim->need_count = STEP_NEEDS;
        trim->changed = true;
    } else {
        note_line(trim);
    }
}

// @param needs the number of the newest reports that are of the world after the jump.
static bool jump_to(client_trim *trim, double offset, uint32_t needs) {
    trim->offset = offset;
    trim->need_count = needs;
    trim->reckoned = false;
    trim->changed = false;
    trim->hurries = false;
    trim->starved = false;
    trim->settling = needs == 0;
    trim->jumps++;
    return true;
}

static void slew(client_trim *trim, double error, double elapsed) {
    double most = (trim->hurries ? HURRIES_FASTER : FASTER) * elapsed;
    double least = (trim->hurries ? -HURRIES_SLOWER : -SLOWER) * elapsed;
    double step = error < most ? error : most;
    step = step > least ? step : least;
    trim->offset += step;
}

static bool follow_clock(client_trim *trim, const client_trim_now *now, double elapsed) {
    double error = now->arrival + trim->lead_ticks - client_trim_stamp(trim, now->own_tick);
    double most = trim->reported ? DEAF_OFF_S * trim->ticks_per_s : JUMP_TICKS;
    if (error > most || error < -most) {
        return jump_to(trim, trim->offset + error, 0);
    }
    if (!trim->reported) {
        slew(trim, error, elapsed);
    }
    return false;
}

// Stamps that must be wrong, whatever reports say: behind what the server has done, or beyond what
// it keeps. Then they begin again as far ahead of its snapshots as they used to be.
static bool leave_nonsense(client_trim *trim, const client_trim_now *now) {
    double here = (double)trim->heard_tick + now->own_tick - trim->heard_own_tick;
    double stamp = client_trim_stamp(trim, now->own_tick);
    trim->has_span = trim->has_span && trim->span <= now->trip + AHEAD_TICKS_MAX;
    double usual = here + (trim->has_span ? trim->span : now->trip + trim->lead_ticks);
    if (stamp >= (double)trim->heard_tick + 1.0 && stamp <= usual + AHEAD_TICKS &&
        stamp <= here + now->trip + AHEAD_TICKS_MAX) {
        return false;
    }
    return jump_to(trim, usual - now->own_tick, 0);
}

static void reckon(client_trim *trim) {
    if (!trim->reckoned && trim->need_count > 0) {
        trim->reckoned = true;
        trim->usual = usual_need(trim, &trim->greatest);
    }
}

static double wanted_offset(const client_trim *trim) {
    bool few = trim->need_count < NEEDS_BEFORE_SLOWER;
    return trim->usual + (few ? GUARD_OF_FEW_TICKS : GUARD_TICKS) + trim->spare_ticks;
}

// The offset to jump to, where slewing would take long and a jump costs nothing; the present one
// otherwise. *kept: the number of needs that are of the world as it is.
static double jump_wanted(const client_trim *trim, uint32_t *kept) {
    uint32_t count = trim->need_count;
    double wanted = wanted_offset(trim);
    double error = wanted - trim->offset;
    *kept = count < STARVED_NEEDS ? count : STARVED_NEEDS;
    double worst_now = greatest_need(trim, 0, *kept) + GUARD_OF_FEW_TICKS;
    if (trim->starved && worst_now > trim->offset + 1.0) {
        return worst_now;
    }
    *kept = count;
    if (trim->changed && (error > JUMP_TICKS || error < -JUMP_TICKS)) {
        return wanted;
    }
    if (trim->settling && count >= STEP_NEEDS && error < -JUMP_TICKS) {
        return wanted;
    }
    double excess = trim->offset - trim->greatest;
    if (count >= NEEDS_BEFORE_SLOWER && excess > EXCESS_S * trim->ticks_per_s) {
        return wanted;
    }
    return trim->offset;
}

void client_trim_expect(client_trim *trim, double more_ticks) {
    for (uint32_t i = 0; i < CLIENT_TRIM_NEEDS; i++) {
        trim->needs[i] += more_ticks;
    }
    trim->reckoned = false;
}

bool client_trim_is_settled(client_trim *trim) {
    reckon(trim);
    return trim->need_count == 0 || trim->offset >= wanted_offset(trim) - IDLE_TICKS;
}

static bool follow_reports(client_trim *trim, double elapsed) {
    uint32_t kept;
    reckon(trim);
    double offset = jump_wanted(trim, &kept);
    if (offset > trim->offset || offset < trim->offset) {
        trim->has_span = false;
        return jump_to(trim, offset, kept);
    }
    trim->changed = false;
    trim->settling = trim->settling && trim->need_count < STEP_NEEDS;
    double error = wanted_offset(trim) - trim->offset;
    if (error > 0.0) {
        slew(trim, error, elapsed);
    } else if (error < -IDLE_TICKS &&
               trim->need_count >= (trim->hurries ? BETTER_NEEDS : NEEDS_BEFORE_SLOWER)) {
        slew(trim, error + IDLE_TICKS, elapsed);
    }
    error = wanted_offset(trim) - trim->offset;
    trim->hurries = trim->hurries && (error > 0.0 || error < -IDLE_TICKS);
    return false;
}

bool client_trim_advance(client_trim *trim, const client_trim_now *now) {
    double elapsed = now->own_tick > trim->own_tick ? now->own_tick - trim->own_tick : 0.0;
    bool is_waking = client_trim_is_asleep(trim, now->own_tick);
    trim->own_tick = now->own_tick;
    if (!trim->started) {
        trim->started = true;
        trim->woken_own_tick = now->own_tick;
        return jump_to(trim, now->arrival + trim->lead_ticks - now->own_tick, 0);
    }
    if (is_waking) {
        trim->woken_own_tick = now->own_tick;
    }
    double since_heard = now->own_tick - trim->heard_own_tick;
    if (trim->heard_tick == 0 || since_heard > DEAF_S * trim->ticks_per_s) {
        return follow_clock(trim, now, elapsed);
    }
    bool jumped = false;
    if (!trim->reported) {
        jumped = follow_clock(trim, now, elapsed);
    } else if (trim->need_count > 0) {
        jumped = follow_reports(trim, elapsed);
    }
    bool may_judge = trim->heard_own_tick > trim->woken_own_tick;
    return (may_judge && leave_nonsense(trim, now)) || jumped;
}
