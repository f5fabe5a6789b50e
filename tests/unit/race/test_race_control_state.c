// What race control keeps: written, read and refused value by value, and begun anew.
#include "test_race_control_scene.h"
#include "race/control/red_flag.h"

FIXTURE(NULL, end_cars)

enum { BYTES_MAX = 8192 };

static size_t write_watch(race_flag_watch *watch, uint8_t *out) {
    race_walk io = {.out = out, .ok = true};
    race_flag_watch_walk(&io, &control, watch);
    ck_assert_uint_le(io.at, BYTES_MAX);
    return io.at;
}

static size_t write_control(uint8_t *out) {
    race_walk io = {.out = out, .ok = true};
    race_control_walk(&io, &control);
    ck_assert_uint_le(io.at, BYTES_MAX);
    return io.at;
}

static bool read_watch(const uint8_t *in) {
    race_walk io = {.in = in, .ok = true};
    race_flag_watch watch = {0};
    race_flag_watch_walk(&io, &control, &watch);
    return io.ok;
}

static bool read_control(const uint8_t *in) {
    race_walk io = {.in = in, .ok = true};
    race_control copy = control;
    race_control_walk(&io, &copy);
    return io.ok;
}

static void put_u32(uint8_t *out, size_t at, uint32_t value) {
    for (size_t i = 0; i < 4; i++) {
        out[at + i] = (uint8_t)(value >> 8 * i);
    }
}

// Bytes of every value: whatever changes one is another state.
TEST(each_byte_that_is_written_is_read) {
    begin_cars(2);
    uint8_t *bytes = (uint8_t *)&control.watches[0];
    memset(bytes, 0x01, sizeof control.watches[0]);
    control.watches[0].blue = 1;
    control.watches[0].pass_count = 1;
    control.watches[0].red.known = control.watches[0].drives = true;
    control.watches[0].red.laps = 1;
    apex_player_id *const who[] = {&control.watches[0].blue_for, &control.watches[0].unlapped,
                                   &control.watches[0].passes[0].other};
    for (size_t i = 0; i < 3; i++) {
        *who[i] = (apex_player_id){2, 0x0101};
    }
    for (uint32_t i = 0; i < RACE_PASSES_MAX; i++) {
        control.watches[0].passes[i].other = (apex_player_id){2, 0x0101};
        control.watches[0].passes[i].offence = APEX_OFFENCE_YELLOW_PASS;
    }
    static uint8_t written[BYTES_MAX], again[BYTES_MAX];
    size_t length = write_watch(&control.watches[0], written);
    ck_assert_uint_eq(length, sizeof control.watches[0] - 18); // which are padding
    race_walk io = {.in = written, .ok = true};
    race_flag_watch_walk(&io, &control, &control.watches[1]);
    ck_assert(io.ok && io.at == length);
    ck_assert_uint_eq(write_watch(&control.watches[1], again), length);
    ck_assert_mem_eq(written, again, length);
}

TEST(values_that_cannot_be_are_refused) {
    begin_cars(2);
    static uint8_t written[BYTES_MAX];
    write_watch(&control.watches[0], written);
    ck_assert(read_watch(written));
    static const struct {
        size_t at;
        uint32_t last;
    } WATCH[] = {{24, 2},        {32, CARS_MAX},         {36, CARS_MAX}, {40, RACE_PASSES_MAX},
                 {44, CARS_MAX}, {48, APEX_OFFENCES - 1}};
    for (size_t i = 0; i < sizeof WATCH / sizeof WATCH[0]; i++) {
        put_u32(written, WATCH[i].at, WATCH[i].last);
        ck_assert_msg(read_watch(written), "byte %zu: %u", WATCH[i].at, WATCH[i].last);
        put_u32(written, WATCH[i].at, WATCH[i].last + 1);
        ck_assert_msg(!read_watch(written), "byte %zu: %u", WATCH[i].at, WATCH[i].last + 1);
        put_u32(written, WATCH[i].at, 0);
    }
    write_control(written);
    static const struct {
        size_t at;
        uint32_t last;
    } EVENT[] = {{0, APEX_FLAG_RED}, {17, APEX_RACE_LAPS_MAX}, {21, 2}, {21 + 12 * 9, 2}};
    for (size_t i = 0; i < sizeof EVENT / sizeof EVENT[0]; i++) {
        put_u32(written, EVENT[i].at, EVENT[i].last);
        ck_assert_msg(read_control(written), "byte %zu: %u", EVENT[i].at, EVENT[i].last);
        put_u32(written, EVENT[i].at, EVENT[i].last + 1);
        ck_assert_msg(!read_control(written), "byte %zu: %u", EVENT[i].at, EVENT[i].last + 1);
        put_u32(written, EVENT[i].at, 0);
    }
}

