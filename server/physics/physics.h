/// Cars on ground: a world steps every car of a race by one tick.
///
/// Knows no player, no network, no clock. The same definitions, commands and controls give the same
/// bits with every compiler, optimisation level, worker count and processor. Nothing allocates
/// between apex_world_create and apex_world_destroy. One thread calls; `jobs` lends it workers.
///
/// Life: create -> add types -> add cars -> { between-step calls, step, read } -> destroy.
/// Units are SI, angles radians, axes ISO 8855 (x forward, y left, z up).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/jobs.h"
#include "base/range.h"
#include "physics/car_def.h"
#include "physics/ground_def.h"

/// Counts up whenever the same inputs would give other bits. Stored in replays.
#define APEX_PHYSICS_VERSION 5

#define APEX_CARS_MAX 8192u

typedef struct apex_world apex_world;

/// A car in a world; zero is no car. `index1 - 1` is its slot, below the world's capacity.
typedef struct apex_car_id {
    uint16_t index1;
    uint16_t generation;
} apex_car_id;

/// A kind of car a world knows; zero is none.
typedef struct apex_car_type {
    uint16_t index1;
} apex_car_type;

typedef enum apex_damage_mode {
    APEX_DAMAGE_OFF,
    APEX_DAMAGE_VISUAL, ///< it counts up, and the car drives like a whole one
    APEX_DAMAGE_FULL    ///< air, engine, wheel alignment and rolling suffer
} apex_damage_mode;

#define APEX_RANGE_apex_world_def_tick_hz               20, 240
#define APEX_RANGE_apex_world_def_substep_hz            200, 240
#define APEX_RANGE_apex_world_def_gravity_mps2          0.1, 50.0
#define APEX_RANGE_apex_world_def_air_density_kg_per_m3 0.0, 10.0

typedef struct apex_world_def {
    uint32_t car_capacity;  ///< 1..APEX_CARS_MAX
    uint32_t type_capacity; ///< 1..256
    uint32_t tick_hz;       ///< 20..240, divides substep_hz
    uint32_t substep_hz;    ///< 240, or 200 for a 50 Hz tick
    double gravity_mps2;    ///< 0.1..50
    double air_density_kg_per_m3;
    uint64_t seed; ///< of the event; states of another are refused
    apex_damage_mode damage;
    bool fuel_burns;
    bool tyres_wear;
    bool temperatures;
} apex_world_def;

apex_world_def apex_default_world_def(void);
/// The substeps a second that go with a tick rate: 240 if it divides them, else 200; 0: neither.
uint32_t apex_world_substep_hz(uint32_t tick_hz);
/// Whether so many substeps a second can be stepped, and make up ticks of that rate.
bool apex_world_rates_ok(uint32_t tick_hz, uint32_t substep_hz);

/// @param ground, walls borrowed until destroy; walls may be NULL (none).
/// @return APEX_OK with *out, or APEX_ERR_INVALID (definition out of range), APEX_ERR_NO_MEMORY.
apex_err apex_world_create(const apex_world_def *def, const apex_ground *ground,
                           const apex_walls *walls, apex_world **out);
void apex_world_destroy(apex_world *world); ///< NULL is fine

/// Copies the definition. @return APEX_ERR_INVALID if apex_car_def_check refuses it, APEX_ERR_FULL.
apex_err apex_world_add_type(apex_world *world, const apex_car_def *def, apex_car_type *out);

enum {
    APEX_GEAR_REVERSE = -1,
    APEX_GEAR_NEUTRAL = 0,
    APEX_GEAR_AUTOMATIC = 126,
    APEX_GEAR_SEQUENTIAL = 127
};

/// Bits of apex_controls.aids_off: an aid the driver has switched off.
enum {
    APEX_AID_ABS = 1u << 0,
    APEX_AID_TRACTION = 1u << 1,
    APEX_AID_STABILITY = 1u << 2,
    APEX_AID_CLUTCH = 1u << 3,
    APEX_AID_STEERING = 1u << 4,
    APEX_AID_LAUNCH = 1u << 5,
};

#define APEX_STEER_MAX 32767

/// The demands of a driver in one tick. Levels and counters, never edges: a repeated or lost sample
/// cannot shift twice. Zero is "coast, straight, neutral".
typedef struct apex_controls {
    int16_t steer; ///< -32767 full right .. 32767 full left; -32768 reads as -32767
    uint8_t throttle, brake, clutch, handbrake; ///< 0 released .. 255 full
    int8_t gear; ///< -1 .. gear_count, AUTOMATIC, or SEQUENTIAL: by the shift counts
    uint8_t shift_up_count, shift_down_count; ///< wrap; a rise by n (below 128) is n shifts
    uint8_t reset_count; ///< a rise asks the rules to put the car back on the track
    uint8_t aids_off;
} apex_controls;

