// The line follows the centre of the track, at speeds that its bends and the brakes allow.
#include "client-lite/load/crowd/crowd.h"

#include <math.h>
#include <stdlib.h>

#include "base/trig.h"

static const double STATION_M = 4.0;
static const double CRUISE_MPS = 20.0;
static const double TOP_MPS = 70.0;
static const double BEND_MPS2 = 6.5; // leaves a reserve: nobody looks where the car slides
static const double BRAKE_MPS2 = 4.0;
static const double LOOK_S = 0.6;
static const double PEDALS_S = 0.5;
static const double LOOK_M_MIN = 8.0;
static const double LOST_M = 60.0; // from where the place on the line is looked for anew
static const double EDGE_M = 1.5;  // a lane keeps so far from the road's edge
static const double FULL_THROTTLE_MPS = 4.0;
static const double STOOD_MPS = 0.7;
static const double AHEAD_S_MAX = 0.4;

enum { STATIONS_MAX = 20000, STATION_STEPS_MAX = 64, STOOD_TURNS = 150, RESET_CHANCE = 900 };

typedef struct crowd_station {
    double x_m, y_m, sine, cosine, curvature_per_m;
    double left_m, right_m;
    double speed_mps;
} crowd_station;

struct client_crowd_line {
    uint32_t count;
    bool closed;
    double spacing_m;
    double wheelbase_m, steer_rad_max;
    crowd_station *stations;
};

static void place_stations(client_crowd_line *line, const apex_track *track) {
    for (uint32_t i = 0; i < line->count; i++) {
        apex_track_frame frame = apex_track_frame_at(track, i * line->spacing_m);
        crowd_station *station = &line->stations[i];
        apex_sincos(frame.heading_rad, &station->sine, &station->cosine);
        station->x_m = frame.x_m;
        station->y_m = frame.y_m;
        station->left_m = frame.left_m;
        station->right_m = frame.right_m;
        station->curvature_per_m = frame.curvature_per_m;
        double bend = fabs(frame.curvature_per_m);
        station->speed_mps = fmin(TOP_MPS, sqrt(BEND_MPS2 / fmax(bend, 1e-6)));
    }
}

// Backwards, twice round: what is ahead of the line must be braked for behind it.
static void allow_for_braking(client_crowd_line *line) {
    for (uint32_t i = 2 * line->count - 1; i > 0; i--) {
        const crowd_station *ahead = &line->stations[i % line->count];
        crowd_station *here = &line->stations[(i - 1) % line->count];
        double reach2 = ahead->speed_mps * ahead->speed_mps + 2.0 * BRAKE_MPS2 * line->spacing_m;
        here->speed_mps = fmin(here->speed_mps, sqrt(reach2));
    }
}

client_crowd_line *client_crowd_line_create(const apex_track *track, const apex_car_def *car) {
    if (!apex_track_has_lap(track)) {
        return NULL;
    }
    client_crowd_line *line = calloc(1, sizeof *line);
    if (line == NULL) {
        return NULL;
    }
    double length_m = apex_track_length_m(track);
    double count = fmin(fmax(floor(length_m / STATION_M), 2.0), (double)STATIONS_MAX);
    line->count = (uint32_t)count;
    line->spacing_m = length_m / count;
    line->closed = apex_track_closed(track);
    line->wheelbase_m = fmax(car->axles[0].x_m - car->axles[car->axle_count - 1].x_m, 0.5);
    line->steer_rad_max = fmax(car->steering.angle_rad_max, 0.05);
    line->stations = calloc(line->count, sizeof *line->stations);
    if (line->stations == NULL) {
        free(line);
        return NULL;
    }
    place_stations(line, track);
    if (line->closed) {
        allow_for_braking(line);
    }
    return line;
}

void client_crowd_line_destroy(client_crowd_line *line) {
    if (line != NULL) {
        free(line->stations);
        free(line);
    }
}

// xorshift64*: each driver has its own, so that what one does is nobody else's doing.
static uint32_t chance(client_crowd_driver *driver) {
    uint64_t x = driver->random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    driver->random = x;
    return (uint32_t)((x * 0x2545F4914F6CDD1Du) >> 32);
}

