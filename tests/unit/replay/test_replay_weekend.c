// A race weekend in a replay: every field of it, the commands of its events, and files of before.
#include "test_replay_tape.h"

#include "base/hash.h"
#include "replay/replay_weekend.h"
#include "support/base/check_main.h"

static uint8_t room[64 * 1024];

static store_bytes_out into_room(void) {
    return (store_bytes_out){.bytes = room, .capacity = sizeof room};
}

static store_bytes_in from_room(size_t length) {
    return (store_bytes_in){.bytes = room, .length = length};
}

static void fill_session(apex_session_def *session, uint32_t index) {
    *session = apex_default_session_def(APEX_SESSION_RACE);
    snprintf(session->name, sizeof session->name, "Race %02u of as many as there are", index);
    session->laps = 7 + index;
    session->duration_s = 3600.5;
    session->extra_lap = index % 2 == 0;
    session->finish_wait_s = 61.5;
    session->results_s = 31.5;
    session->start = APEX_START_ROLLING;
    session->rolling_mps = 22.25;
    session->stops_min = 2;
    session->window_from_s = 600.25;
    session->window_to_s = 1200.75;
    session->compounds = 5;
    session->takes_rest = index % 2 == 1;
    session->points_count = APEX_POINTS_PLACES_MAX;
    session->best_lap_points = 3;
    for (uint32_t i = 0; i < APEX_POINTS_PLACES_MAX; i++) {
        session->points[i] = 100 - i;
    }
    session->feed_count = index > 0 ? APEX_SESSION_FEEDS_MAX : 0;
    for (uint32_t i = 0; i < session->feed_count; i++) {
        session->feeds[i] = (apex_session_feed){.session = index - 1,
                                                .by = APEX_BY_BEST_LAP,
                                                .from = 1 + i,
                                                .to = 9 + i,
                                                .reversed = 1 + i,
                                                .class1 = i};
    }
}

static void fill_entries(apex_entry_list_def *entries) {
    entries->only_listed = true;
    entries->class_count = APEX_CLASSES_MAX;
    for (uint32_t i = 0; i < APEX_CLASSES_MAX; i++) {
        snprintf(entries->classes[i].name, APEX_NAME_BYTES, "class %u", i);
        entries->classes[i].cars = 1u << i;
    }
    entries->count = APEX_ENTRIES_MAX;
    for (uint32_t i = 0; i < APEX_ENTRIES_MAX; i++) {
        apex_race_entry_def *entry = &entries->all[i];
        snprintf(entry->name, sizeof entry->name, "driver with a name of 31, no %02u", i);
        snprintf(entry->key, sizeof entry->key, "a fingerprint of forty-three letters, no %02u", i);
        snprintf(entry->team, sizeof entry->team, "\xc5\x81 team");
        entry->number = i + 1;
        entry->car1 = i % 8;
        entry->class1 = i % 9;
        entry->ballast_kg = 0.5 * i;
        entry->restrictor = 0.005 * i;
        entry->grid = APEX_ENTRIES_MAX - i;
    }
    entries->success_count = APEX_SUCCESS_PLACES_MAX;
    for (uint32_t i = 0; i < APEX_SUCCESS_PLACES_MAX; i++) {
        entries->success_kg[i] = 30.0 - 2.5 * i;
    }
}

static void fill_rules(apex_rules_def *rules) {
    *rules = apex_preset_rules(APEX_RULES_LEAGUE);
    rules->limits.carry_m = 123.0;
    rules->limits.lenient = rules->flag_needed = rules->courtesy.lapped = true;
    rules->start.move_m = 0.35;
    rules->penalties.step_count = APEX_PENALTY_STEPS_MAX;
    for (uint32_t i = 0; i < APEX_PENALTY_STEPS_MAX; i++) {
        rules->penalties.steps[i] =
            (apex_penalty_step){.offence = (apex_offence)(i % APEX_OFFENCE_NOT_SERVED),
                                .count = 1 + i,
                                .kind = APEX_PENALTY_TIME,
                                .amount = 5.25 + i};
    }
}

