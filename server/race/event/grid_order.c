// The order of a session's grid: each of its feeds sorts, takes a stretch, turns the first of it
// round and sends those without a time behind it; then places that penalties cost are paid
// (weekend.md 1.3 and 2.5, FIA sporting regulations 2025, 42.3).
#include "race/event/grid_order.h"

#include "base/assert.h"
#include "base/hash.h"

#include <string.h>

enum { DROP_TO_THE_BACK = 15 }; // more places than these cost all of them

// What an order is read by, and where its lists are.
typedef struct sort_by {
    const race_grid_making *making;
    apex_session_feed feed;
    uint32_t *list, *aside; // [count] candidates, and as much room
    uint32_t *taken;        // [count] whether an earlier feed has taken that candidate
} sort_by;

static int compare(uint64_t a, uint64_t b) {
    return a < b ? -1 : a > b;
}

// What is 0 comes last.
static int compare_known(uint64_t a, uint64_t b) {
    return compare(a - 1, b - 1);
}

static uint32_t place_in(const race_candidate *who, const apex_session_feed *feed) {
    const race_grid_outcome *outcome = &who->outcomes[feed->session];
    return feed->class1 > 0 ? outcome->class_place : outcome->place;
}

static uint32_t races_ended_at(const race_grid_making *making, const race_candidate *who,
                               uint32_t place) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < making->session; i++) {
        count += making->weekend->sessions[i].kind == APEX_SESSION_RACE &&
                 who->outcomes[i].place == place;
    }
    return count;
}

// More wins, then more second places, and so on.
static int compare_finishes(const race_grid_making *making, const race_candidate *a,
                            const race_candidate *b) {
    for (uint32_t place = 1; place <= making->count; place++) {
        int by_place = compare(races_ended_at(making, b, place), races_ended_at(making, a, place));
        if (by_place != 0) {
            return by_place;
        }
    }
    return 0;
}

static uint64_t lot_of(const race_grid_making *making, const race_candidate *who) {
    uint64_t words[3] = {making->seed, making->session, who->arrival};
    uint8_t bytes[sizeof words];
    for (uint32_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(words[i / 8] >> 8 * (i % 8));
    }
    return apex_hash_bytes(bytes, sizeof bytes, 0);
}

static int compare_by(const sort_by *by, const race_candidate *a, const race_candidate *b) {
    const apex_session_feed *feed = &by->feed;
    int first = 0;
    switch (feed->by) {
    case APEX_BY_BEST_LAP:
        first =
            compare_known(a->outcomes[feed->session].best_us, b->outcomes[feed->session].best_us);
        return first != 0 ? first : compare_known(place_in(a, feed), place_in(b, feed));
    case APEX_BY_RESULT:
        return compare_known(place_in(a, feed), place_in(b, feed));
    case APEX_BY_POINTS:
        first = compare(b->points, a->points);
        first = first != 0 ? first : compare_finishes(by->making, a, b);
        return first != 0 ? first : compare_known(a->entry, b->entry);
    case APEX_BY_ENTRY:
        return compare_known(a->entry, b->entry);
    case APEX_BY_LOT:
        return compare(lot_of(by->making, a), lot_of(by->making, b));
    case APEX_BY_ARRIVAL:
        break;
    }
    return 0;
}

static bool stands_before(const sort_by *by, uint32_t a, uint32_t b) {
    const race_candidate *all = by->making->candidates;
    int order = compare_by(by, &all[a], &all[b]);
    return order != 0 ? order < 0 : all[a].arrival < all[b].arrival;
}

// Two runs of `aside` into one of the list.
static void merge(const sort_by *by, uint32_t from, uint32_t middle, uint32_t end) {
    uint32_t left = from, right = middle;
    for (uint32_t i = from; i < end; i++) {
        bool take_right =
            left == middle || (right < end && stands_before(by, by->aside[right], by->aside[left]));
        by->list[i] = by->aside[take_right ? right++ : left++];
    }
}

static uint32_t at_most(uint32_t value, uint32_t limit) {
    return value < limit ? value : limit;
}

static void sort(const sort_by *by, uint32_t count) {
    for (uint32_t run = 1; run < count; run *= 2) {
        memcpy(by->aside, by->list, count * sizeof *by->list);
        for (uint32_t from = 0; from < count; from += 2 * run) {
            merge(by, from, at_most(from + run, count), at_most(from + 2 * run, count));
        }
    }
}

static bool is_of_session(const apex_session_feed *feed) {
    return feed->by == APEX_BY_RESULT || feed->by == APEX_BY_BEST_LAP;
}

static bool is_read_by(const race_candidate *who, const apex_session_feed *feed) {
    bool in_class = feed->class1 == 0 || who->class1 == feed->class1;
    return in_class && (!is_of_session(feed) || who->outcomes[feed->session].place > 0);
}

static void reverse(uint32_t items[], uint32_t count) {
    for (uint32_t i = 0; i < count / 2; i++) {
        uint32_t kept = items[i];
        items[i] = items[count - 1 - i];
        items[count - 1 - i] = kept;
    }
}

