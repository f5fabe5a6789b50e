/// A race: players, phases, laps, results. Owns the world and steps it; turns what happened on the
/// track into events. Everything that decides its course comes in as the definition, ordered
/// commands and controls, so a race that is fed the same again gives the same bits (replay).
///
/// One thread. Nothing allocates after apex_race_create.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/jobs.h"
#include "driver/driver.h"
#include "physics/physics.h"
#include "race/fault_def.h"
#include "race/weekend_def.h"
#include "track/track.h"

/// No time of a race is longer.
enum { APEX_RACE_SECONDS_MAX = 1000000, APEX_RACE_LAPS_MAX = 999 };

enum { APEX_RACE_CAR_DEFS_MAX = 16 };

typedef struct apex_race apex_race;

typedef struct apex_race_def {
    char name[APEX_TITLE_BYTES];
    uint32_t laps;            ///< 1..999; 0 on a track without a lap, and there only: see below
    uint32_t player_capacity; ///< 1..APEX_CARS_MAX
    uint32_t start_players;   ///< the grid forms when this many have joined (0: only by command)
    double lobby_s;           ///< longest wait for more players once one is there; 0 no limit
    double countdown_s;       ///< lights, after the grid has formed
    double finish_wait_s;     ///< after the winner; a player still out then did not finish
    double race_s_max;        ///< hard end of a race nobody finishes; 0 none
    double results_s;         ///< for which results stand before the next race
    double stuck_s;           ///< a car that makes no way for so long, though its driver wants to
                              ///< go, is put back; 0 never
    double idle_s;            ///< a player who races without any input for so long is out; 0 never
    double reset_wait_s;      ///< for which a driver who was put back is not put back again at his
                              ///< own wish; 0: he always is
    uint32_t races; ///< number of races before the event is over or, of an event with sessions, of
                    ///< rounds of them; 0, the default: without end
    bool late_join; ///< joiners may start from the pits during a race; in other sessions they
                    ///< always may
    bool reverse_grid;
    apex_world_def world; ///< car_capacity is set from player_capacity
    apex_weekend_def weekend;
} apex_race_def;

apex_race_def apex_default_race_def(void);

/// A rule between the numbers of a definition that is broken; each by itself has its range in
/// race_def_ranges.h.
typedef struct apex_race_def_problem {
    const char *key;    ///< a member's name, of the world's "seed"
    const char *reason; ///< a phrase
} apex_race_def_problem;

enum { APEX_RACE_DEF_PROBLEMS_MAX = 3 };

/// @param[out] out the rules that are broken. @return how many
size_t apex_race_def_check(const apex_race_def *def,
                           apex_race_def_problem out[APEX_RACE_DEF_PROBLEMS_MAX]);

/// Seeds of an event and of a race go up to here: the page reads them from JSON, as doubles.
#define APEX_RACE_SEED_MAX ((UINT64_C(1) << 53) - 1)

/// The seed of all that is drawn by lot in a race: a hash of the event's seed (def.world.seed) and
/// the race's number, 1..APEX_RACE_SEED_MAX. A race draws nothing itself; the code that seats bots
/// does (DECISIONS 46).
uint64_t apex_race_seed_of(uint64_t event_seed, uint32_t race_number);

/// On a track without a lap the race is an open session: it has the same phases, but nobody passes
/// a gate and nobody is home before it ends, by race_s_max or by command; a player still in has
/// finished then, in the order of the grid. A reset puts a car where it last stood upright or, if
/// it has not got away from there since the last one, in its box.
/// @param track borrowed. @param cars definitions a player may choose from, copied; 1..16.
apex_err apex_race_create(const apex_race_def *def, const apex_track *track,
                          const apex_car_def cars[], uint32_t car_count, apex_race **out);
void apex_race_destroy(apex_race *race);

