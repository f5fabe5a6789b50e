// Recordings that somebody made up: all checksums are right, and what is under them is not.
// People who share recordings with strangers load such files into a server on which others race.
#include "test_playback_cinema.h"

#include <zstd.h>

#include "base/hash.h"

enum { FORGED_BYTES_MAX = 4 * 1024 * 1024, HEADER_AT = 24, PREFIX_BYTES = 32 };

static cinema hall;
static uint8_t whole[FORGED_BYTES_MAX], forged[FORGED_BYTES_MAX];
static uint8_t plain[FORGED_BYTES_MAX], packed[FORGED_BYTES_MAX];
static size_t whole_length;
static uint64_t seed = 7;

static uint32_t any(uint32_t below) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % below;
}

static uint32_t u32_at(const uint8_t *at) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static void read_tape(void) {
    FILE *file = fopen(tape.path, "rb");
    ck_assert_ptr_nonnull(file);
    whole_length = fread(whole, 1, sizeof whole, file);
    ck_assert_uint_lt(whole_length, sizeof whole);
    fclose(file);
}

static void write_tape(const uint8_t *bytes, size_t length) {
    FILE *file = fopen(tape.path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
}

static void spoil(uint8_t *bytes, size_t length) {
    static const uint64_t words[] = {0,
                                     1,
                                     UINT64_MAX,
                                     UINT64_C(0x7ff0000000000000), // infinity
                                     UINT64_C(0x7ff8000000000000), // no number
                                     UINT64_C(0x7fefffffffffffff),
                                     0x80000000,
                                     0x7fffffff,
                                     255};
    for (uint32_t i = 1 + any(3); i > 0; i--) {
        size_t at = any((uint32_t)length);
        uint64_t word = words[any(sizeof words / sizeof words[0])];
        size_t bytes_max = length - at < 8 ? length - at : 8, size = (size_t)1 << any(4);
        switch (any(3)) {
        case 0:
            bytes[at] ^= (uint8_t)(1u << any(8));
            break;
        case 1:
            bytes[at] = (uint8_t)any(256);
            break;
        default:
            memcpy(bytes + at, &word, size < bytes_max ? size : bytes_max);
            break;
        }
    }
}

static void forge_header(size_t from, size_t to) {
    memcpy(forged, whole, whole_length);
    uint32_t length = u32_at(whole + 12);
    to = to < length ? to : length;
    spoil(forged + HEADER_AT + from, to - from);
    uint64_t hash = apex_hash_bytes(forged + HEADER_AT, length, 0);
    memcpy(forged + 16, &hash, sizeof hash);
    write_tape(forged, whole_length);
}

// @param part 0: the keyframe; 1: what stands behind it; 2: the first ticks of it
static void forge_chunk(uint32_t number, uint32_t part) {
    size_t at = HEADER_AT + u32_at(whole + 12);
    for (uint32_t i = 0; i < number; i++) {
        at += PREFIX_BYTES + u32_at(whole + at + 4);
    }
    size_t was = u32_at(whole + at + 4), rest = at + PREFIX_BYTES + was;
    size_t length = ZSTD_decompress(plain, sizeof plain, whole + at + PREFIX_BYTES, was);
    ck_assert(!ZSTD_isError(length));
    size_t keyframe = u32_at(plain), begin = part == 0 ? 4 : 4 + keyframe;
    size_t end = part == 0 ? 4 + keyframe : part == 1 ? length : begin + 400;
    ck_assert_uint_lt(begin, end);
    spoil(plain + begin, end - begin);
    size_t now = ZSTD_compress(packed, sizeof packed, plain, length, 1);
    ck_assert(!ZSTD_isError(now));
    memcpy(forged, whole, at + PREFIX_BYTES);
    uint32_t packed_bytes = (uint32_t)now;
    uint64_t hash = apex_hash_bytes(packed, now, 0);
    memcpy(forged + at + 4, &packed_bytes, sizeof packed_bytes);
    memcpy(forged + at + 24, &hash, sizeof hash);
    memcpy(forged + at + PREFIX_BYTES, packed, now);
    memcpy(forged + at + PREFIX_BYTES + now, whole + rest, whole_length - rest);
    write_tape(forged, at + PREFIX_BYTES + now + whole_length - rest);
}

static void run(uint32_t rounds) {
    for (uint32_t i = 0; i < rounds; i++) {
        apex_link_event events[256];
        for (uint32_t k = 0; k < hall.watcher_count; k++) {
            client_session_update(client_session_of(hall.watchers[k].client), hall.now_us);
        }
        size_t count = gather_events(&hall, events, 256);
        apex_server_feed(apex_playback_server(hall.playback), events, count);
        apex_playback_tick(hall.playback, hall.now_us);
        const apex_link_packet *packets = NULL;
        for (uint32_t k = 0; k < hall.watcher_count; k++) {
            client_outbox_clear(&client_session_of(hall.watchers[k].client)->outbox);
        }
        count = apex_server_outbox(apex_playback_server(hall.playback), &packets);
        for (size_t k = 0; k < count; k++) {
            client_session *session = client_session_of(hall.watchers[0].client);
            client_knowledge_begin_update(&session->knowledge);
            client_session_receive(session, packets[k].channel, packets[k].bytes, packets[k].length,
                                   hall.now_us);
        }
        hall.now_us += ROUND_US;
    }
}

// @return whether it could be opened.
static bool watch(void) {
    char why[APEX_HOST_WHY_BYTES] = "";
    if (cinema_try(&hall, tape.path, why) != APEX_OK) {
        ck_assert_str_ne(why, "");
        ck_assert_ptr_null(hall.playback);
        return false;
    }
    apex_client_def def = watcher_def();
    watcher *who = cinema_enter(&hall, &def);
    run(10);
    watcher_play(who, APEX_PLAY_ON, 16000);
    run(6);
    watcher_seek(who, 700);
    run(6);
    watcher_seek(who, 1201);
    run(6);
    watcher_seek(who, 1);
    run(6);
    cinema_close(&hall);
    return true;
}

static uint32_t times(uint32_t few) {
    const char *more = getenv("APEX_FORGED");
    if (getenv("APEX_FORGED_SEED") != NULL) {
        seed = strtoull(getenv("APEX_FORGED_SEED"), NULL, 10);
    }
    return more != NULL ? (uint32_t)strtoul(more, NULL, 10) : few;
}

TEST(a_forged_header) {
    tape_record();
    read_tape();
    uint32_t opened = 0, tries = times(3 * (uint32_t)check_cases(10));
    for (uint32_t i = 0; i < tries; i++) {
        forge_header(4, i % 3 == 0 ? SIZE_MAX : 64 + 13 * 4 + 8 * 9);
        opened += watch();
    }
    // Of few tries all may open, or none.
    if (check_is_whole()) {
        ck_assert_uint_gt(opened, 0);
        ck_assert_uint_lt(opened, tries);
    }
    tape_drop();
}

TEST(a_forged_keyframe) {
    tape_record();
    read_tape();
    for (uint32_t i = 0, tries = times(2 * (uint32_t)check_cases(8)); i < tries; i++) {
        forge_chunk(1 + any(2), 0);
        ck_assert(watch());
    }
    tape_drop();
}

TEST(forged_ticks) {
    tape_record();
    read_tape();
    for (uint32_t i = 0, tries = times(2 * (uint32_t)check_cases(8)); i < tries; i++) {
        forge_chunk(any(3), 1 + any(2));
        ck_assert(watch());
    }
    tape_drop();
}
