// labels: tsan
// The places for those who watch recordings: all taken, and which viewer gives way to which.
#include "unit/playback/test_playback_cinema.h"

#include "site/site_playbacks.h"
#include "support/web/web_rig.h"

enum { PLACES = 8, OF_ADDRESS = 4, SECOND_US = 1000000, TURNS_A_SECOND = 10, TICKS_A_SECOND = 3 };

typedef struct viewer {
    web_client socket;
    bool is_told; // of its recording's position
    bool is_playing;
    apex_reason goodbye; // APEX_REASON_NONE: it is still welcome
    char why[APEX_WIRE_TEXT_BYTES];
} viewer;

static web_rig *rig;
static site_playbacks *playbacks;
static viewer viewers[PLACES + 2];
static uint32_t viewer_count;

static void record(void) {
    tape_record();
    char path[sizeof tape.path];
    snprintf(path, sizeof path, "%s/race.apexr", tape.folder);
    ck_assert_int_eq(rename(tape.path, path), 0);
    snprintf(tape.path, sizeof tape.path, "%s", path);
}

static void begin(void) {
    record();
    rig = web_rig_new();
    rig->has_no_rooms = true;
    web_rig_open(rig);
    apex_site_def def = {.loop = &rig->loop, .replays_dir = tape.folder, .now_us = rig->now_us};
    ck_assert_int_eq(site_playbacks_create(&def, rig->web, &playbacks), APEX_OK);
    viewer_count = 0;
}

static void end(void) {
    for (uint32_t i = 0; i < viewer_count; i++) {
        web_client_close(&viewers[i].socket);
    }
    site_playbacks_destroy(playbacks);
    web_rig_free(rig);
}

static void tell(viewer *who, const apex_client_message *message) {
    uint8_t bytes[256];
    size_t length = apex_encode_client(message, bytes, sizeof bytes);
    ck_assert_uint_gt(length, 0);
    web_client_frame(&who->socket, 0x82, bytes, length);
}

static void wish(viewer *who, apex_play_wish play) {
    tell(who, &(apex_client_message){.kind = APEX_CLIENT_PLAYBACK, .playback = {.play = play}});
}

static void hear(viewer *who, const uint8_t *bytes, size_t length) {
    static uint8_t memory[1 << 18];
    static apex_server_message message;
    const char *why = NULL;
    apex_scratch scratch = {memory, sizeof memory};
    ck_assert_msg(apex_decode_server(bytes, length, scratch, &message, &why), "%s", why);
    if (message.kind == APEX_SERVER_PLAYBACK_STATE) {
        who->is_told = true;
        who->is_playing = message.playback_state.playing;
    } else if (message.kind == APEX_SERVER_GOODBYE) {
        who->goodbye = message.goodbye.reason;
        snprintf(who->why, sizeof who->why, "%s", message.goodbye.text);
    }
}

static void turn(uint64_t us) {
    static uint8_t frame[1 << 16];
    rig->now_us += us;
    web_rig_turn(rig);
    site_playbacks_run(playbacks, rig->now_us);
    for (uint32_t i = 0; i < viewer_count; i++) {
        size_t length = 0;
        int opcode = web_client_take(&viewers[i].socket, frame, sizeof frame, &length);
        for (; opcode >= 0;
             opcode = web_client_take(&viewers[i].socket, frame, sizeof frame, &length)) {
            if (opcode == 2) {
                hear(&viewers[i], frame, length);
            }
        }
    }
    usleep(200); // recordings are ticked on other threads
}

// Recordings are ticked in turn: with so many in each second nobody's stands still for long.
static void wait_for_ticks(uint64_t ticks) {
    for (int i = 0; i < 50000 && site_playbacks_figures(playbacks).ticks < ticks; i++) {
        turn(0);
    }
}

static void pass(uint32_t seconds) {
    for (uint32_t second = 0; second < seconds; second++) {
        uint64_t ticks = site_playbacks_figures(playbacks).ticks;
        for (uint32_t i = 0; i < TURNS_A_SECOND; i++) {
            turn(SECOND_US / TURNS_A_SECOND);
        }
        wait_for_ticks(ticks + TICKS_A_SECOND);
    }
}