/// Commands are everything that reaches a race beside controls.
typedef enum apex_race_command_kind {
    APEX_RACE_JOIN,     ///< player is filled in by apex_race_reserve
    APEX_RACE_LEAVE,    ///< at once; the car is taken off
    APEX_RACE_TAKEOVER, ///< the server's driver takes the wheel (a lost connection, a server bot)
    APEX_RACE_HANDBACK, ///< the player has it again
    APEX_RACE_START,    ///< form the grid now
    APEX_RACE_RESTART,  ///< back to the grid
    APEX_RACE_END,      ///< classify now; the event is over
    APEX_RACE_CAR,      ///< another car for a player, in the lobby or on the grid
    // Of events with sessions or rules.
    APEX_RACE_SESSION_END,    ///< as if its time were up now; a race was over when the lead was
                              ///< last taken at the line, and who was there since has finished
    APEX_RACE_SESSION_EXTEND, ///< by seconds, of a session by time that is under way
    APEX_RACE_SESSION_SKIP,   ///< to the next session; without results of this one, unless they
                              ///< stand already
    APEX_RACE_CALL,           ///< race control shows a flag to all
    APEX_RACE_PENALISE,       ///< stewards: player gets penalty.kind and .amount for .offence; with
                              ///< a number of his, that one is changed to it
    APEX_RACE_PARDON,         ///< stewards: the penalty of that number is cancelled
    APEX_RACE_PIT_PLAN,       ///< of a player, for his next stop
} apex_race_command_kind;

enum { APEX_RACE_COMMANDS = APEX_RACE_PIT_PLAN + 1 };

/// Flags that are shown to all.
typedef enum apex_race_flag {
    APEX_FLAG_GREEN,
    APEX_FLAG_FULL_COURSE, ///< yellow all over the lap: a speed limit, no passing
    APEX_FLAG_ENDING,      ///< the same, and green soon
    APEX_FLAG_RED,         ///< the session is stopped; cars go to the pits, and stand
} apex_race_flag;

enum { APEX_RACE_FLAGS = APEX_FLAG_RED + 1 };

const char *apex_race_flag_name(apex_race_flag flag);

/// The reasons why players leave. The results tell them apart.
typedef enum apex_leave_why {
    APEX_LEAVE_GONE,     ///< went, or was lost for good
    APEX_LEAVE_KICKED,   ///< an operator removed him
    APEX_LEAVE_REPLACED, ///< a server bot that makes room for a person
    APEX_LEAVE_IDLE,     ///< nobody drove his car
} apex_leave_why;

typedef struct apex_race_command {
    apex_race_command_kind kind;
    apex_player_id player;      ///< JOIN, LEAVE, TAKEOVER, HANDBACK, CAR
    uint32_t car;               ///< JOIN, CAR: index of the car definition
    char name[APEX_NAME_BYTES]; ///< JOIN
    double skill, lane_m;       ///< TAKEOVER: as apex_driver_takes them
    double patience_s;          ///< TAKEOVER: as in apex_driver
    apex_leave_why why;         ///< LEAVE
    double seconds;             ///< SESSION_EXTEND, 1..86400
    apex_race_flag flag;        ///< CALL
    apex_penalty penalty;       ///< PENALISE, PARDON
    apex_pit_plan plan;         ///< PIT_PLAN
} apex_race_command;

/// The id the next JOIN will get if it is applied next; false when the race is full.
bool apex_race_reserve(const apex_race *race, apex_player_id *out);
/// Applies a command between ticks. @return APEX_ERR_FULL, APEX_ERR_NOT_FOUND (player, car),
/// APEX_ERR_UNSUPPORTED (late join forbidden), APEX_ERR_STATE (not in this phase),
/// APEX_ERR_INVALID (a join under an id that is not the next, a reason to leave that is none),
/// APEX_ERR_RANGE (a driver that there is not, seconds out of range); the race is unchanged then.
apex_err apex_race_apply(apex_race *race, const apex_race_command *command);