// As much of everything as there is room for, each field unlike zero. Zeros lie between the fields,
// too, so that whole structs can be compared.
static void fill(apex_weekend_def *def) {
    memset(def, 0, sizeof *def);
    fill_rules(&def->rules);
    def->pits = apex_default_pits_def();
    def->pits.work = APEX_PIT_FUEL_FIRST;
    def->pits.by_team = true;
    def->pits.engine_s = 77.5;
    def->pits.compound_count = APEX_COMPOUNDS_MAX;
    for (uint32_t i = 0; i < APEX_COMPOUNDS_MAX; i++) {
        snprintf(def->pits.compounds[i].name, APEX_NAME_BYTES, "compound %u", i);
        def->pits.compounds[i].grip = 1.25 - 0.0625 * i;
        def->pits.compounds[i].wear = 0.5 + i;
        def->pits.compounds[i].best_c = 90.0 + i;
    }
    fill_entries(&def->entries);
    def->session_count = APEX_SESSIONS_MAX;
    for (uint32_t i = 0; i < APEX_SESSIONS_MAX; i++) {
        fill_session(&def->sessions[i], i);
    }
}

TEST(each_field_of_a_full_weekend_comes_back) {
    static apex_weekend_def def, again;
    apex_weekend_problem problem;
    fill(&def);
    ck_assert_msg(apex_weekend_check(&def, 8, &problem), "%s: %s", problem.path, problem.reason);
    store_bytes_out out = into_room();
    store_put_weekend(&out, &def);
    ck_assert(!out.overflow);
    ck_assert_uint_le(out.length, STORE_WEEKEND_BYTES_MAX);
    store_bytes_in in = from_room(out.length);
    again = store_take_weekend(&in, 8);
    ck_assert(!in.failed);
    ck_assert_uint_eq(in.at, out.length);
    ck_assert_mem_eq(&again.rules, &def.rules, sizeof def.rules);
    ck_assert_mem_eq(&again.pits, &def.pits, sizeof def.pits);
    ck_assert_mem_eq(&again.entries, &def.entries, sizeof def.entries);
    for (uint32_t i = 0; i < APEX_SESSIONS_MAX; i++) {
        ck_assert_mem_eq(&again.sessions[i], &def.sessions[i], sizeof def.sessions[i]);
    }
}

// Of another car count the entries name cars that there are not.
TEST(a_weekend_that_contradicts_itself_is_refused) {
    static apex_weekend_def def;
    fill(&def);
    store_bytes_out out = into_room();
    store_put_weekend(&out, &def);
    store_bytes_in in = from_room(out.length);
    (void)store_take_weekend(&in, 7);
    ck_assert(in.failed);
    def = apex_default_weekend_def();
    def.session_count = 1;
    def.sessions[0] = apex_default_session_def(APEX_SESSION_RACE); // which never ends
    out = into_room();
    store_put_weekend(&out, &def);
    in = from_room(out.length);
    (void)store_take_weekend(&in, 1);
    ck_assert(in.failed);
    def.sessions[0].laps = 3;
    out = into_room();
    store_put_weekend(&out, &def);
    in = from_room(out.length);
    (void)store_take_weekend(&in, 1);
    ck_assert(!in.failed);
}

// Whatever a byte says: refused, or a weekend that passes its check.
TEST(no_byte_of_a_weekend_is_believed) {
    static apex_weekend_def def;
    fill(&def);
    def.entries.count = 2;
    def.session_count = 2;
    store_bytes_out out = into_room();
    store_put_weekend(&out, &def);
    uint32_t refused = 0;
    for (size_t at = 0; at < out.length; at++) {
        static const uint8_t values[] = {0, 1, 0x7f, 0xff};
        uint8_t before = room[at];
        for (size_t i = 0; i < sizeof values; i++) {
            room[at] = values[i];
            store_bytes_in in = from_room(out.length);
            apex_weekend_problem problem;
            apex_weekend_def taken = store_take_weekend(&in, 8);
            refused += in.failed;
            ck_assert(in.failed || apex_weekend_check(&taken, 8, &problem));
        }
        room[at] = before;
    }
    ck_assert_uint_gt(refused, out.length / 2);
    for (size_t length = 0; length < out.length; length++) {
        store_bytes_in in = from_room(length);
        (void)store_take_weekend(&in, 8);
        ck_assert_msg(in.failed, "cut at %zu", length);
    }
}

