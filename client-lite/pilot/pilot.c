// A pilot sees all cars at the moment at which its controls act: as its client shows them ahead, or
// by the newest snapshot, moved on.
#include "client-lite/pilot/pilot.h"

#include <math.h>

#include "base/assert.h"
#include "base/trig.h"
#include "client-lite/client_internal.h"
#include "proto/proto.h"

enum { CARS_MAX = 255 }; ///< that a pilot looks at

// Snapshots older than this say little about where the car is now.
static const double AHEAD_S_MAX = 0.4;
static const double NEIGHBOUR_M_MAX = 80.0;
// Share of its skill that a driver keeps after the finish, so that nobody brakes hard on the line
// and nobody is in the way for long.
static const double COOL_DOWN_SHARE = 0.75;

// A car as it is seen: by a snapshot, or as it is shown.
typedef struct seen_car {
    double x_m, y_m, z_m, vx_mps, vy_mps, vz_mps, yaw_rad, yaw_rate_radps;
    uint8_t flags;
    int8_t gear;
} seen_car;

static seen_car seen_on_wire(const apex_wire_car *car) {
    return (seen_car){.x_m = car->x_mm / 1000.0,
                      .y_m = car->y_mm / 1000.0,
                      .z_m = car->z_mm / 1000.0,
                      .vx_mps = car->vx_cmps / 100.0,
                      .vy_mps = car->vy_cmps / 100.0,
                      .vz_mps = car->vz_cmps / 100.0,
                      .yaw_rad = car->yaw_q / APEX_ANGLE_UNITS_PER_RAD,
                      .yaw_rate_radps = car->yaw_rate_q / APEX_YAW_RATE_UNITS_PER_RADPS,
                      .flags = car->flags,
                      .gear = car->gear};
}

static seen_car seen_as_shown(const apex_client_pose *pose) {
    return (seen_car){.x_m = pose->position_m[0],
                      .y_m = pose->position_m[1],
                      .z_m = pose->position_m[2],
                      .vx_mps = pose->velocity_mps[0],
                      .vy_mps = pose->velocity_mps[1],
                      .vz_mps = pose->velocity_mps[2],
                      .yaw_rad = pose->yaw_rad,
                      .yaw_rate_radps = pose->yaw_rate_radps,
                      .flags = pose->flags,
                      .gear = pose->gear};
}

static void turn(double *x, double *y, double angle_rad) {
    double sine = apex_sin(angle_rad);
    double cosine = apex_cos(angle_rad);
    double turned_x = *x * cosine - *y * sine;
    *y = *x * sine + *y * cosine;
    *x = turned_x;
}

// Along the arc of a steady bend: what the car does in its own frame stays. With a velocity that
// kept its direction while the heading turns, a driver would see a slide that is none.
static seen_car move_on(seen_car car, double ahead_s) {
    // A held car does not move, whatever its engine and its velocity say.
    double moves_s = (car.flags & APEX_CAR_FLAG_HELD) != 0 ? 0.0 : ahead_s;
    double turns_rad = car.yaw_rate_radps * moves_s;
    // The chord of an arc points half the turn away from its beginning.
    turn(&car.vx_mps, &car.vy_mps, turns_rad / 2.0);
    car.x_m += car.vx_mps * moves_s;
    car.y_m += car.vy_mps * moves_s;
    car.z_m += car.vz_mps * moves_s;
    turn(&car.vx_mps, &car.vy_mps, turns_rad / 2.0);
    car.yaw_rad += turns_rad;
    return car;
}

static double distance_of(const apex_driver_neighbour *neighbour) {
    return sqrt(neighbour->ahead_m * neighbour->ahead_m + neighbour->left_m * neighbour->left_m);
}