/// Advances by one tick.
/// @param controls by player slot (index1 - 1), player_capacity of them.
void apex_race_tick(apex_race *race, const apex_controls controls[], apex_jobs *jobs);
/// Controls as used in the last tick, by player slot: the given ones, or the server driver's.
const apex_controls *apex_race_controls_used(const apex_race *race);

typedef enum apex_race_phase {
    APEX_PHASE_LOBBY,     ///< waiting for players; cars may drive about
    APEX_PHASE_GRID,      ///< cars stand on the grid, held
    APEX_PHASE_COUNTDOWN, ///< start lights
    APEX_PHASE_RACE,
    APEX_PHASE_FINISH, ///< the winner is home
    APEX_PHASE_RESULTS,
    APEX_PHASE_OVER, ///< no further race
} apex_race_phase;

const char *apex_race_phase_name(apex_race_phase phase); ///< "unknown" for one that is none

typedef struct apex_race_status {
    apex_race_phase phase;
    uint32_t race_number; ///< from 1; sessions are numbered on as races
    uint64_t tick;        ///< of the world
    int64_t race_time_us; ///< since the lights went out; negative in the countdown
    uint32_t players, running;
    uint32_t laps;          ///< 0: of a session by time alone, or on a track without a lap
    uint32_t start_players; ///< in the lobby: so many form the grid at once; 0: only by command
    int64_t lobby_left_us;  ///< in the lobby: until the grid forms with fewer; 0: not by itself,
                            ///< as long as nobody is there
    uint64_t seed;          ///< of this race, see apex_race_seed_of
} apex_race_status;

apex_race_status apex_race_status_of(const apex_race *race);
/// The same by themselves, without counting those who run.
apex_race_phase apex_race_phase_of(const apex_race *race);
int64_t apex_race_time_us(const apex_race *race);
uint32_t apex_race_tick_hz(const apex_race *race);
uint32_t apex_race_player_capacity(const apex_race *race);

typedef enum apex_standing_state {
    APEX_STANDING_WAITING,
    APEX_STANDING_RUNNING,
    APEX_STANDING_FINISHED,
    APEX_STANDING_DNF,
} apex_standing_state;

const char *apex_standing_state_name(apex_standing_state state);

/// The session that is on, of an event with sessions.
typedef struct apex_session_status {
    uint32_t index, count; ///< from 0; a count of 0: an event without sessions
    const apex_session_def *def;
    int64_t left_us;     ///< of a session by time, negative in overtime; 0 without one
    bool chequered;      ///< the flag is out
    apex_race_flag flag; ///< that is shown to all
    uint32_t lead_laps;  ///< the most laps that anybody has completed
} apex_session_status;

apex_session_status apex_race_session_of(const apex_race *race);

/// The reasons why a lap does not count as a best lap, as bits.
typedef enum apex_lap_void {
    APEX_VOID_OUT = 1u << 0,     ///< began in the lane or a box
    APEX_VOID_IN = 1u << 1,      ///< ended in the lane
    APEX_VOID_CUT = 1u << 2,     ///< track limits
    APEX_VOID_RESET = 1u << 3,   ///< put back on the way
    APEX_VOID_RED = 1u << 4,     ///< under a red flag
    APEX_VOID_YELLOW = 1u << 5,  ///< through double yellow, in qualifying
    APEX_VOID_SERVER = 1u << 6,  ///< driven in part by the server, for a person
    APEX_VOID_CONTACT = 1u << 7, ///< in qualifying, with another car
    APEX_VOID_LATE = 1u << 8,    ///< begun after the end of the session
    APEX_VOID_DELETED = 1u << 9, ///< by a penalty
} apex_lap_void;

/// The status of a line in results.
typedef enum apex_result_status {
    APEX_RESULT_CLASSIFIED,
    APEX_RESULT_NOT_CLASSIFIED, ///< fewer laps than the rules ask for, or no time
    APEX_RESULT_NOT_STARTED,
    APEX_RESULT_DISQUALIFIED,
} apex_result_status;