// Comes in and is told where the recording stands, or why there is no place.
static viewer *come(const char *from) {
    ck_assert_uint_lt(viewer_count, sizeof viewers / sizeof *viewers);
    viewer *who = &viewers[viewer_count];
    *who = (viewer){0};
    web_client_open(&who->socket, rig, from);
    ck_assert_int_eq(web_client_upgrade(&who->socket, rig, "/replay/race.apexr", NULL), 101);
    viewer_count++;
    tell(who, &(apex_client_message){.kind = APEX_CLIENT_HELLO,
                                     .hello = {.protocol_version = APEX_PROTOCOL_VERSION}});
    tell(who, &(apex_client_message){.kind = APEX_CLIENT_SPECTATE});
    // Its track is laid on another thread, by another clock.
    do {
        turn(0);
    } while (site_playbacks_figures(playbacks).waiting > 0);
    for (int i = 0; i < 3000 && !who->is_told && who->goodbye == APEX_REASON_NONE; i++) {
        turn(3000);
    }
    return who;
}

// Nine seconds at most, mostly a fraction of one.
static void have_it(viewer *who, apex_play_wish play) {
    wish(who, play);
    for (int i = 0; i < 3000 && who->is_playing != (play == APEX_PLAY_ON); i++) {
        turn(3000);
    }
    ck_assert(who->is_told && who->is_playing == (play == APEX_PLAY_ON));
}

static void stand_still(viewer *who) {
    have_it(who, APEX_PLAY_PAUSE);
}

static uint32_t welcome_count(void) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < viewer_count; i++) {
        count += viewers[i].goodbye == APEX_REASON_NONE;
    }
    return count;
}

static void fill_all_places(void) {
    for (int i = 0; i < PLACES; i++) {
        char from[24];
        snprintf(from, sizeof from, "127.0.0.%d", 1 + i);
        ck_assert(come(from)->is_told);
    }
}

FIXTURE(begin, end)

TEST(who_stands_still_gives_way) {
    fill_all_places();
    stand_still(&viewers[5]);
    stand_still(&viewers[2]);
    pass(50);
    viewer *early = come("127.0.0.20");
    ck_assert_int_eq(early->goodbye, APEX_REASON_SERVER_FULL);
    ck_assert_str_eq(early->why, "as many recordings are watched here as may be; try again later");
    ck_assert_uint_eq(welcome_count(), PLACES);
    pass(15);
    viewer *later = come("127.0.0.21");
    ck_assert_int_eq(later->goodbye, APEX_REASON_NONE);
    ck_assert(later->is_told);
    ck_assert_int_eq(viewers[5].goodbye, APEX_REASON_SERVER_FULL);
    ck_assert_ptr_nonnull(strstr(viewers[5].why, "stood still"));
    ck_assert_uint_eq(welcome_count(), PLACES); // he and nobody else
}

TEST(of_one_address_its_own_give_way) {
    for (int i = 0; i < OF_ADDRESS; i++) {
        come("127.0.0.1");
    }
    viewer *stranger = come("127.0.0.2");
    stand_still(stranger);
    stand_still(&viewers[3]);
    pass(65);
    viewer *fifth = come("127.0.0.1");
    ck_assert_int_eq(fifth->goodbye, APEX_REASON_NONE);
    ck_assert_int_eq(viewers[3].goodbye, APEX_REASON_SERVER_FULL);
    ck_assert_int_eq(stranger->goodbye, APEX_REASON_NONE);
}

// Played on, it is watched again.
TEST(who_plays_on_keeps_the_place) {
    fill_all_places();
    stand_still(&viewers[0]);
    pass(65);
    have_it(&viewers[0], APEX_PLAY_ON);
    ck_assert_int_eq(come("127.0.0.20")->goodbye, APEX_REASON_SERVER_FULL);
    ck_assert_uint_eq(welcome_count(), PLACES);
}