// Keeps the nearest, nearest first.
static void add_neighbour(apex_driver_view *view, const apex_driver_neighbour *neighbour) {
    uint32_t at = view->neighbour_count;
    while (at > 0 && distance_of(&view->neighbours[at - 1]) > distance_of(neighbour)) {
        at--;
    }
    if (at == APEX_DRIVER_NEIGHBOURS_MAX) {
        return;
    }
    if (view->neighbour_count < APEX_DRIVER_NEIGHBOURS_MAX) {
        view->neighbour_count++;
    }
    for (uint32_t i = view->neighbour_count - 1; i > at; i--) {
        view->neighbours[i] = view->neighbours[i - 1];
    }
    view->neighbours[at] = *neighbour;
}

static void see_other(apex_driver_view *view, const seen_car *other) {
    double heading_x = apex_cos(view->yaw_rad);
    double heading_y = apex_sin(view->yaw_rad);
    double dx_m = other->x_m - view->x_m;
    double dy_m = other->y_m - view->y_m;
    if ((other->flags & APEX_CAR_FLAG_GHOST) != 0 || fabs(dx_m) > NEIGHBOUR_M_MAX ||
        fabs(dy_m) > NEIGHBOUR_M_MAX) {
        return;
    }
    apex_driver_neighbour neighbour = {.ahead_m = dx_m * heading_x + dy_m * heading_y,
                                       .left_m = dy_m * heading_x - dx_m * heading_y};
    double along_mps = other->vx_mps * heading_x + other->vy_mps * heading_y;
    neighbour.closing_mps =
        neighbour.ahead_m >= 0.0 ? view->speed_mps - along_mps : along_mps - view->speed_mps;
    if (distance_of(&neighbour) <= NEIGHBOUR_M_MAX) {
        add_neighbour(view, &neighbour);
    }
}

static apex_driver_view look_from(const seen_car *own) {
    double heading_x = apex_cos(own->yaw_rad);
    double heading_y = apex_sin(own->yaw_rad);
    return (apex_driver_view){.x_m = own->x_m,
                              .y_m = own->y_m,
                              .z_m = own->z_m,
                              .yaw_rad = own->yaw_rad,
                              .speed_mps = own->vx_mps * heading_x + own->vy_mps * heading_y,
                              .sideways_mps = own->vy_mps * heading_x - own->vx_mps * heading_y,
                              .yaw_rate_radps = own->yaw_rate_radps,
                              .gear = own->gear};
}

// The others as they are after `ahead_s`.
static apex_driver_view look(const seen_car *own, const apex_client_view *seen, double ahead_s) {
    apex_driver_view view = look_from(own);
    for (size_t i = 0; i < seen->car_count; i++) {
        if (seen->cars[i].id != seen->own->id) {
            seen_car other = move_on(seen_on_wire(&seen->cars[i]), ahead_s);
            see_other(&view, &other);
        }
    }
    return view;
}

static double within_reason(double ahead_s) {
    return ahead_s < 0.0 ? 0.0 : ahead_s > AHEAD_S_MAX ? AHEAD_S_MAX : ahead_s;
}

apex_driver_view client_pilot_view(const apex_client_view *seen, double ahead_s) {
    APEX_ASSERT(seen->own != NULL);
    double forward_s = within_reason(ahead_s);
    seen_car own = move_on(seen_on_wire(seen->own), forward_s);
    return look(&own, seen, forward_s);
}

apex_driver_view client_pilot_view_ahead(const apex_client_pose poses[], size_t count,
                                         double tick_hz) {
    APEX_ASSERT(count > 0);
    seen_car own = seen_as_shown(&poses[0]);
    apex_driver_view view = look_from(&own);
    for (size_t i = 1; i < count; i++) {
        double behind_s = (poses[0].tick - poses[i].tick) / tick_hz;
        seen_car other = move_on(seen_as_shown(&poses[i]), within_reason(behind_s));
        see_other(&view, &other);
    }
    return view;
}

client_pilot client_pilot_create(const apex_driver_plan *plan, double skill, double lane_m) {
    return (client_pilot){
        .driver = apex_driver_create(skill, lane_m), .plan = plan, .skill = skill};
}

// The car stands somewhere else now. The count of resets asked for stays: it must never fall.
static void look_round(apex_driver *driver) {
    driver->placed = false;
    driver->stuck_s = 0.0;
    driver->reverse_left_s = 0.0;
}

