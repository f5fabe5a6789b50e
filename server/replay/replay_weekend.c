// A race weekend to bytes and back. One walk over the definition does both, so that each field
// stands once, and what is written is what is read.
#include "replay/replay_weekend.h"

#include <string.h>

#include "base/assert.h"
#include "base/utf8.h"

// A field that is added to one of these has its line in the walk below, and a format of its own.
_Static_assert(sizeof(apex_session_def) == 416 && sizeof(apex_session_feed) == 24, "see above");
_Static_assert(sizeof(apex_rules_def) == 1504 && sizeof(apex_pits_def) == 392, "see above");
_Static_assert(sizeof(apex_entry_list_def) == 14216, "see above");

// One of the two.
typedef struct weekend_io {
    store_bytes_out *out;
    store_bytes_in *in;
} weekend_io;

static void io_u32(weekend_io *io, uint32_t *value) {
    if (io->out != NULL) {
        store_put_u32(io->out, *value);
    } else {
        *value = store_take_u32(io->in);
    }
}

static void io_double(weekend_io *io, double *value) {
    if (io->out != NULL) {
        store_put_double(io->out, *value);
    } else {
        *value = store_take_double(io->in);
    }
}

static void refuse_if(weekend_io *io, bool broken) {
    if (io->in != NULL) {
        io->in->failed |= broken;
    } else {
        APEX_ASSERT(!broken);
    }
}

// @return what is written or read, from 0 to `last`
static uint32_t io_choice(weekend_io *io, uint32_t value, uint32_t last) {
    uint8_t byte = (uint8_t)value;
    if (io->out != NULL) {
        store_put_u8(io->out, byte);
    } else {
        byte = store_take_u8(io->in);
    }
    refuse_if(io, byte > last);
    return byte <= last ? byte : 0;
}

static void io_bool(weekend_io *io, bool *value) {
    *value = io_choice(io, *value, 1) != 0;
}

// The number of items that follow.
static uint32_t io_count(weekend_io *io, uint32_t *count, uint32_t most) {
    *count = io_choice(io, *count, most);
    return *count;
}

static bool is_text(const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        size_t bytes = apex_utf8_length(text + at, length - at);
        if (bytes == 0 || text[at] == '\0') {
            return false;
        }
        at += bytes;
    }
    return true;
}

static void io_text(weekend_io *io, char text[], size_t bytes) {
    size_t length = io_choice(io, (uint32_t)strnlen(text, bytes), (uint32_t)bytes - 1);
    if (io->out != NULL) {
        store_put(io->out, text, length);
        return;
    }
    const uint8_t *from = store_take(io->in, length);
    memset(text, 0, bytes);
    if (from != NULL) {
        memcpy(text, from, length);
    }
    refuse_if(io, !is_text(text, length));
}

#define IO_TEXT(io, text) io_text(io, text, sizeof(text))

static void walk_doubles(weekend_io *io, double *const values[], size_t count) {
    for (size_t i = 0; i < count; i++) {
        io_double(io, values[i]);
    }
}

#define WALK_DOUBLES(io, values) walk_doubles(io, values, sizeof(values) / sizeof(values)[0])

static void walk_feed(weekend_io *io, apex_session_feed *feed) {
    io_u32(io, &feed->session);
    feed->by = (apex_order_by)io_choice(io, (uint32_t)feed->by, APEX_ORDERS_BY - 1);
    io_u32(io, &feed->from);
    io_u32(io, &feed->to);
    io_u32(io, &feed->reversed);
    io_u32(io, &feed->class1);
}

static void walk_session(weekend_io *io, apex_session_def *def) {
    IO_TEXT(io, def->name);
    def->kind = (apex_session_kind)io_choice(io, (uint32_t)def->kind, APEX_SESSION_KINDS - 1);
    def->start = (apex_start_kind)io_choice(io, (uint32_t)def->start, APEX_START_ROLLING);
    io_bool(io, &def->extra_lap);
    io_bool(io, &def->takes_rest);
    io_u32(io, &def->laps);
    io_u32(io, &def->stops_min);
    io_u32(io, &def->compounds);
    io_u32(io, &def->best_lap_points);
    double *const values[] = {&def->duration_s, &def->overtime_s,  &def->finish_wait_s,
                              &def->results_s,  &def->rolling_mps, &def->window_from_s,
                              &def->window_to_s};
    WALK_DOUBLES(io, values);
    uint32_t feeds = io_count(io, &def->feed_count, APEX_SESSION_FEEDS_MAX);
    for (uint32_t i = 0; i < feeds; i++) {
        walk_feed(io, &def->feeds[i]);
    }
    uint32_t places = io_count(io, &def->points_count, APEX_POINTS_PLACES_MAX);
    for (uint32_t i = 0; i < places; i++) {
        io_u32(io, &def->points[i]);
    }
}