client_crowd_driver client_crowd_driver_create(client_crowd_manner manner, uint64_t seed) {
    client_crowd_driver driver = {.manner = manner,
                                  .random = (seed + 1) * 0x9E3779B97F4A7C15u | 1u};
    chance(&driver);
    driver.share = 0.94 + 0.06 * (double)(chance(&driver) % 1000) / 1000.0;
    return driver;
}

typedef struct crowd_car {
    double x_m, y_m, sine, cosine, speed_mps;
} crowd_car;

static crowd_car see(const apex_wire_car *car, double ahead_s) {
    crowd_car seen = {0};
    bool is_held = (car->flags & APEX_CAR_FLAG_HELD) != 0;
    double moves_s = is_held ? 0.0 : fmin(fmax(ahead_s, 0.0), AHEAD_S_MAX);
    double turned_rad = car->yaw_rate_q / APEX_YAW_RATE_UNITS_PER_RADPS * moves_s;
    apex_sincos(car->yaw_q / APEX_ANGLE_UNITS_PER_RAD + turned_rad, &seen.sine, &seen.cosine);
    double vx_mps = car->vx_cmps / 100.0;
    double vy_mps = car->vy_cmps / 100.0;
    seen.x_m = car->x_mm / 1000.0 + vx_mps * moves_s;
    seen.y_m = car->y_mm / 1000.0 + vy_mps * moves_s;
    seen.speed_mps = vx_mps * seen.cosine + vy_mps * seen.sine;
    return seen;
}

static double away2(const crowd_station *station, const crowd_car *car) {
    double dx_m = station->x_m - car->x_m;
    double dy_m = station->y_m - car->y_m;
    return dx_m * dx_m + dy_m * dy_m;
}

static uint32_t search(const client_crowd_line *line, const crowd_car *car) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < line->count; i++) {
        if (away2(&line->stations[i], car) < away2(&line->stations[best], car)) {
            best = i;
        }
    }
    return best;
}

static uint32_t follow(const client_crowd_line *line, const crowd_car *car, uint32_t from) {
    uint32_t at = from;
    for (uint32_t step = 0; step < (uint32_t)STATION_STEPS_MAX; step++) {
        uint32_t next = (at + 1) % line->count;
        if (away2(&line->stations[next], car) >= away2(&line->stations[at], car)) {
            break;
        }
        at = next;
    }
    return at;
}

static double offset_of(const crowd_station *station, const crowd_car *car) {
    return (car->y_m - station->y_m) * station->cosine - (car->x_m - station->x_m) * station->sine;
}

static void find_place(client_crowd_driver *driver, const client_crowd_line *line,
                       const crowd_car *car) {
    driver->station = follow(line, car, driver->station);
    const crowd_station *station = &line->stations[driver->station];
    double reach_m = LOST_M + fmax(station->left_m, station->right_m);
    if (driver->placed && away2(station, car) < reach_m * reach_m) {
        return;
    }
    driver->station = search(line, car);
    // The lane it was put into first is its own for good.
    if (!driver->placed) {
        driver->lane_m = offset_of(&line->stations[driver->station], car);
    }
    driver->placed = true;
}

static double lane_at(const client_crowd_driver *driver, const crowd_station *station) {
    double left_m = fmax(station->left_m - EDGE_M, 0.0);
    double right_m = fmax(station->right_m - EDGE_M, 0.0);
    return fmin(fmax(driver->lane_m, -right_m), left_m);
}

// Pure pursuit: the arc that meets the lane again some way ahead.
static double steer_rad(const client_crowd_driver *driver, const client_crowd_line *line,
                        const crowd_car *car) {
    double look_m = fmax(LOOK_S * car->speed_mps + 4.0, LOOK_M_MIN);
    uint32_t steps = (uint32_t)(look_m / line->spacing_m) + 1;
    uint32_t at = driver->station + steps;
    if (!line->closed && at >= line->count) {
        at = line->count - 1;
    }
    const crowd_station *aim = &line->stations[at % line->count];
    double lane_m = lane_at(driver, aim);
    double dx_m = aim->x_m - lane_m * aim->sine - car->x_m;
    double dy_m = aim->y_m + lane_m * aim->cosine - car->y_m;
    double left_m = dy_m * car->cosine - dx_m * car->sine;
    double away_m2 = fmax(dx_m * dx_m + dy_m * dy_m, 1.0);
    return apex_atan2(2.0 * left_m * line->wheelbase_m, away_m2);
}

