/// Files: cars, tracks and races as YAML. The only place that parses them. Every refusal names
/// file, line, column, key and what was expected, e.g.
///   `cars/mine.yaml:5:7: axles[0].tyre.radius_m: 9.1 is outside 0.1..2`
/// Anything that can be named (car "boxster-s", track "ridgeway") is first looked for as a path,
/// then in the --content directories, then among what ships inside the program.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "physics/physics.h"
#include "race/race.h"
#include "track/track.h"

enum {
    APEX_CONTENT_TEXT_BYTES = 512,
    APEX_CONTENT_PATH_BYTES = 256,
    APEX_CONTENT_SOURCE_BYTES = 256,
    APEX_CONTENT_NOTE_BYTES = 192,
    APEX_CIRCUIT_BRIDGES_MAX = 8,
};

/// The problem, ready to print; empty when there is none.
typedef struct apex_content_problem {
    char text[APEX_CONTENT_TEXT_BYTES];
} apex_content_problem;

enum { APEX_CONTENT_PROBLEMS_MAX = 50 };

/// All that was wrong with a file and what it names, file by file and from top to bottom.
typedef struct apex_content_problems {
    uint32_t count;
    bool has_more; ///< than there is room for
    apex_content_problem at[APEX_CONTENT_PROBLEMS_MAX];
    size_t lines[APEX_CONTENT_PROBLEMS_MAX], columns[APEX_CONTENT_PROBLEMS_MAX]; ///< from 0
} apex_content_problems;

typedef enum apex_content_kind {
    APEX_CONTENT_CAR,
    APEX_CONTENT_TRACK,
    APEX_CONTENT_RACE,
} apex_content_kind;

/// The amount of cars that each client is sent: on a wire of one's own, over the internet, or among
/// thousands.
typedef enum apex_snapshot_preset {
    APEX_SNAPSHOTS_LAN,
    APEX_SNAPSHOTS_INTERNET,
    APEX_SNAPSHOTS_CROWD,
} apex_snapshot_preset;

/// The address where something listens.
typedef struct apex_listen {
    bool on;
    char address[64]; ///< empty: every address
    uint16_t port;    ///< 0: any free one
} apex_listen;

/// "off", "PORT" (of localhost), "ADDRESS:PORT", ":PORT" (every address) or "[IPV6]:PORT".
bool apex_listen_parse(const char *text, apex_listen *out);

enum { APEX_WEB_TOKEN_LENGTH_MIN = 12, APEX_WEB_TOKEN_LENGTH_MAX = 127 };

/// Checks an operators' token, so that nobody starts a server with one that is guessed or that no
/// browser can send. @return the problem; NULL if there is none. The empty one is no token, and
/// fine.
const char *apex_web_token_problem(const char *token);

/// The page that shows races, and those who may operate them from there. Of several races in one
/// process the first one's counts.
typedef struct apex_web_file {
    char listen[80];   ///< see apex_listen_parse
    char origins[512]; ///< other sites whose pages may connect, separated by spaces
    char hosts[512];   ///< names of this site, separated by spaces; empty: this machine's alone, or
                       ///< any where strangers may come
    char certificate[APEX_CONTENT_PATH_BYTES];    ///< PEM, with its chain; empty: no TLS
    char key[APEX_CONTENT_PATH_BYTES];            ///< PEM, likewise
    char certificate_at[APEX_CONTENT_PATH_BYTES]; ///< where that stands, "race.yaml:12:16: ", for
    char key_at[APEX_CONTENT_PATH_BYTES];         ///< whoever finds it unfit; empty: nowhere
    char proxies[256]; ///< addresses trusted to name the clients they ask for; empty: none
    char token[128];   ///< operators'; empty: nobody operates over the web
    char replays_dir[APEX_CONTENT_PATH_BYTES]; ///< recordings to be shown; empty: none
    uint32_t replays_mib_max;                  ///< of them together; 0: no limit
    uint32_t replays_file_mib_max; ///< of one, after which it goes on in another; 0: no limit
} apex_web_file;

/// The roles that a race's password is needed for.
typedef enum apex_password_for {
    APEX_PASSWORD_FOR_ALL, ///< driving and watching
    APEX_PASSWORD_FOR_DRIVE,
} apex_password_for;

/// The clients that may come without a seal, as apex_plain of net.
typedef enum apex_plain_from {
    APEX_PLAIN_FROM_NEAR, ///< this machine and private addresses
    APEX_PLAIN_FROM_ALL,
    APEX_PLAIN_FROM_NONE,
} apex_plain_from;

