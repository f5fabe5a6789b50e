// links: base physics
// Every kind of car, every tyre and differential, hills, walls, posts and pile-ups, with all
// options on: the hash of each second. What compilers must agree on.

#include "support/scenes.h"

#include <inttypes.h>
#include <stdio.h>

int main(void) {
    const scene_crowd_def def = {.car_count = 40,
                                 .tick_hz = 60,
                                 .ring_m = 90.0,
                                 .speed_mps = 12.0,
                                 .seed = 20,
                                 .all_options = true};
    scene_crowd crowd = scene_crowd_create(&def);
    uint64_t contacts = 0;
    for (int second = 1; second <= 12; second++) {
        for (int tick = 0; tick < 60; tick++) {
            size_t count;
            scene_crowd_step(&crowd, NULL);
            (void)apex_world_contacts(crowd.world, &count);
            contacts += count;
        }
        printf("second_%d %016" PRIx64 "\n", second, apex_world_hash(crowd.world));
    }
    printf("contacts %" PRIu64 "\n", contacts);
    scene_crowd_destroy(&crowd);
    return 0;
}