/// A place for a car: a point on the ground under its centre of mass; height and tilt follow the
/// ground. Speed is along its heading.
typedef struct apex_placement {
    double x_m, y_m, z_m; ///< z chooses the layer where roads cross
    double yaw_rad;
    double speed_mps;
} apex_placement;

/// Adds a car at rest in the lowest free slot, full of fuel, on new tyres.
/// @return APEX_ERR_FULL when every slot is taken.
apex_err apex_world_add_car(apex_world *world, apex_car_type type, const apex_placement *at,
                            apex_car_id *out);
void apex_world_remove_car(apex_world *world, apex_car_id car);
bool apex_world_has_car(const apex_world *world, apex_car_id car);
/// Puts the car at rest (or rolling) at a place; engine idles, damage, fuel and wear are kept.
void apex_world_place_car(apex_world *world, apex_car_id car, const apex_placement *at);
/// A held car keeps its pose whatever its controls say; the engine still revs. Grid and pit box.
void apex_world_hold_car(apex_world *world, apex_car_id car, bool held);
/// A ghost has no contacts with other cars; walls and ground stay solid.
void apex_world_ghost_car(apex_world *world, apex_car_id car, bool ghost);

typedef struct apex_service {
    double fuel_kg;    ///< new amount; < 0 leaves it
    double ballast_kg; ///< new amount; < 0 leaves it
    bool tyres;        ///< new tyres, at working temperature
    bool repair;       ///< damage
    bool engine;       ///< a blown one runs again
} apex_service;

void apex_world_service_car(apex_world *world, apex_car_id car, const apex_service *service);

/// Advances the world by one tick of 1 / tick_hz seconds in substeps.
/// @param controls one for each slot (car_capacity of them); those of free slots are not read.
/// @param jobs workers, or NULL for none. The result does not depend on it.
void apex_world_step(apex_world *world, const apex_controls controls[], apex_jobs *jobs);

uint64_t apex_world_tick(const apex_world *world); ///< steps made so far

typedef enum apex_damage_zone {
    APEX_ZONE_FRONT,
    APEX_ZONE_REAR,
    APEX_ZONE_LEFT,
    APEX_ZONE_RIGHT,
    APEX_ZONE_ROOF,
    APEX_ZONE_COUNT
} apex_damage_zone;

typedef enum apex_contact_kind {
    APEX_CONTACT_CAR,
    APEX_CONTACT_WALL,
    APEX_CONTACT_POST,
    APEX_CONTACT_GROUND, ///< a hull corner, not a wheel
} apex_contact_kind;

/// One pair that had an impulse during the tick, at the peak of it.
typedef struct apex_contact_event {
    apex_car_id car;
    apex_car_id other;    ///< null unless kind is CAR; car.index1 < other.index1
    uint32_t other_index; ///< wall segment or post, 0 for cars and ground
    apex_contact_kind kind;
    double point_m[3];
    double normal[3];                  ///< unit, from car towards other
    double impulse_ns;                 ///< sum over the tick, along the normal
    double closing_mps;                ///< speed of approach when it began
    bool began;                        ///< the pair had no contact in the tick before
    apex_damage_zone zone, other_zone; ///< of each hull; other_zone of cars only, else FRONT
} apex_contact_event;

typedef enum apex_car_event_kind {
    APEX_CAR_SHIFTED,     ///< value: new gear
    APEX_CAR_ENGINE_BLEW, ///< value: rpm
    APEX_CAR_TOOK_OFF,    ///< value: speed in m/s
    APEX_CAR_LANDED,      ///< value: vertical speed in m/s
    APEX_CAR_OUT_OF_FUEL,
    APEX_CAR_RESET_WANTED, ///< the driver's reset count rose
    APEX_CAR_STOPPED_BAD,  ///< state left the finite range and the car was stopped; value: slot
} apex_car_event_kind;

typedef struct apex_car_event {
    apex_car_id car;
    apex_car_event_kind kind;
    double value;
} apex_car_event;

/// Events of the last step, sorted by car, then other; valid until the next step.
const apex_contact_event *apex_world_contacts(const apex_world *world, size_t *count);
/// Events of the last step, sorted by car, then kind; valid until the next step.
const apex_car_event *apex_world_car_events(const apex_world *world, size_t *count);