enum { APEX_RACE_LOBBIES_MAX = 16, APEX_LOBBY_KEY_BYTES = 32 };

/// @return false unless it is the 64 hexadecimal digits of a lobby's public key.
bool apex_lobby_key_read(const char *text, uint8_t out[APEX_LOBBY_KEY_BYTES]);

/// A race file: the race, and how the server hosts it.
typedef struct apex_race_file {
    apex_race_def race;
    bool laps_given; ///< race.laps is what somebody asked for, not the default
    char track[APEX_CONTENT_PATH_BYTES];
    uint32_t car_count;
    char cars[APEX_RACE_CAR_DEFS_MAX][APEX_CONTENT_PATH_BYTES]; ///< the first is the default car
    uint32_t bots;                                              ///< cars the server drives itself
    double bot_skill;                                           ///< 0.5..1, of a middling one
    double bot_skill_spread;                     ///< from the weakest to the strongest
    char address[64];                            ///< to listen on; empty: every address
    uint16_t port;                               ///< 0: any free one
    char password[APEX_NAME_BYTES];              ///< empty: none
    apex_password_for password_for;              ///< the roles that need it
    apex_plain_from plain;                       ///< over ENet without a seal
    bool guests;                                 ///< may drive: who proves no key
    bool token_needed;                           ///< to drive, one of a lobby's
    bool any_audience;                           ///< tokens for any server are good here, too
    char drivers[APEX_CONTENT_PATH_BYTES];       ///< a list of who may drive; empty: anybody
    char drivers_at[APEX_CONTENT_PATH_BYTES];    ///< where that stands, like web.key_at
    char password_file[APEX_CONTENT_PATH_BYTES]; ///< of a line that is the password; empty: none
    char password_file_at[APEX_CONTENT_PATH_BYTES];
    uint32_t lobby_key_count;
    uint8_t lobby_keys[APEX_RACE_LOBBIES_MAX][APEX_LOBBY_KEY_BYTES]; ///< whose tokens are believed
    char key_file[APEX_CONTENT_PATH_BYTES]; ///< of the key by which clients know the server, made
                                            ///< if there is none; empty: in the state directory
    uint32_t clients_max;                   ///< players and spectators
    uint32_t clients_per_address_max;
    uint32_t joins_per_s, joins_per_address_per_s; ///< sustained; 0: no limit
    uint32_t snapshot_hz;                          ///< divides the tick rate
    uint32_t telemetry_hz; ///< the most of it that a client may ask for; 0: none
    uint32_t nearest_hz;   ///< likewise, of cars side by side with a driver, between snapshots
    apex_snapshot_preset snapshots;
    double snapshot_mbit_per_s_max;            ///< to all clients together; 0: no limit
    char results_dir[APEX_CONTENT_PATH_BYTES]; ///< empty: results are not written to files
    uint32_t journal_mib_max;   ///< of events.jsonl there, after which another begins; 0: no limit
    uint32_t journal_files_max; ///< full ones that are kept; 0: all
    uint32_t controls_wait_ms;  ///< at speed max a tick waits so long for a player's controls
    double client_timeout_s;
    double
        viewer_silence_s;  ///< half of it slows a client's snapshots, all of it ends them; 0: never
    double resume_grace_s; ///< 0: a player who loses the connection is out at once
    apex_web_file web;
} apex_race_file;

apex_race_file apex_default_race_file(void);
/// Fits the laps to the track: on one without a lap a race is an open session, of 0 laps.
/// @return APEX_ERR_RANGE when laps were asked for and there are none, or none and there are, or
/// when a session asks for laps, a rolling start or pit stops that the track has not; *problem then
/// says why, behind the key and a colon.
apex_err apex_race_file_fit(apex_race_file *file, const apex_track_def *track,
                            apex_content_problem *problem);

/// The reason why a published figure, or the lack of one, is to be taken with care; empty where it
/// is not.
typedef struct apex_published_notes {
    char top_speed_kmph[APEX_CONTENT_NOTE_BYTES];
    char zero_to_100_s[APEX_CONTENT_NOTE_BYTES], zero_to_60mph_s[APEX_CONTENT_NOTE_BYTES];
    char braking_100_0_m[APEX_CONTENT_NOTE_BYTES], braking_60mph_0_m[APEX_CONTENT_NOTE_BYTES];
    char skidpad_g[APEX_CONTENT_NOTE_BYTES];
} apex_published_notes;

