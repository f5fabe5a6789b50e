// A pilot sees by the newest snapshot, moved on to the moment at which its controls act.
#include "client-lite/pilot/pilot.h"

#include <math.h>

#include "base/assert.h"
#include "base/trig.h"
#include "client-lite/client_internal.h"
#include "proto/proto.h"

// Snapshots older than this say little about where the car is now.
static const double AHEAD_S_MAX = 0.4;
static const double NEIGHBOUR_M_MAX = 80.0;
// Share of its skill that a driver keeps after the finish, so that nobody brakes hard on the line
// and nobody is in the way for long.
static const double COOL_DOWN_SHARE = 0.75;

typedef struct moving_car {
    double x_m, y_m, z_m, vx_mps, vy_mps;
} moving_car;

static void turn(double *x, double *y, double angle_rad) {
    double sine = apex_sin(angle_rad);
    double cosine = apex_cos(angle_rad);
    double turned_x = *x * cosine - *y * sine;
    *y = *x * sine + *y * cosine;
    *x = turned_x;
}

// Along the arc of a steady bend: what the car does in its own frame stays. With a velocity that
// kept its direction while the heading turns, a driver would see a slide that is none.
static moving_car move_on(const apex_wire_car *car, double ahead_s) {
    // A held car does not move, whatever its engine and its velocity say.
    double moves_s = (car->flags & APEX_CAR_FLAG_HELD) != 0 ? 0.0 : ahead_s;
    double turns_rad = car->yaw_rate_q / APEX_YAW_RATE_UNITS_PER_RADPS * moves_s;
    moving_car moved = {.vx_mps = car->vx_cmps / 100.0, .vy_mps = car->vy_cmps / 100.0};
    // The chord of an arc points half the turn away from its beginning.
    turn(&moved.vx_mps, &moved.vy_mps, turns_rad / 2.0);
    moved.x_m = car->x_mm / 1000.0 + moved.vx_mps * moves_s;
    moved.y_m = car->y_mm / 1000.0 + moved.vy_mps * moves_s;
    moved.z_m = car->z_mm / 1000.0 + car->vz_cmps / 100.0 * moves_s;
    turn(&moved.vx_mps, &moved.vy_mps, turns_rad / 2.0);
    return moved;
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

static void see_others(apex_driver_view *view, const apex_client_view *seen, double ahead_s) {
    double heading_x = apex_cos(view->yaw_rad);
    double heading_y = apex_sin(view->yaw_rad);
    for (size_t i = 0; i < seen->car_count; i++) {
        const apex_wire_car *car = &seen->cars[i];
        if (car->id == seen->own->id || (car->flags & APEX_CAR_FLAG_GHOST) != 0) {
            continue;
        }
        moving_car other = move_on(car, ahead_s);
        double dx_m = other.x_m - view->x_m;
        double dy_m = other.y_m - view->y_m;
        if (fabs(dx_m) > NEIGHBOUR_M_MAX || fabs(dy_m) > NEIGHBOUR_M_MAX) {
            continue;
        }
        apex_driver_neighbour neighbour = {.ahead_m = dx_m * heading_x + dy_m * heading_y,
                                           .left_m = dy_m * heading_x - dx_m * heading_y};
        double along_mps = other.vx_mps * heading_x + other.vy_mps * heading_y;
        neighbour.closing_mps =
            neighbour.ahead_m >= 0.0 ? view->speed_mps - along_mps : along_mps - view->speed_mps;
        if (distance_of(&neighbour) <= NEIGHBOUR_M_MAX) {
            add_neighbour(view, &neighbour);
        }
    }
}

// `own` as it will be after `own_ahead_s` more; the others as they are after `ahead_s`.
static apex_driver_view look(const apex_wire_car *own, double own_ahead_s,
                             const apex_client_view *seen, double ahead_s) {
    moving_car moved = move_on(own, own_ahead_s);
    double turns_s = (own->flags & APEX_CAR_FLAG_HELD) != 0 ? 0.0 : own_ahead_s;
    apex_driver_view view = {.x_m = moved.x_m, .y_m = moved.y_m, .z_m = moved.z_m};
    view.yaw_rate_radps = own->yaw_rate_q / APEX_YAW_RATE_UNITS_PER_RADPS;
    view.yaw_rad = own->yaw_q / APEX_ANGLE_UNITS_PER_RAD + view.yaw_rate_radps * turns_s;
    double heading_x = apex_cos(view.yaw_rad);
    double heading_y = apex_sin(view.yaw_rad);
    view.speed_mps = moved.vx_mps * heading_x + moved.vy_mps * heading_y;
    view.sideways_mps = moved.vy_mps * heading_x - moved.vx_mps * heading_y;
    view.gear = own->gear;
    see_others(&view, seen, ahead_s);
    return view;
}

static double within_reason(double ahead_s) {
    return ahead_s < 0.0 ? 0.0 : ahead_s > AHEAD_S_MAX ? AHEAD_S_MAX : ahead_s;
}

apex_driver_view client_pilot_view(const apex_client_view *seen, double ahead_s) {
    APEX_ASSERT(seen->own != NULL);
    double forward_s = within_reason(ahead_s);
    return look(seen->own, forward_s, seen, forward_s);
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

// The own car by what the controls under way will do to it; by its velocity if that is not known.
static apex_driver_view look_ahead(const client_pilot *pilot, apex_client *client,
                                   const apex_client_view *seen, double ahead_s) {
    apex_wire_car car = *seen->own;
    const client_controls *controls = &client_session_of(client)->controls;
    if (pilot->foresight != NULL &&
        client_foresight_run(pilot->foresight, controls, seen->tick, &car) > 0) {
        return look(&car, 0.0, seen, within_reason(ahead_s));
    }
    return client_pilot_view(seen, ahead_s);
}

void client_pilot_drive(client_pilot *pilot, apex_client *client, uint64_t now_us) {
    apex_client_view seen = apex_client_newest(client);
    if (pilot->plan == NULL || seen.own == NULL) {
        return;
    }
    double tick_hz = (double)apex_client_welcome(client)->tick_hz;
    double controls_tick = apex_client_controls_tick(client, now_us);
    double ahead_s = (controls_tick - (double)seen.tick) / tick_hz;
    apex_driver_view view = look_ahead(pilot, client, &seen, ahead_s);
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