// Counts may be anything that fits: nothing reaches past an array by them.
TEST(the_largest_counts_do_no_harm) {
    begin_cars(2);
    static uint8_t written[BYTES_MAX];
    race_flag_watch *watch = &control.watches[0];
    watch->excused_ticks = watch->slow_ticks = watch->stood_ticks = UINT32_MAX;
    watch->over_ticks = watch->ignored_ticks = watch->yellow_lap = watch->red_lap = UINT32_MAX;
    watch->passed.gates = watch->passed.laps = watch->red.gates = UINT32_MAX;
    watch->pass_count = RACE_PASSES_MAX;
    for (uint32_t i = 0; i < RACE_PASSES_MAX; i++) {
        watch->passes[i] = (race_pass){{CARS_MAX, UINT16_MAX}, APEX_OFFENCE_STEWARDS, UINT32_MAX};
    }
    watch->unlapped = watch->blue_for = (apex_player_id){CARS_MAX, UINT16_MAX};
    control.flag_ticks = control.quiet_ticks = control.slow_down_ticks = UINT32_MAX;
    for (uint32_t i = 0; i < control.stretch_count; i++) {
        control.stretches[i] = (race_stretch){2, UINT32_MAX, UINT32_MAX};
    }
    write_watch(watch, written);
    ck_assert(read_watch(written));
    write_control(written);
    ck_assert(read_control(written));
    put(0, 100.0, 60.0);
    put(1, 90.0, 60.0);
    settle();
    uint64_t lines_us[RACE_LINES_KEPT];
    for (int flag = APEX_FLAG_FULL_COURSE; flag < APEX_RACE_FLAGS; flag++) {
        (void)race_red_lines(watch, lines_us);
        ck_assert_int_eq(race_control_call(&control, &scene, (apex_race_flag)flag), APEX_OK);
        (void)race_control_seen(&control, &race->field, 0);
        seconds(2.0);
    }
}

// Car 1 stands on the road, car 0 passes car 2 beside it and is lapped by car 3.
static void begin_busy(void) {
    begin_cars(4);
    rules.full_course.auto_s = 8.0;
    put(1, 500.0, 60.0);
    put(2, lap_m + 450.0, 20.0);
    put(0, lap_m + 440.0, 21.0);
    put(3, 2 * lap_m + 400.0, 20.0);
    settle();
    ticks(1);
    put(1, 500.0, 0.0);
}

// What is restored goes on as what was saved, whatever of it is at work.
TEST_OVER(a_restored_one_goes_on_in_the_same_way, 0, 8) {
    begin_busy();
    seconds(1.5 + 2.0 * _i);
    static uint8_t event[BYTES_MAX], watches[CARS_MAX][BYTES_MAX], later[2][BYTES_MAX];
    write_control(event);
    for (uint32_t i = 0; i < car_count; i++) {
        write_watch(&control.watches[i], watches[i]);
    }
    hand saved[CARS_MAX];
    memcpy(saved, hands, sizeof saved);
    uint32_t said_before = said_count;
    size_t length[2];
    uint32_t said_after[2];
    for (int run = 0; run < 2; run++) {
        said_count = said_before;
        seconds(7.0);
        said_after[run] = said_count;
        length[run] = write_control(later[run]);
        for (uint32_t i = 0; i < car_count; i++) {
            length[run] += write_watch(&control.watches[i], &later[run][length[run]]);
        }
        memcpy(hands, saved, sizeof saved);
        settle();
        race_control_begin(&control);
        race_walk io = {.in = event, .ok = true};
        race_control_walk(&io, &control);
        for (uint32_t i = 0; i < car_count; i++) {
            race_walk line = {.in = watches[i], .ok = true};
            race_flag_watch_walk(&line, &control, &control.watches[i]);
            ck_assert(io.ok && line.ok);
        }
    }
    ck_assert_uint_eq(length[0], length[1]);
    ck_assert_mem_eq(later[0], later[1], length[0]);
    ck_assert_uint_eq(said_after[0], said_after[1]);
}

TEST(a_new_session_begins_with_nothing) {
    begin_busy();
    seconds(12.0);
    ck_assert_int_eq(control.flag, APEX_FLAG_FULL_COURSE);
    ck_assert_int_eq(race_control_call(&control, &scene, APEX_FLAG_RED), APEX_OK);
    static uint8_t blank[BYTES_MAX], begun[BYTES_MAX];
    race_control_begin(&control);
    size_t length = write_control(begun);
    memset(blank, 0, sizeof blank);
    ck_assert_mem_eq(blank, begun, length);
    for (uint32_t i = 0; i < car_count; i++) {
        length = write_watch(&control.watches[i], begun);
        put_u32(blank, 0, 10 * HZ); // not slow before it could get up to speed
        ck_assert_mem_eq(blank, begun, length);
    }
}

TEST(who_comes_after_somebody_has_none_of_his) {
    begin_busy();
    seconds(0.5);
    ck_assert_uint_gt(control.watches[0].blue + control.watches[0].pass_count, 0);
    race_control_forget(&control, 0);
    ck_assert_uint_eq(control.watches[0].blue + control.watches[0].pass_count, 0);
}
