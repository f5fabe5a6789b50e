// links: base physics
// A benchmark of our contacts beside Box2D's (version 2.4): the same thousand boxes crash into one
// heap, a tick of 60 Hz on one thread. Ours takes four substeps in it; Box2D one step of 8 velocity
// and 3 position iterations, as its manual has it, and nobody sleeps. Windows of the two take
// turns, so that whatever else the machine does meets both. Processor time of the thread; medians;
// Box2D's over ours.
//
// Ours is the whole step, with the pull towards the middle; of Box2D's only the step is timed, not
// setting forces before it. Our hulls' corners are round by 8 cm, Box2D's boxes have sharp ones.

#include "jam_windows.h"
#include "peer_box2d.h"
#include "support/physics/jam_scene.h"

#include <stdio.h>

enum { BOXES = 1000, WINDOWS = 3 };

static const double TICK_S = 1.0 / 60.0;

static peer_box2d *create_theirs(void) {
    const apex_car_def def = jam_scene_box();
    const peer_box box = {.length_m = def.hull.length_m,
                          .width_m = def.hull.width_m,
                          .mass_kg = def.mass_kg,
                          .inertia_kgm2 = def.inertia_yaw_kgm2,
                          .friction = def.hull.friction,
                          .restitution = def.hull.restitution,
                          .pull_mps2 = (double)JAM_BOXES_PULL_MPS2};
    peer_box2d *peer = peer_box2d_create(&box);
    for (uint32_t i = 0; i < BOXES; i++) {
        apex_placement at = jam_scene_start(i, JAM_SPEED_MPS);
        const peer_box_start start = {at.x_m, at.y_m, at.yaw_rad, at.speed_mps};
        peer_box2d_add(peer, &start);
    }
    return peer;
}

static double run_theirs(peer_box2d *peer, uint32_t ticks) {
    double spent_ms = 0.0;
    for (uint32_t tick = 0; tick < ticks; tick++) {
        peer_box2d_pull(peer);
        double begin_ms = windows_thread_ms();
        peer_box2d_step(peer, TICK_S);
        spent_ms += windows_thread_ms() - begin_ms;
    }
    return spent_ms / ticks;
}

// Its boxes spring apart after the crash, and are together again by the end: with fewer pairs that
// touch than ours have.
static double their_window_ms(void) {
    peer_box2d *peer = create_theirs();
    (void)run_theirs(peer, JAM_FIRST_TICK);
    double tick_ms = run_theirs(peer, JAM_TICKS);
    APEX_ASSERT(peer_box2d_touching(peer) >= BOXES);
    peer_box2d_destroy(peer);
    return tick_ms;
}

int main(int argc, char **argv) {
    static const char FIGURE[] = "contact.box2d_tick_ms.1000";
    static const char RATIO[] = "contact.boxes_tick.vs_box2d.1000";
    if (!windows_is_wanted(argc, argv, FIGURE) && !windows_is_wanted(argc, argv, RATIO)) {
        return EXIT_SUCCESS;
    }
    measured_jam ours = jam_of_boxes(BOXES);
    double our_ms[WINDOWS], their_ms[WINDOWS];
    for (size_t w = 0; w < WINDOWS; w++) {
        their_ms[w] = their_window_ms();
        our_ms[w] = jam_window_ms(&ours);
    }
    jam_destroy(&ours);
    double our_median_ms = windows_median(our_ms, WINDOWS);
    double their_median_ms = windows_median(their_ms, WINDOWS);
    printf("%s %.4f ms\n", FIGURE, their_median_ms);
    printf("%s %.3f ratio\n", RATIO, their_median_ms / our_median_ms);
    return EXIT_SUCCESS;
}