enum { APEX_RESULT_STATUSES = APEX_RESULT_DISQUALIFIED + 1 };

const char *apex_result_status_name(apex_result_status status);

/// What race control keeps of a player in an event with sessions or rules; all 0 in others.
typedef struct apex_race_conduct {
    uint32_t class1, class_position; ///< from 1; 0: none
    uint32_t number;                 ///< of the entry; 0: none
    uint32_t lap_voids;              ///< bits of apex_lap_void, of the lap under way
    uint64_t best_counting_us;       ///< of this session; 0 none
    uint64_t best_set_us;            ///< on the session's clock, when that lap ended
    uint64_t ideal_us;               ///< sum of the best sectors; 0 before there is one of each
    double trap_mps;                 ///< the most at the speed trap; 0 none
    uint64_t penalty_us;             ///< added to his time so far
    uint32_t incident_points;
    uint32_t points; ///< in this event so far, in sixtieths: dead heats share
    apex_result_status status;
    apex_pit_state pit;
    uint32_t penalty_count;
    apex_penalty penalties[APEX_PENALTIES_EACH_MAX]; ///< of this session, the newest last
} apex_race_conduct;

/// @return false for a player that has no line in the order.
bool apex_race_conduct_of(const apex_race *race, apex_player_id player, apex_race_conduct *out);

/// A player's line in the order. Times in microseconds, 0 means none yet.
typedef struct apex_standing {
    apex_player_id player;
    apex_car_id car_id;
    uint32_t car; ///< definition
    char name[APEX_NAME_BYTES];
    uint32_t position; ///< from 1
    uint32_t grid;     ///< box, from 1
    apex_standing_state state;
    uint32_t laps; ///< complete
    double lap_m;  ///< way into the lap under way; negative before the line at the start
    uint64_t last_lap_us, best_lap_us, total_us;
    uint64_t gap_us; ///< to the leader, when finished or at the last gate passed, of which a
                     ///< lap has sixteen and those of its sectors
    uint32_t off_track_count;
    uint64_t off_track_us_max; ///< longest time with no wheel on the road, while running
    uint32_t resets, contacts;
    bool driven_by_server;
    bool present;            ///< false: left, kept for the results
    apex_leave_why left_why; ///< if not present
    bool not_started;        ///< has not taken the start of this race, see apex_race_results
} apex_standing;

/// The most lines the order can have: everybody in the race, and those who left it.
size_t apex_race_standings_max(const apex_race *race);
/// Writes the running order. @return lines written.
size_t apex_race_standings(const apex_race *race, apex_standing out[], size_t capacity);
/// The results: the classification, and after it, without position, the players who never took the
/// start. A player takes it if he is on the grid when the lights go out, or if he came later and
/// has passed a gate of the lap (in an open session: if he came before its end). A player who has
/// left without it is in no standings, but noted here; a bot that was replaced by a person is
/// nowhere.
/// @param[out] classified lines of the classification. @return lines written
size_t apex_race_results(const apex_race *race, apex_standing out[], size_t capacity,
                         size_t *classified);
/// Times of a player's sectors in microseconds, 0 means none yet.
typedef struct apex_sector_times {
    uint32_t count;   ///< of a lap; 0: there are none
    uint32_t current; ///< the one under way, from 0; 0 when the last lap is done
    uint64_t newest_us[APEX_TRACK_SECTORS_MAX]; ///< those from `current` on are of the lap before
    uint64_t best_us[APEX_TRACK_SECTORS_MAX];
} apex_sector_times;

/// @return false for a player that has no line in the order.
bool apex_race_player_sectors(const apex_race *race, apex_player_id player, apex_sector_times *out);
/// Anybody's best of each in this race. @return sectors of a lap.
uint32_t apex_race_best_sectors(const apex_race *race, uint64_t out_us[APEX_TRACK_SECTORS_MAX]);
/// Finds the player of a car. @return false if there is no such car now.
bool apex_race_player_of_car(const apex_race *race, apex_car_id car, apex_player_id *out);
bool apex_race_player_standing(const apex_race *race, apex_player_id player, apex_standing *out);
/// Also of one who has left, until whoever has his slot after him leaves, too; "" where nobody is
/// known by that id. Good until the next command.
const char *apex_race_player_name(const apex_race *race, apex_player_id player);