static void untimed_to_the_back(const sort_by *by, uint32_t count) {
    uint32_t timed = 0, untimed = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (by->making->candidates[by->list[i]].outcomes[by->feed.session].timed) {
            by->list[timed++] = by->list[i];
        } else {
            by->aside[untimed++] = by->list[i];
        }
    }
    memcpy(&by->list[timed], by->aside, untimed * sizeof *by->list);
}

// The place that a stretch counts by: of a result, the one that the driver had there, so that
// nobody moves up because another has gone home; of other orders, the one among those here.
static uint32_t place_for(const sort_by *by, uint32_t index) {
    const race_candidate *who = &by->making->candidates[by->list[index]];
    return by->feed.by == APEX_BY_RESULT ? place_in(who, &by->feed) : index + 1;
}

static uint32_t take_stretch(const sort_by *by, uint32_t count) {
    uint32_t to = by->feed.to > 0 ? by->feed.to : UINT32_MAX;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = place_for(by, i);
        if (place >= by->feed.from && place <= to && by->taken[by->list[i]] == 0) {
            by->list[kept++] = by->list[i];
        }
    }
    return kept;
}

// @return how many more stand in the order
static uint32_t feed_grid(const sort_by *by, uint32_t order[]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < by->making->count; i++) {
        if (is_read_by(&by->making->candidates[i], &by->feed)) {
            by->list[count++] = i;
        }
    }
    sort(by, count);
    count = take_stretch(by, count);
    reverse(by->list, at_most(by->feed.reversed, count));
    if (is_of_session(&by->feed)) {
        untimed_to_the_back(by, count);
    }
    for (uint32_t i = 0; i < count; i++) {
        by->taken[by->list[i]] = 1;
        order[i] = by->list[i];
    }
    return count;
}

typedef struct demotion {
    uint32_t who, wish; // the place that he is to have
} demotion;

// By the wish, of one wish by the order before.
static void insert(demotion demoted[], uint32_t count, demotion one) {
    uint32_t at = count;
    for (; at > 0 && demoted[at - 1].wish > one.wish; at--) {
        demoted[at] = demoted[at - 1];
    }
    demoted[at] = one;
}

// Whoever pays no places fills, in the order before, what those who pay leave free; all close up.
static void pay_drops(const race_grid_making *making, uint32_t order[], uint32_t count) {
    demotion *demoted = (demotion *)making->scratch; // [count], which takes two thirds of it
    uint32_t *others = making->scratch + 2 * (size_t)making->count;
    uint32_t demoted_count = 0, other_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t drop = making->candidates[order[i]].drop;
        if (drop == 0) {
            others[other_count++] = order[i];
            continue;
        }
        uint32_t wish = drop > DROP_TO_THE_BACK ? UINT32_MAX : i + drop;
        insert(demoted, demoted_count++, (demotion){order[i], wish});
    }
    uint32_t paid = 0, filled = 0;
    for (uint32_t place = 0; place < count; place++) {
        bool is_due = paid < demoted_count && demoted[paid].wish <= place;
        order[place] = is_due || filled == other_count ? demoted[paid++].who : others[filled++];
    }
}

// A race without feeds takes the result of the session before it, any other session all as they
// came; and without a session before there is the list of entries.
static apex_session_feed usual_feed(const race_grid_making *making) {
    apex_session_feed feed = {.session = APEX_SESSION_NONE, .by = APEX_BY_ARRIVAL, .from = 1};
    if (making->weekend->sessions[making->session].kind == APEX_SESSION_RACE) {
        feed.by = making->session > 0 ? APEX_BY_RESULT : APEX_BY_ENTRY;
        feed.session = making->session > 0 ? making->session - 1 : APEX_SESSION_NONE;
    }
    return feed;
}

// Whoever is left: those who start behind the others, or those who watch.
static void add_rest(const sort_by *by, uint32_t order[], uint32_t count) {
    uint32_t rest = 0;
    for (uint32_t i = 0; i < by->making->count; i++) {
        if (by->taken[i] == 0) {
            by->list[rest++] = i;
        }
    }
    sort(by, rest);
    memcpy(&order[count], by->list, rest * sizeof *order);
}

uint32_t race_grid_order(const race_grid_making *making, uint32_t order[]) {
    APEX_ASSERT(making->session < making->weekend->session_count);
    const apex_session_def *session = &making->weekend->sessions[making->session];
    sort_by by = {.making = making,
                  .list = making->scratch,
                  .aside = making->scratch + making->count,
                  .taken = making->scratch + 2 * (size_t)making->count};
    memset(by.taken, 0, making->count * sizeof *by.taken);
    uint32_t count = 0;
    for (uint32_t i = 0; i < session->feed_count; i++) {
        by.feed = session->feeds[i];
        count += feed_grid(&by, &order[count]);
    }
    if (session->feed_count == 0) {
        by.feed = usual_feed(making);
        count += feed_grid(&by, order);
    }
    by.feed = (apex_session_feed){.session = APEX_SESSION_NONE, .by = APEX_BY_ARRIVAL, .from = 1};
    add_rest(&by, order, count);
    if (session->feed_count == 0 || session->takes_rest) {
        count = making->count;
    }
    pay_drops(making, order, count);
    return count;
}
