// Tests that a spectator of more cars than a packet can tell of one by one sees all of them, also
// where drivers are told of few and while the server has too much to do.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { CARS = 300, TICK_HZ = 60, LONG_US = 15000, MIDDLE_US = 12000, SHORT_US = 5000 };

typedef struct scene {
    race_rig *rig;
    size_t viewer;
    apex_client_pose shown[CARS + 1], before[CARS + 1];
    size_t count;
    uint32_t stale;
    double worst_jump_m; ///< from a frame to the next, beyond what its speed explains
} scene;

static scene *scene_create(void) {
    scene *self = calloc(1, sizeof *self);
    apex_race_file file = apex_default_race_file();
    ck_assert_ptr_nonnull(self);
    strcpy(file.track, "wide-oval");
    file.bots = file.race.start_players = CARS;
    file.race.player_capacity = CARS + 1;
    file.race.lobby_s = file.race.countdown_s = 0.0;
    file.snapshots = APEX_SNAPSHOTS_CROWD;
    self->rig = race_rig_create(&file, 0, NULL);
    ck_assert_ptr_nonnull(self->rig);
    apex_client_def def = apex_default_client_def();
    def.spectate = def.show = def.want_defs = true;
    self->viewer = race_rig_connect(self->rig, &def);
    return self;
}

static void scene_destroy(scene *self) {
    race_rig_destroy(self->rig);
    free(self);
}

static double speed_mps(const apex_client_pose *pose) {
    return hypot(pose->velocity_mps[0], pose->velocity_mps[1]);
}

static void look(scene *self) {
    size_t before = self->count;
    memcpy(self->before, self->shown, before * sizeof *self->shown);
    self->count = apex_client_shown(race_rig_client(self->rig, self->viewer),
                                    race_rig_now_us(self->rig), self->shown, CARS + 1);
    for (size_t i = 0; i < self->count; i++) {
        const apex_client_pose *to = &self->shown[i], *from = &self->before[i];
        self->stale += to->stale;
        if (before == self->count && from->car == to->car) {
            double step_m = hypot(to->position_m[0] - from->position_m[0],
                                  to->position_m[1] - from->position_m[1]);
            double way_m = 1.1 * fmax(speed_mps(from), speed_mps(to)) / TICK_HZ;
            self->worst_jump_m = fmax(self->worst_jump_m, step_m - way_m);
        }
    }
}

// @return the longest snapshot, in bytes.
static size_t run(scene *self, double seconds, uint64_t work_us) {
    size_t longest = 0;
    self->stale = 0;
    self->worst_jump_m = 0.0;
    for (uint32_t i = 0; i < (uint32_t)(seconds * TICK_HZ); i++) {
        const apex_link_packet *packets;
        race_rig_tick(self->rig, 1);
        apex_server_account(race_rig_server(self->rig), work_us, 0);
        size_t count = apex_server_outbox(race_rig_server(self->rig), &packets);
        for (size_t p = 0; p < count; p++) {
            bool is_longer =
                packets[p].channel == APEX_CHANNEL_STATE && packets[p].length > longest;
            longest = is_longer ? packets[p].length : longest;
        }
        look(self);
    }
    return longest;
}

TEST(all_cars_are_seen_at_once_and_go_smoothly) {
    scene *self = scene_create();
    size_t longest = run(self, 1.0, SHORT_US);
    ck_assert_uint_gt(longest, 600); // a driver's are 300 at most
    ck_assert_uint_eq(self->count, CARS);
    (void)run(self, 2.0, SHORT_US);
    (void)run(self, check_cases(5), SHORT_US);
    ck_assert_uint_eq(self->count, CARS);
    ck_assert_uint_eq(self->stale, 0);
    ck_assert_double_lt(self->worst_jump_m, 0.1);
    scene_destroy(self);
}

// A quarter of the list, half as often: each far car is heard of every second or two, and goes on.
TEST(under_strain_far_cars_go_on) {
    scene *self = scene_create();
    (void)run(self, 2.0, SHORT_US);
    (void)run(self, 3.0, LONG_US);
    size_t longest = run(self, 1.0, MIDDLE_US);
    ck_assert_uint_lt(longest, 600);
    (void)run(self, check_cases(5), MIDDLE_US);
    ck_assert_uint_eq(self->count, CARS);
    ck_assert_uint_eq(self->stale, 0);
    ck_assert_double_lt(self->worst_jump_m, 1.0);
    scene_destroy(self);
}