// As programs of before wrote and read it, number by number.
TEST(a_command_of_before_has_its_bytes) {
    apex_race_command command = {.kind = APEX_RACE_TAKEOVER,
                                 .player = {.index1 = 0x0102, .generation = 0x0304},
                                 .car = 0x05060708,
                                 .name = "Ada",
                                 .skill = 1.0,
                                 .lane_m = -2.0,
                                 .patience_s = 0.5,
                                 .why = APEX_LEAVE_IDLE,
                                 .seconds = 9.0,
                                 .flag = APEX_FLAG_RED};
    store_bytes_out out = into_room();
    store_put_command(&out, &command);
    uint8_t expected[STORE_COMMAND_BYTES] = {2,    0x02, 0x01, 0x04, 0x03, 0x08,
                                             0x07, 0x06, 0x05, 'A',  'd',  'a'};
    const uint8_t numbers[] = {0, 0, 0,    0, 0, 0, 0xf0, 0x3f, 0, 0,    0,    0, 0,
                               0, 0, 0xc0, 0, 0, 0, 0,    0,    0, 0xe0, 0x3f, 3};
    memcpy(expected + 9 + APEX_NAME_BYTES, numbers, sizeof numbers);
    ck_assert_uint_eq(out.length, sizeof expected);
    ck_assert_mem_eq(room, expected, sizeof expected);
}

TEST(commands_of_a_weekend_come_back) {
    const apex_race_command commands[] = {
        {.kind = APEX_RACE_SESSION_END},
        {.kind = APEX_RACE_SESSION_SKIP},
        {.kind = APEX_RACE_SESSION_EXTEND, .seconds = 300.5},
        {.kind = APEX_RACE_CALL, .flag = APEX_FLAG_RED},
        {.kind = APEX_RACE_PENALISE,
         .player = {7, 9},
         .penalty = {.number = 12,
                     .offence = APEX_OFFENCE_STEWARDS,
                     .kind = APEX_PENALTY_DISQUALIFIED,
                     .amount = 3600.0}},
        {.kind = APEX_RACE_PARDON, .player = {7, 9}, .penalty = {.number = 13}},
        {.kind = APEX_RACE_PIT_PLAN,
         .player = {7, 9},
         .plan = {.stop = true, .fuel_kg = 45.5, .tyres = false, .compound = 5, .repair = true}},
        {.kind = APEX_RACE_PIT_PLAN, .player = {7, 9}, .plan = {.tyres = true, .fuel_kg = 1000.0}},
    };
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        const apex_race_command *given = &commands[i];
        store_bytes_out out = into_room();
        store_put_command(&out, given);
        ck_assert_uint_le(out.length, STORE_COMMAND_BYTES);
        store_bytes_in in = from_room(out.length);
        apex_race_command read = store_take_command(&in);
        ck_assert_msg(!in.failed && in.at == out.length, "command %zu", i);
        ck_assert(tape_commands_equal(&read, given));
        ck_assert(read.seconds >= given->seconds && read.seconds <= given->seconds);
        ck_assert_uint_eq(read.flag, given->flag);
        ck_assert_uint_eq(read.penalty.number, given->penalty.number);
        ck_assert_uint_eq(read.penalty.offence, given->penalty.offence);
        ck_assert_uint_eq(read.penalty.kind, given->penalty.kind);
        ck_assert(read.penalty.amount >= given->penalty.amount &&
                  read.penalty.amount <= given->penalty.amount);
        ck_assert_uint_eq(read.plan.stop, given->plan.stop);
        ck_assert_uint_eq(read.plan.tyres, given->plan.tyres);
        ck_assert_uint_eq(read.plan.repair, given->plan.repair);
        ck_assert_uint_eq(read.plan.compound, given->plan.compound);
        ck_assert(read.plan.fuel_kg >= given->plan.fuel_kg &&
                  read.plan.fuel_kg <= given->plan.fuel_kg);
    }
}