static double wanted_mps(const client_crowd_driver *driver, const client_crowd_line *line,
                         double speed_mps) {
    // The pedals need a moment, and what is slower ahead has to be met, not passed.
    uint32_t soon = (uint32_t)(PEDALS_S * fmax(speed_mps, 0.0) / line->spacing_m);
    uint32_t at = driver->station + soon;
    at = line->closed ? at % line->count : at < line->count ? at : line->count - 1;
    double line_mps = driver->share *
                      fmin(line->stations[driver->station].speed_mps, line->stations[at].speed_mps);
    return driver->manner == CLIENT_CROWD_CRUISE ? fmin(line_mps, CRUISE_MPS) : line_mps;
}

static void press(apex_control_sample *controls, double wanted, double speed_mps) {
    double push = (wanted - speed_mps) / FULL_THROTTLE_MPS;
    double throttle = push > 0.0 ? fmin(push, 1.0) : 0.0;
    double brake = push < -0.25 ? fmin(-0.5 * push, 1.0) : 0.0;
    controls->throttle = (uint8_t)(255.0 * throttle);
    controls->brake = (uint8_t)(255.0 * brake);
}

static void drive_lane(client_crowd_driver *driver, const client_crowd_line *line,
                       const crowd_car *car) {
    apex_control_sample *controls = &driver->controls;
    find_place(driver, line, car);
    double steer = steer_rad(driver, line, car) / line->steer_rad_max;
    controls->steer = (int16_t)(fmin(fmax(steer, -1.0), 1.0) * APEX_STEER_MAX);
    press(controls, wanted_mps(driver, line, car->speed_mps), car->speed_mps);
    driver->stood = fabs(car->speed_mps) < STOOD_MPS ? driver->stood + 1 : 0;
    if (driver->stood >= (uint32_t)STOOD_TURNS) { // the marshals put it back
        driver->stood = 0;
        controls->reset++;
    }
}

static int8_t any_gear(client_crowd_driver *driver) {
    static const int8_t GEARS[] = {-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 126, 127};
    return GEARS[chance(driver) % (sizeof GEARS / sizeof GEARS[0])];
}

static void rave(client_crowd_driver *driver) {
    apex_control_sample *controls = &driver->controls;
    uint32_t dice = chance(driver);
    controls->steer = (int16_t)((int32_t)(dice % (2 * APEX_STEER_MAX + 1)) - APEX_STEER_MAX);
    dice = chance(driver);
    controls->throttle = (uint8_t)dice;
    controls->brake = (dice & 0x300) == 0 ? (uint8_t)(dice >> 10) : 0;
    controls->clutch = (dice & 0xC0000) == 0 ? (uint8_t)(dice >> 20) : 0;
    dice = chance(driver);
    controls->handbrake = dice % 8 == 0 ? (uint8_t)(dice >> 8) : 0;
    controls->aids_off = (uint8_t)(dice >> 16) & 63;
    dice = chance(driver);
    controls->gear = dice % 4 == 0 ? any_gear(driver) : controls->gear;
    controls->shift_up = (uint8_t)(controls->shift_up + (dice >> 8) % 3);
    controls->shift_down = (uint8_t)(controls->shift_down + (dice >> 16) % 3);
    controls->reset = (uint8_t)(controls->reset + (chance(driver) % RESET_CHANCE == 0));
}

apex_control_sample client_crowd_drive(client_crowd_driver *driver, const client_crowd_line *line,
                                       const apex_wire_car *car, bool may_go, double ahead_s) {
    apex_control_sample *controls = &driver->controls;
    if (driver->manner == CLIENT_CROWD_CHAOS) {
        rave(driver);
        return *controls;
    }
    *controls = (apex_control_sample){
        .gear = APEX_GEAR_AUTOMATIC, .reset = controls->reset, .aids_off = APEX_AID_STEERING};
    if (driver->manner == CLIENT_CROWD_IDLE || line == NULL || car == NULL) {
        return *controls;
    }
    if (!may_go) {
        controls->brake = 255;
        driver->placed = false; // the grid is not formed yet, and the lane is one of the grid
        return *controls;
    }
    crowd_car seen = see(car, ahead_s);
    drive_lane(driver, line, &seen);
    return *controls;
}
