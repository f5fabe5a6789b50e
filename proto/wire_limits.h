/// How long messages, texts and lists of the wire may be. Part of the public face of proto; include
/// "proto/proto.h".
#pragma once

enum {
    APEX_DATAGRAM_BYTES_MAX = 1200,    ///< longest unreliable message, and longest from a client
    APEX_MESSAGE_BYTES_MAX = 1u << 20, ///< longest reliable message from a server
    APEX_TOKEN_BYTES = 16,
    APEX_WIRE_KEY_BYTES = 32, ///< of a server and of a driver
    APEX_WIRE_CHALLENGE_BYTES = 32,
    APEX_WIRE_SIGNATURE_BYTES = 64,
    APEX_WIRE_LOBBY_TOKEN_BYTES = 400, ///< at most
    APEX_WIRE_DRIVER_BYTES = 16,       ///< the fingerprint of a driver's key
    APEX_WIRE_NAME_BYTES = 32,         ///< with the zero
    APEX_WIRE_TEXT_BYTES = 160,
    APEX_CONTROLS_REPEAT = 8, ///< samples a client sends in each packet
    APEX_CONTROLS_SAMPLES_MAX = 16,
    APEX_CONTROLS_DEPTHS = 17, ///< counted in ServerStats: 0 to 15 ticks, and more
    APEX_CONTROLS_GAPS = 8,    ///< and runs of missed ticks: 1, 2, 3 to 4, 5 to 8, ... 65 and more
    APEX_WIRE_DEFS_MAX = 17,   ///< one track and 16 cars
    APEX_SNAPSHOT_CARS_MAX = 64, ///< in one part
    APEX_DELTA_BYTES_MIN = 64,   ///< that a viewer may ask for
    APEX_DELTA_BYTES_MAX = 1184, ///< longest Snapshot.delta
    APEX_WIRE_WHEELS_MAX = 8,
    APEX_WIRE_HOTTEST_C = 10000, ///< of a wheel of the viewer's own car, as cold below zero
    APEX_ROSTER_ENTRIES_MAX = 8192,
    APEX_STANDINGS_LINES_MAX = 65,
    APEX_WIRE_SECTORS_MAX = 8,
    APEX_RESULTS_LINES_MAX = 8192,
    APEX_PAST_EVENTS_MAX = 50,
    APEX_WIRE_SESSIONS_MAX = 12,
    APEX_WIRE_CLASSES_MAX = 8,
    APEX_WIRE_COMPOUNDS_MAX = 6,
    APEX_PENALTIES_LINES_MAX = 256,
    APEX_WIRE_FUEL_G_MAX = 1000000,
    APEX_CONTACT_HARD_NS = 8000, ///< a contact is called hard: a car of a ton loses 8 m/s at once
    APEX_STATS_COUNTS_MAX = 96,
    APEX_PLAYBACK_MARKS_MAX = 256,
    APEX_PLAYBACK_SPEED_PERMILLE_MIN = 125,
    APEX_PLAYBACK_SPEED_PERMILLE_MAX = 16000,
    APEX_DECODE_SCRATCH_BYTES = 128 * 1024, ///< enough for any message of one datagram
};