// What only bytes can say is patched into what was written.
static bool is_refused(const apex_race_command *command, size_t at, uint8_t byte) {
    store_bytes_out out = into_room();
    store_put_command(&out, command);
    if (at > 0) {
        room[at] = byte;
    }
    store_bytes_in in = from_room(out.length);
    (void)store_take_command(&in);
    return in.failed;
}

TEST(a_command_beyond_its_range_is_refused) {
    enum { BEHIND_PLAYER = 5 };
    apex_race_command extend = {.kind = APEX_RACE_SESSION_EXTEND, .seconds = 1.0};
    ck_assert(!is_refused(&extend, 0, 0));
    extend.seconds = 0.99;
    ck_assert(is_refused(&extend, 0, 0));
    extend.seconds = 86400.0;
    ck_assert(!is_refused(&extend, 0, 0));
    extend.seconds = 86400.5;
    ck_assert(is_refused(&extend, 0, 0));
    extend.seconds = strtod("nan", NULL);
    ck_assert(is_refused(&extend, 0, 0));
    const apex_race_command call = {.kind = APEX_RACE_CALL};
    ck_assert(!is_refused(&call, BEHIND_PLAYER, APEX_FLAG_RED));
    ck_assert(is_refused(&call, BEHIND_PLAYER, APEX_FLAG_RED + 1));
    apex_race_command penalise = {.kind = APEX_RACE_PENALISE, .penalty.amount = 3600.0};
    ck_assert(!is_refused(&penalise, BEHIND_PLAYER + 4, APEX_OFFENCE_STEWARDS));
    ck_assert(is_refused(&penalise, BEHIND_PLAYER + 4, APEX_OFFENCES));
    ck_assert(!is_refused(&penalise, BEHIND_PLAYER + 5, APEX_PENALTY_DISQUALIFIED));
    ck_assert(is_refused(&penalise, BEHIND_PLAYER + 5, APEX_PENALTY_KINDS));
    penalise.penalty.amount = 3600.5;
    ck_assert(is_refused(&penalise, 0, 0));
    penalise.penalty.amount = -0.5;
    ck_assert(is_refused(&penalise, 0, 0));
    apex_race_command plan = {.kind = APEX_RACE_PIT_PLAN, .plan.compound = APEX_COMPOUNDS_MAX - 1};
    ck_assert(!is_refused(&plan, BEHIND_PLAYER, 7));
    ck_assert(is_refused(&plan, BEHIND_PLAYER, 8));
    plan.plan.compound = APEX_COMPOUNDS_MAX;
    ck_assert(is_refused(&plan, 0, 0));
    plan.plan = (apex_pit_plan){.fuel_kg = 1000.5};
    ck_assert(is_refused(&plan, 0, 0));
    plan.plan.fuel_kg = -0.5;
    ck_assert(is_refused(&plan, 0, 0));
}

static void write_recording(const apex_replay_header *header) {
    apex_track *track = scene_ring(60.0);
    apex_race *race = tape_race(track);
    apex_controls controls[TAPE_SLOTS] = {{0}};
    apex_replay_writer *writer = NULL;
    ck_assert_int_eq(apex_replay_create(path, header, race, &writer), APEX_OK);
    apex_replay_split_at(writer, 1);
    for (uint32_t i = 0; i < STORE_CHUNK_TICKS_MAX + 5; i++) {
        apex_race_tick(race, controls, NULL);
        ck_assert_int_eq(apex_replay_tick(writer, race), APEX_OK);
    }
    ck_assert_int_eq(apex_replay_close(writer), APEX_OK);
    apex_race_destroy(race);
    apex_track_destroy(track);
}

