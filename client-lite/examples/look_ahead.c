// Joins a race and tells each second who is near, where he is when controls set now act, and how
// well that was foretold. The library's pilot drives; what is shown here is apex_client_ahead.
//
//     look_ahead [HOST PORT [SECONDS]]
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "client-lite/client.h"
#include "client-lite/pilot/pilot.h"
#include "client-lite/pilot/plans.h"

enum { CARS_MAX = 64, FRAME_MS = 8, NEAR_M = 50 };

static uint64_t now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static const char *name_of(const apex_client *client, uint32_t car) {
    size_t count;
    const apex_roster_entry *entries = apex_client_roster(client, &count);
    for (size_t i = 0; i < count; i++) {
        if (entries[i].car == car) {
            return entries[i].name;
        }
    }
    return "somebody";
}

static void tell_of(const apex_client *client, const apex_client_pose *own,
                    const apex_client_pose *rival) {
    double x_m = rival->position_m[0] - own->position_m[0];
    double y_m = rival->position_m[1] - own->position_m[1];
    double ahead_m = x_m * cos(own->yaw_rad) + y_m * sin(own->yaw_rad);
    double left_m = y_m * cos(own->yaw_rad) - x_m * sin(own->yaw_rad);
    // 0: at the moment of the own car; a far car is shown as it was, and glides between the two.
    double before_ms =
        (own->tick - rival->tick) * 1000.0 / (double)apex_client_welcome(client)->tick_hz;
    if (hypot(ahead_m, left_m) < NEAR_M) {
        printf("  %s: %.1f m %s, %.1f m to the %s, %.0f ms before\n", name_of(client, rival->car),
               fabs(ahead_m), ahead_m < 0.0 ? "behind" : "ahead", fabs(left_m),
               left_m < 0.0 ? "right" : "left", fmax(before_ms, 0.0));
    }
}

static void tell(const apex_client *client, uint64_t time_us, const apex_client_pose cars[],
                 size_t count) {
    double server_tick = apex_client_server_tick(client, time_us);
    printf("%.0f ms ahead of the server\n",
           (cars[0].tick - server_tick) * 1000.0 / (double)apex_client_welcome(client)->tick_hz);
    for (size_t i = 1; i < count; i++) {
        tell_of(client, &cars[0], &cars[i]);
    }
    apex_client_rival_errors errors = apex_client_prediction_of(client).rivals;
    if (errors.compared > 0) {
        printf("  95 in 100 were off by less than %.1f cm along and %.1f cm across, foretold by "
               "%.0f ms; %" PRIu64 " compared\n",
               100.0 * errors.along_m_p95, 100.0 * errors.across_m_p95,
               1000.0 * errors.horizon_s_p50, errors.compared);
    }
    fflush(stdout);
}

// A frame: drives, looks at all cars at one moment, and tells of them once a second.
static void show_frame(apex_client *client, client_pilot *pilot, uint64_t *told_us) {
    uint64_t time_us = now_us();
    apex_client_pose cars[CARS_MAX];
    client_pilot_listen(pilot, client);
    client_pilot_drive(pilot, client, time_us);
    size_t count = apex_client_ahead(client, time_us, cars, CARS_MAX);
    if (count > 0 && time_us - *told_us >= 1000000) {
        *told_us = time_us;
        tell(client, time_us, cars, count);
    }
}

int main(int argc, char *argv[]) {
    const char *host = argc > 2 ? argv[1] : "127.0.0.1";
    uint16_t port = (uint16_t)(argc > 2 ? strtoul(argv[2], NULL, 10) : 26000);
    uint64_t until_us = argc > 3 ? now_us() + strtoul(argv[3], NULL, 10) * 1000000 : UINT64_MAX;
    apex_client_def def = apex_default_client_def();
    def.name = "look_ahead";
    def.ahead = true; // fetches definitions before it joins, and predicts by them
    client_plans *plans = client_plans_create();
    def.tracks = plans != NULL ? client_plans_tracks(plans) : NULL;
    apex_client *client = NULL;
    if (plans == NULL || apex_client_create(&def, &client) != APEX_OK ||
        apex_client_connect(client, host, port) != APEX_OK) {
        fprintf(stderr, "look_ahead: cannot connect to %s:%u\n", host, port);
        return 1;
    }
    client_pilot pilot = client_pilot_create(NULL, 0.95, 0.0);
    uint64_t told_us = 0;
    while (apex_client_state_of(client) != APEX_CLIENT_CLOSED) {
        struct pollfd readable = {.fd = apex_client_socket(client), .events = POLLIN};
        poll(&readable, 1, FRAME_MS);
        apex_client_update(client, now_us());
        const char *problem;
        if (apex_client_state_of(client) == APEX_CLIENT_DRIVING) {
            pilot.plan = client_plans_for(plans, client, NULL, &problem);
            show_frame(client, &pilot, &told_us);
        }
        if (now_us() >= until_us) {
            until_us = UINT64_MAX;
            apex_client_leave(client);
        }
    }
    const char *why;
    apex_reason reason = apex_client_close_reason(client, &why);
    printf("%s\n", reason == APEX_REASON_NONE ? "left" : why);
    apex_client_destroy(client);
    client_plans_destroy(plans);
    return reason == APEX_REASON_NONE || reason == APEX_REASON_EVENT_OVER ? 0 : 1;
}
