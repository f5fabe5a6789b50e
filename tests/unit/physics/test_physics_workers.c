// The step on several threads: the same bits as on one, and nothing that two threads share.
// labels: tsan

#include "support/base/check_main.h"
#include "support/physics/scenes.h"

typedef struct jam_outcome {
    uint64_t hash, contacts, events;
} jam_outcome;

static jam_outcome run_jam(uint32_t workers) {
    const scene_crowd_def def = {.car_count = 100,
                                 .tick_hz = 60,
                                 .ring_m = 70.0,
                                 .speed_mps = 20.0,
                                 .seed = 3,
                                 .all_options = true};
    apex_jobs *jobs = workers > 0 ? apex_jobs_create(workers) : NULL;
    scene_crowd crowd = scene_crowd_create(&def);
    jam_outcome result = {0};
    for (int tick = 0; tick < 180; tick++) {
        size_t count;
        scene_crowd_step(&crowd, jobs);
        (void)apex_world_contacts(crowd.world, &count);
        result.contacts += count;
        (void)apex_world_car_events(crowd.world, &count);
        result.events += count;
    }
    result.hash = apex_world_hash(crowd.world);
    scene_crowd_destroy(&crowd);
    apex_jobs_destroy(jobs);
    return result;
}

TEST(any_number_of_workers_gives_the_same_bits) {
    static const uint32_t WORKERS[] = {4, 1, 2, 7};
    jam_outcome alone = run_jam(0);
    ck_assert_uint_gt(alone.contacts, 500);
    ck_assert_uint_gt(alone.events, 50);
    const int counts = check_cases(sizeof WORKERS / sizeof *WORKERS);
    for (int i = 0; i < counts; i++) {
        jam_outcome shared = run_jam(WORKERS[i]);
        ck_assert_uint_eq(shared.hash, alone.hash);
        ck_assert_uint_eq(shared.contacts, alone.contacts);
        ck_assert_uint_eq(shared.events, alone.events);
    }
}