typedef enum apex_race_event_kind {
    APEX_EVENT_PHASE, ///< value: apex_race_phase
    APEX_EVENT_JOINED,
    APEX_EVENT_LEFT,     ///< value: 1 if it was running
    APEX_EVENT_LIGHTS,   ///< value: seconds left; 0 is go
    APEX_EVENT_SECTOR,   ///< value: sector, time_us: its time
    APEX_EVENT_LAP,      ///< value: laps complete, time_us: lap time
    APEX_EVENT_BEST_LAP, ///< of the race so far; time_us
    APEX_EVENT_FINISHED, ///< value: position, time_us: total
    APEX_EVENT_DNF,
    APEX_EVENT_RESET,   ///< put back on the track
    APEX_EVENT_CONTACT, ///< other: the other player or null; value: impulse in newton seconds
    APEX_EVENT_ENGINE_BLEW,
    APEX_EVENT_OFF_TRACK, ///< all wheels left the road
    APEX_EVENT_WRONG_WAY,
    APEX_EVENT_IDLE, ///< value: seconds until he is out, DNF, unless he drives; 0: he is
    // Of events with sessions or rules.
    APEX_EVENT_SESSION,   ///< value: its index from 0; a session of the event begins
    APEX_EVENT_CHEQUERED, ///< the flag is out: the session ends at everybody's next line; time_us
    APEX_EVENT_LAP_VOID,  ///< value: bits of apex_lap_void that the lap under way has now; those
                          ///< that its end gives it come before LAP, those of the next after it
    APEX_EVENT_OFFENCE,   ///< value: apex_offence
    APEX_EVENT_PENALTY,   ///< value: its number; it was given, served, converted or cancelled
    APEX_EVENT_CONTROL,   ///< value: apex_race_flag, that race control shows to all
    APEX_EVENT_YELLOW,    ///< value: stretch of the lap; time_us: 1 yellow, 2 double, 0 clear
    APEX_EVENT_BLUE,      ///< value: 0 off, 1 early notice, 2 shown; other: who is to pass
    APEX_EVENT_PIT,       ///< value: apex_pit_phase; time_us: of the lane or the stop, when it ends
    APEX_EVENT_INCIDENT,  ///< value: points; other: the other player or null
    APEX_EVENT_FAULT,     ///< other: the other player; value: the player's share, 0..100
} apex_race_event_kind;

enum { APEX_EVENT_KINDS = APEX_EVENT_FAULT + 1 };

const char *apex_race_event_name(apex_race_event_kind kind);

typedef struct apex_race_event {
    apex_race_event_kind kind;
    uint64_t tick;
    uint32_t race_number;
    apex_player_id player, other;
    int64_t value;
    uint64_t time_us;
} apex_race_event;

/// Events since the last apex_race_tick began, commands applied before it included, in order;
/// valid until the next tick or command.
const apex_race_event *apex_race_events(const apex_race *race, size_t *count);

const apex_world *apex_race_world(const apex_race *race);
/// Poses after the last tick or command, by the car's slot; the id is null where there is no car.
/// @param[out] end none was ever at this place or past it
const apex_car_pose *apex_race_poses(const apex_race *race, uint32_t *end);
const apex_track *apex_race_track(const apex_race *race);
uint64_t apex_race_hash(const apex_race *race); ///< world, rules and drivers

/// A keyframe for replays; as apex_world_save.
size_t apex_race_save_bytes(const apex_race *race);
void apex_race_save(const apex_race *race, uint8_t *out);
apex_err apex_race_restore(apex_race *race, const uint8_t *bytes, size_t length);
