// Cars of Bullet's (btRaycastVehicle) behind a few C functions, for bench_bullet.c. Axes as
// physics': x and y level, z up, yaw from x to the left.

#ifndef APEX_TESTS_PEER_BULLET_H
#define APEX_TESTS_PEER_BULLET_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Ways of laying the same hills in Bullet, and of setting it up.
typedef enum peer_ground {
    PEER_GROUND_MESH,        // btBvhTriangleMeshShape, quantised
    PEER_GROUND_HEIGHTFIELD, // btHeightfieldTerrainShape with its accelerator
    PEER_GROUND_PLANE,       // btStaticPlaneShape, level: no hills, for comparison only
} peer_ground;

typedef struct peer_setup {
    peer_ground ground;
    double cell_m;       // side of a mesh's or heightfield's square, of two triangles each
    bool sweep_3d;       // btAxisSweep3 instead of btDbvtBroadphase
    bool rays_to_ground; // wheels' rays that are not tried against cars
} peer_setup;

typedef double peer_height(const void *ctx, double x_m, double y_m);

typedef struct peer_scene {
    peer_setup setup;
    double half_m; // ground for |x|, |y| < half_m
    peer_height *height;
    const void *height_ctx;
} peer_scene;

// The figures from which both kinds of car are built.
typedef struct peer_car {
    double mass_kg;
    double length_m, width_m, height_m; // of the chassis
    double front_x_m, rear_x_m, track_width_m;
    double com_height_m;
    double wheel_radius_m;
} peer_car;

typedef struct peer_pose {
    double x_m, y_m, yaw_rad, speed_mps;
    uint32_t wheels_touching;
} peer_pose;

typedef struct peer_bullet peer_bullet;

peer_bullet *peer_bullet_create(const peer_scene *scene);
void peer_bullet_add(peer_bullet *peer, const peer_car *car, const peer_pose *at);
// Throttle 0..1 of all the force that the tyres can take, at the rear wheels.
void peer_bullet_drive(peer_bullet *peer, uint32_t car, double steer_rad, double throttle);
void peer_bullet_step(peer_bullet *peer, double dt_s); // one step, however long
peer_pose peer_bullet_pose(const peer_bullet *peer, uint32_t car);
void peer_bullet_destroy(peer_bullet *peer);

#ifdef __cplusplus
}
#endif

#endif