static void walk_penalties(weekend_io *io, apex_penalty_def *def) {
    io_u32(io, &def->serve_within_laps);
    io_bool(io, &def->unserved_disqualifies);
    double *const values[] = {&def->drive_through_s, &def->unserved_hold_s, &def->time_s_max};
    WALK_DOUBLES(io, values);
    uint32_t steps = io_count(io, &def->step_count, APEX_PENALTY_STEPS_MAX);
    for (uint32_t i = 0; i < steps; i++) {
        apex_penalty_step *step = &def->steps[i];
        step->offence = (apex_offence)io_choice(io, (uint32_t)step->offence, APEX_OFFENCES - 1);
        step->kind = (apex_penalty_kind)io_choice(io, (uint32_t)step->kind, APEX_PENALTY_KINDS - 1);
        io_u32(io, &step->count);
        io_double(io, &step->amount);
    }
}

static void walk_rules(weekend_io *io, apex_rules_def *def) {
    def->preset = (apex_rules_preset)io_choice(io, (uint32_t)def->preset, APEX_RULES_PRESETS - 1);
    bool *const flags[] = {
        &def->limits.on,      &def->limits.lenient,  &def->start.on,     &def->pits.on,
        &def->pits.exit_line, &def->direction.on,    &def->blocking.on,  &def->blue.on,
        &def->yellow.on,      &def->full_course.on,  &def->incidents.on, &def->fault.on,
        &def->courtesy.lane,  &def->courtesy.lapped, &def->flag_needed,
    };
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        io_bool(io, flags[i]);
    }
    uint32_t *const counts[] = {&def->incidents.off,        &def->incidents.lost,
                                &def->incidents.wall,       &def->incidents.heavy,
                                &def->incidents.points_max, &def->fault.share};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        io_u32(io, counts[i]);
    }
    double *const values[] = {
        &def->limits.carry_m,      &def->start.move_m,          &def->pits.tolerance_mps,
        &def->pits.release_gap_s,  &def->direction.wrong_s,     &def->blocking.slow_mps,
        &def->blocking.slow_s,     &def->blue.notice_s,         &def->blue.shown_s,
        &def->blue.ignored_s,      &def->yellow.stretch_m,      &def->yellow.slow_share,
        &def->yellow.clear_s,      &def->full_course.limit_mps, &def->full_course.auto_s,
        &def->full_course.clear_s, &def->incidents.heavy_mps,   &def->fault.closing_mps,
        &def->courtesy.joined_s,   &def->classified_share,
    };
    WALK_DOUBLES(io, values);
    walk_penalties(io, &def->penalties);
}

static void walk_pits(weekend_io *io, apex_pits_def *def) {
    def->work = (apex_pit_work)io_choice(io, (uint32_t)def->work, APEX_PIT_FUEL_FIRST);
    io_bool(io, &def->by_team);
    double *const values[] = {&def->base_s, &def->tyres_axle_s, &def->fuel_kg_per_s,
                              &def->repair_percent_s, &def->engine_s};
    WALK_DOUBLES(io, values);
    uint32_t compounds = io_count(io, &def->compound_count, APEX_COMPOUNDS_MAX);
    for (uint32_t i = 0; i < compounds; i++) {
        apex_compound_def *compound = &def->compounds[i];
        IO_TEXT(io, compound->name);
        double *const numbers[] = {&compound->grip, &compound->wear, &compound->best_c};
        WALK_DOUBLES(io, numbers);
    }
}

static void walk_entry(weekend_io *io, apex_race_entry_def *entry) {
    IO_TEXT(io, entry->name);
    IO_TEXT(io, entry->key);
    IO_TEXT(io, entry->team);
    io_u32(io, &entry->number);
    io_u32(io, &entry->car1);
    io_u32(io, &entry->class1);
    io_u32(io, &entry->grid);
    io_double(io, &entry->ballast_kg);
    io_double(io, &entry->restrictor);
}

static void walk_entries(weekend_io *io, apex_entry_list_def *def) {
    io_bool(io, &def->only_listed);
    uint32_t classes = io_count(io, &def->class_count, APEX_CLASSES_MAX);
    for (uint32_t i = 0; i < classes; i++) {
        IO_TEXT(io, def->classes[i].name);
        io_u32(io, &def->classes[i].cars);
    }
    uint32_t entries = io_count(io, &def->count, APEX_ENTRIES_MAX);
    for (uint32_t i = 0; i < entries; i++) {
        walk_entry(io, &def->all[i]);
    }
    uint32_t places = io_count(io, &def->success_count, APEX_SUCCESS_PLACES_MAX);
    for (uint32_t i = 0; i < places; i++) {
        io_double(io, &def->success_kg[i]);
    }
}

static void walk_weekend(weekend_io *io, apex_weekend_def *def) {
    uint32_t sessions = io_count(io, &def->session_count, APEX_SESSIONS_MAX);
    for (uint32_t i = 0; i < sessions; i++) {
        walk_session(io, &def->sessions[i]);
    }
    walk_rules(io, &def->rules);
    walk_pits(io, &def->pits);
    walk_entries(io, &def->entries);
}

void store_put_weekend(store_bytes_out *out, const apex_weekend_def *def) {
    apex_weekend_def copy = *def; // the walk could write to it, but only while it reads
    walk_weekend(&(weekend_io){.out = out}, &copy);
}

apex_weekend_def store_take_weekend(store_bytes_in *in, uint32_t car_count) {
    apex_weekend_def def = {0};
    walk_weekend(&(weekend_io){.in = in}, &def);
    apex_weekend_problem problem;
    in->failed = in->failed || !apex_weekend_check(&def, car_count, &problem);
    return def;
}