void client_pilot_listen(client_pilot *pilot, const apex_client *client) {
    size_t count;
    const apex_race_event_message *events = apex_client_events(client, &count);
    for (size_t i = 0; i < count; i++) {
        const apex_race_event_message *event = &events[i];
        bool own = event->player == apex_client_player(client);
        if (event->kind == APEX_WIRE_EVENT_PHASE && event->value == APEX_WIRE_PHASE_GRID) {
            pilot->home = false;
            look_round(&pilot->driver);
        } else if (own && event->kind == APEX_WIRE_EVENT_RESET) {
            look_round(&pilot->driver);
        } else if (own && (event->kind == APEX_WIRE_EVENT_FINISHED ||
                           event->kind == APEX_WIRE_EVENT_DNF)) {
            pilot->home = true;
        }
    }
}

static apex_control_sample sample_of(const apex_controls *controls) {
    return (apex_control_sample){
        // The wire has no -32768: full right is -32767, as physics reads it.
        .steer = controls->steer < -APEX_STEER_MAX ? (int16_t)-APEX_STEER_MAX : controls->steer,
        .throttle = controls->throttle,
        .brake = controls->brake,
        .clutch = controls->clutch,
        .handbrake = controls->handbrake,
        .gear = controls->gear,
        .shift_up = controls->shift_up_count,
        .shift_down = controls->shift_down_count,
        .reset = controls->reset_count,
        .aids_off = controls->aids_off,
    };
}

// By what the controls under way will do to the own car; by its velocity if that is not known.
static apex_driver_view foresee(const client_pilot *pilot, apex_client *client,
                                const apex_client_view *seen, double ahead_s) {
    apex_wire_car car = *seen->own;
    const client_controls *controls = &client_session_of(client)->controls;
    if (pilot->foresight != NULL &&
        client_foresight_run(pilot->foresight, controls, seen->tick, &car) > 0) {
        seen_car own = seen_on_wire(&car);
        return look(&own, seen, within_reason(ahead_s));
    }
    return client_pilot_view(seen, ahead_s);
}

// @return false: the own car is not predicted, or has no place among so many.
static bool look_ahead(apex_client *client, uint64_t now_us, apex_driver_view *out) {
    apex_client_pose poses[CARS_MAX], own;
    bool is_ahead =
        client_session_of(client)->def.ahead && apex_client_predicted(client, now_us, &own);
    size_t count = is_ahead ? apex_client_ahead(client, now_us, poses, CARS_MAX) : 0;
    if (count == 0 || poses[0].car != own.car) {
        return false;
    }
    *out = client_pilot_view_ahead(poses, count, (double)apex_client_welcome(client)->tick_hz);
    return true;
}

void client_pilot_drive(client_pilot *pilot, apex_client *client, uint64_t now_us) {
    apex_client_view seen = apex_client_newest(client);
    if (pilot->plan == NULL || seen.own == NULL) {
        return;
    }
    double tick_hz = (double)apex_client_welcome(client)->tick_hz;
    double controls_tick = apex_client_controls_tick(client, now_us);
    double ahead_s = (controls_tick - (double)seen.tick) / tick_hz;
    apex_driver_view view;
    if (!look_ahead(client, now_us, &view)) {
        view = foresee(pilot, client, &seen, ahead_s);
    }
    // In race time, which runs faster than the client's on a server that is told to hurry.
    double ticks = pilot->drove_tick > 0.0 ? controls_tick - pilot->drove_tick : 0.0;
    view.dt_s = ticks > 0.0 ? ticks / tick_hz : 0.0;
    view.may_go = seen.phase == APEX_WIRE_PHASE_RACE || seen.phase == APEX_WIRE_PHASE_FINISH;
    pilot->drove_tick = controls_tick;
    pilot->driver.skill = pilot->home ? pilot->skill * COOL_DOWN_SHARE : pilot->skill;
    apex_controls controls = apex_driver_drive(&pilot->driver, pilot->plan, &view);
    apex_control_sample sample = sample_of(&controls);
    apex_client_set_controls(client, &sample);
}
