// The race that runs ahead through a recording: what happened when is known only by running the
// whole of it. It takes 4 ms in each tick of the server, and is freed when it is through
// (DECISIONS 36).
#include <string.h>

#include "base/assert.h"
#include "playback/rerun.h"
#include "playback/scout.h"

static const double BUDGET_US = 4000.0;
enum { LIST_AGAIN_TICKS = 600 };

// @return whether the list has changed.
static bool publish(playback_scout *scout) {
    apex_playback_mark list[APEX_PLAYBACK_MARKS_MAX];
    uint32_t count = playback_marks_list(&scout->marks, list);
    if (count == scout->list_count && memcmp(list, scout->list, count * sizeof list[0]) == 0) {
        return false;
    }
    memcpy(scout->list, list, count * sizeof list[0]);
    scout->list_count = count;
    return true;
}

void playback_scout_end(playback_scout *scout) {
    apex_replay_reader_close(scout->reader);
    apex_race_destroy(scout->race);
    scout->reader = NULL;
    scout->race = NULL;
}

// A file that was still growing when the scout came to its end has more by now.
static bool look_for_more(playback_scout *scout) {
    apex_replay_extent extent;
    apex_replay_blob keyframe;
    bool has_more = apex_replay_survey(scout->reader, &extent) == APEX_OK &&
                    extent.ticks > scout->tick &&
                    apex_replay_seek(scout->reader, scout->tick, &keyframe, NULL) == APEX_OK;
    scout->is_waiting = !has_more;
    return has_more;
}

static bool scout_tick(playback_scout *scout) {
    apex_replay_step step;
    char why[PLAYBACK_RERUN_WHY_BYTES];
    apex_err err = apex_replay_next(scout->reader, &step, why);
    if (err == APEX_OK) {
        err = playback_rerun_step(scout->race, &step, NULL, why);
    }
    if (err != APEX_OK) {
        return false; // a viewer who plays as far as this hears why
    }
    scout->tick++;
    size_t count = 0;
    const apex_race_event *events = apex_race_events(scout->race, &count);
    for (size_t i = 0; i < count; i++) {
        playback_marks_note(&scout->marks, &events[i], apex_race_tick_hz(scout->race));
    }
    return true;
}

bool playback_scout_go_on(playback_scout *scout, const apex_replay_extent *extent,
                          playback_cost *cost) {
    bool has_news = false;
    APEX_ASSERT(scout->tick <= extent->ticks && cost->tick_us > 0.0);
    if (scout->reader == NULL) {
        return false;
    }
    uint32_t ticks = playback_ticks_in(cost, BUDGET_US);
    for (uint32_t i = 0; i < ticks && scout->tick < extent->ticks; i++) {
        bool goes_on = !scout->is_waiting || look_for_more(scout);
        if (!goes_on || !scout_tick(scout)) {
            has_news |= publish(scout);
            playback_scout_end(scout);
            return has_news;
        }
        cost->made++;
        if (scout->tick % LIST_AGAIN_TICKS == 0) {
            has_news |= publish(scout);
        }
    }
    if (scout->tick == extent->ticks && !scout->is_waiting) {
        has_news |= publish(scout);
        scout->is_waiting = true;
    }
    if (scout->is_waiting && extent->is_closed) {
        playback_scout_end(scout);
    }
    return has_news;
}