// @return the format that the file says it has
static uint32_t assert_file(const char *name, const apex_replay_header *header, uint64_t first) {
    store_path(path, name);
    apex_replay_reader *reader = opened();
    const apex_replay_header *read = apex_replay_header_of(reader);
    ck_assert_uint_eq(read->first_tick, first);
    ck_assert(read->race.reset_wait_s >= header->race.reset_wait_s &&
              read->race.reset_wait_s <= header->race.reset_wait_s);
    ck_assert_uint_eq(read->car_count, header->car_count);
    ck_assert_uint_eq(read->race.weekend.session_count, header->race.weekend.session_count);
    ck_assert_str_eq(read->race.weekend.sessions[0].name, header->race.weekend.sessions[0].name);
    apex_replay_step step;
    char why[160];
    ck_assert_int_eq(apex_replay_next(reader, &step, why), APEX_OK);
    ck_assert_uint_eq(step.tick, first);
    apex_replay_reader_close(reader);
    size_t length = 0;
    char *bytes = store_read(path, &length);
    uint32_t format = (uint8_t)bytes[8];
    free(bytes);
    return format;
}

static void assert_recording(const apex_replay_header *header, uint32_t format, uint32_t later) {
    store_folder_make();
    store_path(path, "race.apexr");
    write_recording(header);
    ck_assert_uint_eq(assert_file("race.apexr", header, 0), format);
    ck_assert_uint_eq(assert_file("race-2.apexr", header, STORE_CHUNK_TICKS_MAX), later);
    store_folder_drop();
}

TEST(only_an_event_with_a_weekend_has_its_format) {
    apex_replay_header header = tape_header();
    header.race.weekend.pits.base_s = 9.0; // by itself no weekend
    assert_recording(&header, 3, 4);
    header.race.weekend = apex_default_weekend_def();
    header.race.weekend.session_count = 1;
    header.race.weekend.sessions[0] = apex_default_session_def(APEX_SESSION_PRACTICE);
    assert_recording(&header, 5, 5);
    header.race.reset_wait_s = 0.0;
    assert_recording(&header, 5, 5);
}

// The first tick of the second file was once taken for it.
TEST(a_recording_goes_on_without_a_reset_wait) {
    apex_replay_header header = tape_header();
    header.race.reset_wait_s = 0.0;
    assert_recording(&header, 3, 4);
}

// A header of a weekend with a first tick, and with bytes behind it.
static apex_err open_forged(const apex_replay_header *header, uint64_t first, size_t behind) {
    static uint8_t whole[64 * 1024];
    store_bytes_out body = into_room(), out = {.bytes = whole, .capacity = sizeof whole};
    store_put_header(&body, header);
    store_put_u64(&body, first);
    store_put(&body, "trailing", behind);
    store_put(&out, STORE_REPLAY_MAGIC, 8);
    store_put_u32(&out, STORE_REPLAY_FORMAT_WEEKEND);
    store_put_u32(&out, (uint32_t)body.length);
    store_put_u64(&out, apex_hash_bytes(room, body.length, 0));
    store_put(&out, room, body.length);
    store_write(path, whole, out.length);
    apex_replay_reader *reader = NULL;
    char why[160];
    apex_err err = apex_replay_open(path, &reader, why);
    if (err == APEX_OK) {
        ck_assert_uint_eq(apex_replay_header_of(reader)->first_tick, first);
        apex_replay_reader_close(reader);
    }
    return err;
}

TEST(a_header_of_a_weekend_ends_with_its_first_tick) {
    apex_replay_header header = tape_header();
    header.race.weekend = apex_default_weekend_def();
    header.race.weekend.rules.blue.on = true;
    store_folder_make();
    store_path(path, "race.apexr");
    ck_assert_int_eq(open_forged(&header, 0, 0), APEX_OK);
    ck_assert_int_eq(open_forged(&header, UINT64_MAX / 2, 0), APEX_OK);
    ck_assert_int_eq(open_forged(&header, UINT64_MAX / 2 + 1, 0), APEX_ERR_CORRUPT);
    ck_assert_int_eq(open_forged(&header, 0, 1), APEX_ERR_CORRUPT);
    header.race.weekend.rules.blue.shown_s = 11.0; // beyond its range
    ck_assert_int_eq(open_forged(&header, 0, 0), APEX_ERR_CORRUPT);
    store_folder_drop();
}