/// The figures that makers and road testers publish of the real car, in their own units; 0 where
/// nobody does. For comparison only: no car drives by it.
typedef struct apex_car_published {
    double top_speed_kmph;
    double zero_to_100_s, zero_to_60mph_s;
    double braking_100_0_m, braking_60mph_0_m;
    double skidpad_g;
    char source[APEX_CONTENT_SOURCE_BYTES]; ///< its publisher; empty if there is no figure
    apex_published_notes notes;
} apex_car_published;

/// @param name a path or a name. @param directory extra place to look, or NULL.
/// @return APEX_ERR_NOT_FOUND, APEX_ERR_IO, APEX_ERR_PARSE, APEX_ERR_RANGE; *problem then says why.
apex_err apex_content_load_car(const char *name, const char *directory, apex_car_def *out,
                               apex_content_problem *problem);
/// The `published` section of a car file; reads and checks the whole car. All 0 if it has none.
apex_err apex_content_load_published(const char *name, const char *directory,
                                     apex_car_published *out, apex_content_problem *problem);
/// On success free *out with apex_track_def_free.
apex_err apex_content_load_track(const char *name, const char *directory, apex_track_def *out,
                                 apex_content_problem *problem);
apex_err apex_content_load_race(const char *name, const char *directory, apex_race_file *out,
                                apex_content_problem *problem);

/// Loads a file of any kind, told by its `kind:` key, and what it names; lays a track. A file is
/// checked as a whole once each of its keys is right.
/// @return of the first problem that was met; which of those in `out` it is is left open
apex_err apex_content_check(const char *path, apex_content_kind *kind, apex_content_problems *out);

/// Names of what ships: index counts up, NULL past the end.
const char *apex_content_shipped(apex_content_kind kind, size_t index);

/// Writes a complete file with every key, its default and its help as a comment.
apex_err apex_content_write_default(apex_content_kind kind, FILE *out);
/// Writes the track file of a road that reads back to the same definition: the keys that say
/// something, then the points. A terrain's maps lie in files of their own: those are not written.
/// @param comment lines for the head of the file, without '#'.
apex_err apex_content_write_track(const apex_track_def *def, const char *comment, FILE *out);

/// A circuit read from a table of points, and what was done to make a track of it.
typedef struct apex_circuit {
    char name[APEX_NAME_BYTES];   ///< to be set before; empty: made of the file's name
    char title[APEX_TITLE_BYTES]; ///< likewise
    apex_track_def def;           ///< free it with apex_track_def_free
    uint32_t point_count;
    double length_m;
    bool first_repeated;     ///< as the last point, which was left out
    uint32_t eased_count;    ///< points where the line turned too tightly for any road
    uint32_t narrowed_count; ///< points where the road was wider than its bend's radius
    double narrowed_m_max;
    uint32_t bridge_count;
    double bridge_m[APEX_CIRCUIT_BRIDGES_MAX];       ///< along the lap, the upper road
    double bridge_under_m[APEX_CIRCUIT_BRIDGES_MAX]; ///< the lower one
    double bridge_height_m, bridge_grade;            ///< of the steepest
    uint32_t kerb_count, trap_count;
} apex_circuit;

/// Reads `x_m,y_m,w_tr_right_m,w_tr_left_m` in lines, the centre line of a closed circuit in
/// driving order, and lays it. All that the table does not say is made up: heights (none but for
/// bridges where the lap crosses itself), sectors, kerbs, gravel, guard rails.
/// @return as loading; on success free circuit->def.
apex_err apex_content_import_circuit(const char *path, apex_circuit *circuit,
                                     apex_content_problem *problem);
/// The same from memory.
apex_err apex_content_parse_circuit(const char *text, size_t length, const char *label,
                                    apex_circuit *circuit, apex_content_problem *problem);
/// As a track file for people to edit, headed by where it came from: a path or a name.
apex_err apex_content_write_circuit(const apex_circuit *circuit, const char *source, FILE *out);
/// Prints the changes that were made, in lines for people.
void apex_content_report_circuit(const apex_circuit *circuit, FILE *out);

// The same from memory; `label` stands for the file's name in problems.
apex_err apex_content_parse_car(const char *text, size_t length, const char *label,
                                apex_car_def *out, apex_content_problem *problem);
apex_err apex_content_parse_track(const char *text, size_t length, const char *label,
                                  apex_track_def *out, apex_content_problem *problem);
/// For the fuzzer and tests: races are loaded, so that what they name is found beside them.
apex_err apex_content_parse_race(const char *text, size_t length, const char *label,
                                 apex_race_file *out, apex_content_problem *problem);