/// The pose of a car, for snapshots, rules and drivers.
typedef struct apex_car_pose {
    apex_car_id id;
    apex_car_type type;
    double position_m[3];                ///< centre of mass
    double orientation[4];               ///< w x y z, body to world, unit, w >= 0
    double yaw_rad, pitch_rad, roll_rad; ///< ISO 8855, of the same orientation
    double velocity_mps[3];              ///< world axes
    double angular_radps[3];             ///< world axes
    double steer_rad;                    ///< of the wheels, mean of the steered axle
    double engine_radps;
    double throttle, brake; ///< 0..1 as used, after the aids
    int8_t gear;
    uint8_t wheels_on_road; ///< touching ground whose surface is road
    uint8_t wheel_count;
    bool airborne, held, ghost, engine_blown;
    double damage; ///< 0..1, worst zone
    double zone_damage[APEX_ZONE_COUNT];
} apex_car_pose;

/// Writes a pose for each car in slot order. @return cars written, at most capacity.
size_t apex_world_poses(const apex_world *world, apex_car_pose *out, size_t capacity);
/// The same by slot; poses of free slots are left alone. @param out car_capacity of them.
void apex_world_poses_by_slot(const apex_world *world, apex_car_pose out[]);
/// @return false and leaves *out if there is no such car.
bool apex_world_pose(const apex_world *world, apex_car_id car, apex_car_pose *out);

/// Degrees: tyres and brakes get no hotter, nor as cold below zero. No car comes near it; a spin of
/// 1e30 rad/s out of a doctored file would, and on to what is no number.
enum { APEX_HOTTEST_C = 10000 };

typedef struct apex_wheel_state {
    double spin_radps;
    double deflection_long_m, deflection_lat_m; ///< of the contact patch
    double travel_m; ///< suspension, compression positive from static ride height
    double travel_mps;
    double temperature_c, brake_temperature_c;
    double wear; ///< 0 new .. 1 worn out
} apex_wheel_state;

/// Everything of one car that decides its future, apart from its definition. Reading it and
/// writing it back changes no bit.
typedef struct apex_car_state {
    double position_m[3];
    double orientation[4]; ///< w x y z
    double velocity_mps[3];
    double angular_radps[3];
    apex_wheel_state wheels[APEX_WHEELS_MAX];
    double steer_rad; ///< before shares and Ackermann
    double engine_radps;
    double boost;                ///< 0..1
    double lean_rad, lean_radps; ///< motorcycle
    double shift_left_s;         ///< until the gear being engaged bites
    double fuel_kg, ballast_kg;
    double slipstream; ///< 0 clean air .. 1
    double damage[APEX_ZONE_COUNT];
    double acceleration_mps2[2]; ///< body x and y, of the last substep
    int8_t gear, gear_before;    ///< gear_before: left by the shift under way
    uint8_t shift_up_seen, shift_down_seen, reset_seen; ///< counters already acted on
    bool counters_known;                                ///< false until the first controls came
    bool airborne, held, ghost, engine_blown;
} apex_car_state;

bool apex_world_get_car(const apex_world *world, apex_car_id car, apex_car_state *out);
/// @return false and changes nothing if there is no such car, a value is not finite, damage or wear
/// is not within 0..1, or a wheel is hotter than 10,000 degrees.
bool apex_world_set_car(apex_world *world, apex_car_id car, const apex_car_state *state);

typedef struct apex_wheel_work {
    double load_n;
    double slip_ratio, slip_angle_rad;
    double force_long_n, force_lat_n; ///< of the ground on the tyre, wheel axes
    double friction;                  ///< tyre times surface
    uint8_t surface;
    bool grounded, sliding;
} apex_wheel_work;

/// Intermediate results of the last substep, for telemetry. All zero before the first step.
typedef struct apex_car_work {
    apex_wheel_work wheels[APEX_WHEELS_MAX];
    double acceleration_mps2[3]; ///< body axes, without gravity
    double engine_torque_nm, drive_torque_nm, clutch_torque_nm;
    double drag_n, downforce_n;
    double slipstream; ///< 0 clean air .. 1
} apex_car_work;

bool apex_world_get_work(const apex_world *world, apex_car_id car, apex_car_work *out);

/// All that decides the future: cars, contact cache, slot map, tick. The world it is
/// restored into must have been created from the same definitions and types.
size_t apex_world_save_bytes(const apex_world *world); ///< constant for a world
void apex_world_save(const apex_world *world, uint8_t *out);
/// @return APEX_ERR_CORRUPT if the bytes are no saved state of such a world; nothing is changed.
apex_err apex_world_restore(apex_world *world, const uint8_t *bytes, size_t length);
uint64_t apex_world_hash(const apex_world *world);
