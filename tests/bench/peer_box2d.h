// Boxes of Box2D's (version 2.4) behind a few C functions, for bench_box2d.c. Without gravity, in
// the plane; yaw from x to the left.

#ifndef APEX_TESTS_PEER_BOX2D_H
#define APEX_TESTS_PEER_BOX2D_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The figures that all boxes of a scene have.
typedef struct peer_box {
    double length_m, width_m;
    double mass_kg, inertia_kgm2;
    double friction, restitution;
    double pull_mps2; // towards the origin, always
} peer_box;

typedef struct peer_box_start {
    double x_m, y_m, yaw_rad, speed_mps;
} peer_box_start;

typedef struct peer_box2d peer_box2d;

peer_box2d *peer_box2d_create(const peer_box *box);
void peer_box2d_add(peer_box2d *peer, const peer_box_start *at);
// Sets the pull of the next step.
void peer_box2d_pull(peer_box2d *peer);
void peer_box2d_step(peer_box2d *peer, double dt_s); // one step, however long
// Pairs of boxes that touch after the last step.
size_t peer_box2d_touching(const peer_box2d *peer);
void peer_box2d_destroy(peer_box2d *peer);

#ifdef __cplusplus
}
#endif

#endif
