// Ground is sampled from a formula; cars and controls are drawn from a seed.
#include "support/physics/scenes.h"

#include "base/assert.h"
#include "base/trig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint64_t scene_random(uint64_t *state) {
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double scene_random_between(uint64_t *state, double low, double high) {
    return low + (high - low) * ((double)(scene_random(state) >> 11) / 9007199254740992.0);
}

static const apex_surface_def SURFACES[SCENE_SURFACES] = {
    [SCENE_ASPHALT] = {.name = "asphalt", .friction = 1.0, .rolling_ratio = 1.0, .is_road = true},
    [SCENE_GRASS] = {.name = "grass",
                     .friction = 0.55,
                     .rolling_ratio = 4.0,
                     .plough_n_per_mps = 15.0,
                     .roughness_m = 0.02},
    [SCENE_ICE] = {.name = "ice", .friction = 0.1, .rolling_ratio = 1.0},
    [SCENE_GRAVEL] = {.name = "gravel",
                      .friction = 0.5,
                      .rolling_ratio = 8.0,
                      .plough_n_per_mps = 120.0,
                      .roughness_m = 0.03},
    [SCENE_ROUGH] = {.name = "rough",
                     .friction = 1.0,
                     .rolling_ratio = 1.0,
                     .roughness_m = 0.05,
                     .is_road = true},
};

const apex_ground *scene_flat(void) {
    static const apex_ground FLAT = {.surfaces = SURFACES, .surface_count = SCENE_SURFACES};
    return &FLAT;
}

struct scene_ground {
    apex_ground ground;
    apex_ground_tile *tiles;
    uint32_t *directory;
};

static void *must(void *memory) {
    APEX_ASSERT(memory != NULL);
    return memory;
}

static void fill_tile(apex_ground_tile *tile, scene_height *height) {
    double x0 = tile->tile_x * APEX_GROUND_TILE_M, y0 = tile->tile_y * APEX_GROUND_TILE_M;
    tile->above = APEX_GROUND_NONE;
    for (int row = 0; row < APEX_GROUND_NODES; row++) {
        for (int column = 0; column < APEX_GROUND_NODES; column++) {
            tile->height_m[row][column] =
                (float)height(x0 + column * APEX_GROUND_CELL_M, y0 + row * APEX_GROUND_CELL_M);
        }
    }
    for (int row = 0; row < APEX_GROUND_CELLS; row++) {
        double y = y0 + row * APEX_GROUND_CELL_M;
        for (int column = 0; column < APEX_GROUND_CELLS; column++) {
            tile->surface[row][column] = fabs(y) < 200.0 ? SCENE_ASPHALT : SCENE_GRASS;
        }
    }
}

static scene_ground *create_directory(double half_m, uint32_t tile_count) {
    scene_ground *made = must(calloc(1, sizeof *made));
    int32_t half = (int32_t)ceil(half_m / APEX_GROUND_TILE_M);
    uint32_t side = 2 * (uint32_t)half;
    if (tile_count == 0) {
        tile_count = side * side;
    }
    made->tiles = must(calloc(tile_count, sizeof *made->tiles));
    made->directory = must(calloc((size_t)side * side, sizeof *made->directory));
    made->ground = (apex_ground){.first_x = -half,
                                 .first_y = -half,
                                 .width = side,
                                 .depth = side,
                                 .directory = made->directory,
                                 .tiles = made->tiles,
                                 .tile_count = tile_count,
                                 .surfaces = SURFACES,
                                 .surface_count = SCENE_SURFACES,
                                 .outside_surface = SCENE_GRASS,
                                 .roughness_seed = 7};
    return made;
}

scene_ground *scene_ground_create(double half_m, scene_height *height) {
    scene_ground *made = create_directory(half_m, 0);
    for (uint32_t i = 0; i < made->ground.tile_count; i++) {
        apex_ground_tile *tile = &made->tiles[i];
        tile->tile_x = made->ground.first_x + (int32_t)(i % made->ground.width);
        tile->tile_y = made->ground.first_y + (int32_t)(i / made->ground.width);
        fill_tile(tile, height);
        made->directory[i] = i;
    }
    return made;
}

enum { HILL_TILES = 24, HILL_NODES = HILL_TILES * APEX_GROUND_CELLS + 1 };

// What the hills are made of, at each node along x and along y: half a million of them share a few
// hundred sines.
static struct { double along_x[HILL_NODES], along_y[HILL_NODES], ripple[HILL_NODES]; } waves;

static void fill_waves(void) {
    const double WAVE = 2.0 * APEX_PI / (HILL_TILES * APEX_GROUND_TILE_M);
    for (int32_t i = 0; i < HILL_NODES; i++) {
        double at_m = i * APEX_GROUND_CELL_M;
        waves.along_x[i] = 3.0 * apex_sin(at_m * WAVE);
        waves.along_y[i] = apex_cos(2.0 * at_m * WAVE);
        waves.ripple[i] = 0.3 * apex_sin(6.0 * at_m * WAVE);
    }
}

// Of a node: the waves are kept for nodes alone.
static double hill_height(double x_m, double y_m) {
    uint32_t column = (uint32_t)(x_m / APEX_GROUND_CELL_M);
    uint32_t row = (uint32_t)(y_m / APEX_GROUND_CELL_M);
    return waves.along_x[column] * waves.along_y[row] + waves.ripple[row];
}

scene_ground *scene_ground_create_hills(double half_m) {
    scene_ground *made = create_directory(half_m, HILL_TILES * HILL_TILES);
    fill_waves();
    for (int32_t i = 0; i < HILL_TILES * HILL_TILES; i++) {
        made->tiles[i].tile_x = i % HILL_TILES;
        made->tiles[i].tile_y = i / HILL_TILES;
        fill_tile(&made->tiles[i], hill_height);
    }
    for (uint32_t row = 0; row < made->ground.depth; row++) {
        for (uint32_t column = 0; column < made->ground.width; column++) {
            made->directory[row * made->ground.width + column] =
                row % HILL_TILES * HILL_TILES + column % HILL_TILES;
        }
    }
    return made;
}

const apex_ground *scene_ground_of(const scene_ground *ground) {
    return &ground->ground;
}

void scene_ground_destroy(scene_ground *ground) {
    free(ground->tiles);
    free(ground->directory);
    free(ground);
}

static const apex_tyre_axis NOTE_TYRE = {
    .b = 10.0, .c = 2.0, .d = 1.0, .e = 1.0, .stiffness = 20.0};

static void set_tyres(apex_car_def *def, apex_tyre_model model) {
    for (uint32_t a = 0; a < def->axle_count; a++) {
        apex_tyre_def *tyre = &def->axles[a].tyre;
        tyre->model = model;
        tyre->longitudinal = NOTE_TYRE;
        tyre->lateral = NOTE_TYRE;
        tyre->longitudinal.relaxation_m = 0.12;
        tyre->lateral.relaxation_m = 0.4;
        tyre->load_sensitivity = 0.0;
        tyre->camber_stiffness = 0.0;
        tyre->pneumatic_trail_m = 0.0;
    }
}

apex_car_def scene_corvette(void) {
    apex_car_def def = apex_default_car_def();
    strcpy(def.name, "corvette");
    def.mass_kg = 1500.0;
    def.fuel_kg_max = 0.0;
    def.com_height_m = 0.45;
    set_tyres(&def, APEX_TYRE_MAGIC);
    for (uint32_t a = 0; a < 2; a++) {
        def.axles[a].x_m = a == 0 ? 1.327 : -1.327;
        def.axles[a].track_width_m = 1.575;
        def.axles[a].tyre.radius_m = 0.34;
        def.axles[a].suspension.camber_rad = 0.0;
        def.axles[a].brake.torque_nm_max = a == 0 ? 2400.0 : 1500.0;
    }
    const double RPM[] = {1000.0, 2500.0, 4400.0, 5600.0, 6200.0};
    const double NM[] = {390.0, 448.0, 475.0, 438.0, 380.0};
    def.engine.torque_count = 5;
    memcpy(def.engine.torque_rpm, RPM, sizeof RPM);
    memcpy(def.engine.torque_nm, NM, sizeof NM);
    def.engine.idle_rpm = 800.0;
    def.engine.limiter_rpm = 6200.0;
    def.engine.blow_rpm = 7500.0;
    const double RATIO[] = {2.66, 1.78, 1.30, 1.0, 0.74, 0.50};
    memcpy(def.gearbox.ratio, RATIO, sizeof RATIO);
    def.gearbox.reverse_ratio = 2.90;
    def.gearbox.final_drive = 3.42;
    def.gearbox.efficiency = 0.8;
    def.gearbox.shift_up_rpm = 5900.0;
    def.gearbox.shift_down_rpm = 3000.0;
    def.gearbox.clutch_nm_max = 900.0;
    def.aero.drag_coefficient = 0.29;
    def.aero.frontal_area_m2 = 2.05;
    def.aero.lift_front_m2 = 0.0;
    return def;
}

apex_car_def scene_plain_car(void) {
    apex_car_def def = scene_corvette();
    strcpy(def.name, "plain");
    def.aids = (apex_aids_def){.automatic_clutch = true};
    def.steering.ackermann = 0.0;
    def.steering.fade_speed_mps = 0.0;
    def.aero.drag_height_m = 0.0;
    for (uint32_t a = 0; a < 2; a++) {
        def.axles[a].x_m = a == 0 ? 1.25 : -1.25;
        def.axles[a].suspension.roll_centre_height_m = 0.0;
        def.axles[a].differential.kind = APEX_DIFFERENTIAL_OPEN;
    }
    return def;
}

apex_car_def scene_motorcycle(void) {
    apex_car_def def = apex_default_car_def();
    strcpy(def.name, "motorcycle");
    def.model = APEX_CAR_MOTORCYCLE;
    def.mass_kg = 260.0;
    def.fuel_kg_max = 12.0;
    def.inertia_roll_kgm2 = 20.0;
    def.inertia_pitch_kgm2 = 60.0;
    def.inertia_yaw_kgm2 = 50.0;
    def.com_height_m = 0.6;
    for (uint32_t a = 0; a < 2; a++) {
        apex_axle_def *axle = &def.axles[a];
        axle->x_m = a == 0 ? 0.7 : -0.7;
        axle->track_width_m = 0.0;
        axle->suspension.spring_n_per_m = 20000.0;
        axle->suspension.bump_ns_per_m = 1200.0;
        axle->suspension.rebound_ns_per_m = 1800.0;
        axle->brake.torque_nm_max = a == 0 ? 700.0 : 300.0;
        axle->tyre.load_nominal_n = 1300.0;
        axle->tyre.inertia_kgm2 = 0.5;
        axle->tyre.radius_m = 0.31;
    }
    def.engine.inertia_kgm2 = 0.03;
    def.engine.torque_count = 2;
    def.engine.torque_rpm[0] = 2000.0;
    def.engine.torque_rpm[1] = 7000.0;
    def.engine.torque_nm[0] = 70.0;
    def.engine.torque_nm[1] = 100.0;
    def.gearbox.clutch_nm_max = 250.0;
    def.aero.drag_coefficient = 0.6;
    def.aero.frontal_area_m2 = 0.6;
    def.hull.length_m = 2.1;
    def.hull.width_m = 0.7;
    def.hull.centre_z_m = 0.1;
    return def;
}

static apex_car_def three_axle_truck(void) {
    apex_car_def def = apex_default_car_def();
    strcpy(def.name, "truck");
    def.mass_kg = 6000.0;
    def.inertia_roll_kgm2 = 5000.0;
    def.inertia_pitch_kgm2 = 22000.0;
    def.inertia_yaw_kgm2 = 24000.0;
    def.com_height_m = 1.1;
    def.axle_count = 3;
    def.axles[2] = def.axles[1];
    def.axles[0].x_m = 2.6;
    def.axles[1].x_m = -0.9;
    def.axles[2].x_m = -2.2;
    for (uint32_t a = 0; a < 3; a++) {
        apex_axle_def *axle = &def.axles[a];
        axle->drive_share = a == 0 ? 0.0 : 0.5;
        axle->track_width_m = 2.0;
        axle->suspension.spring_n_per_m = 150000.0;
        axle->suspension.bump_ns_per_m = 9000.0;
        axle->suspension.rebound_ns_per_m = 14000.0;
        axle->tyre.load_nominal_n = 10000.0;
        axle->tyre.vertical_stiffness_n_per_m = 600000.0;
        axle->tyre.radius_m = 0.48;
        axle->tyre.inertia_kgm2 = 8.0;
        axle->brake.torque_nm_max = 6000.0;
        axle->differential.kind = APEX_DIFFERENTIAL_LOCKED;
    }
    def.centre_differential.kind = APEX_DIFFERENTIAL_VISCOUS;
    def.centre_differential.viscous_nms_per_rad = 200.0;
    def.gearbox.final_drive = 6.0;
    def.hull = (apex_hull_def){.length_m = 7.0,
                               .width_m = 2.4,
                               .height_m = 2.4,
                               .centre_z_m = 0.5,
                               .rounding_m = 0.05,
                               .restitution = 0.1,
                               .friction = 0.5};
    return def;
}

apex_car_def scene_car_kind(uint32_t kind) {
    apex_car_def def = apex_default_car_def();
    switch (kind) {
    case 0:
        return scene_corvette();
    case 1: // front drive, viscous
        strcpy(def.name, "front");
        def.axles[0].drive_share = 1.0;
        def.axles[1].drive_share = 0.0;
        def.axles[0].differential.kind = APEX_DIFFERENTIAL_VISCOUS;
        def.aids.stability_control = 0.8;
        return def;
    case 2: // all-wheel drive, limited-slip centre
        strcpy(def.name, "all");
        def.axles[0].drive_share = 0.4;
        def.axles[1].drive_share = 0.6;
        def.centre_differential = (apex_differential_def){.kind = APEX_DIFFERENTIAL_LIMITED_SLIP,
                                                          .preload_nm = 60.0,
                                                          .power_bias = 0.3,
                                                          .coast_bias = 0.1};
        def.engine.turbo_lag_s = 0.4;
        def.engine.turbo_share = 0.4;
        return def;
    case 3:
        set_tyres(&def, APEX_TYRE_LINEAR);
        strcpy(def.name, "linear");
        def.axles[0].differential.kind = APEX_DIFFERENTIAL_OPEN;
        def.axles[1].differential.kind = APEX_DIFFERENTIAL_OPEN;
        return def;
    case 4:
        set_tyres(&def, APEX_TYRE_BRUSH);
        strcpy(def.name, "brush");
        def.aids = (apex_aids_def){.automatic_clutch = true};
        return def;
    case 5:
        return three_axle_truck();
    case 6:
        strcpy(def.name, "kinematic");
        def.model = APEX_CAR_KINEMATIC;
        return def;
    default:
        return scene_motorcycle();
    }
}

apex_world_def scene_world_def(uint32_t cars) {
    apex_world_def def = apex_default_world_def();
    def.car_capacity = cars;
    return def;
}

scene_solo scene_solo_create(const apex_car_def *def, const apex_ground *ground) {
    apex_world_def world = scene_world_def(1);
    return scene_solo_create_in(&world, def, ground);
}

scene_solo scene_solo_create_in(const apex_world_def *world, const apex_car_def *def,
                                const apex_ground *ground) {
    scene_solo solo = {.controls = {.gear = APEX_GEAR_AUTOMATIC}};
    apex_car_type type;
    apex_placement at = {0};
    APEX_ASSERT(apex_world_create(world, ground, NULL, &solo.world) == APEX_OK);
    APEX_ASSERT(apex_world_add_type(solo.world, def, &type) == APEX_OK);
    APEX_ASSERT(apex_world_add_car(solo.world, type, &at, &solo.car) == APEX_OK);
    return solo;
}

void scene_solo_run(scene_solo *solo, uint32_t ticks) {
    for (uint32_t i = 0; i < ticks; i++) {
        apex_world_step(solo->world, &solo->controls, NULL);
    }
}

apex_car_state scene_solo_state(const scene_solo *solo) {
    apex_car_state state;
    APEX_ASSERT(apex_world_get_car(solo->world, solo->car, &state));
    return state;
}

apex_car_work scene_solo_work(const scene_solo *solo) {
    apex_car_work work;
    APEX_ASSERT(apex_world_get_work(solo->world, solo->car, &work));
    return work;
}

apex_car_pose scene_solo_pose(const scene_solo *solo) {
    apex_car_pose pose;
    APEX_ASSERT(apex_world_pose(solo->world, solo->car, &pose));
    return pose;
}

double scene_solo_speed(const scene_solo *solo) {
    apex_car_pose pose = scene_solo_pose(solo);
    const double *v = pose.velocity_mps;
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

void scene_solo_destroy(scene_solo *solo) {
    apex_world_destroy(solo->world);
    solo->world = NULL;
}

enum { RING_WALLS = 48, RING_POSTS = 12 };

static void build_ring(scene_crowd *crowd, double radius_m) {
    static const apex_wall_material MATERIALS[2] = {
        {.name = "concrete", .restitution = 0.2, .friction = 0.4},
        {.name = "tyres", .restitution = 0.0, .friction = 0.8},
    };
    apex_wall_segment *segments = must(calloc(RING_WALLS, sizeof *segments));
    apex_wall_post *posts = must(calloc(RING_POSTS, sizeof *posts));
    for (uint32_t i = 0; i < RING_WALLS; i++) {
        double from = 2.0 * APEX_PI * i / RING_WALLS, to = 2.0 * APEX_PI * (i + 1) / RING_WALLS;
        segments[i] = (apex_wall_segment){
            .from_x_m = radius_m * apex_cos(from),
            .from_y_m = radius_m * apex_sin(from),
            .to_x_m = radius_m * apex_cos(to),
            .to_y_m = radius_m * apex_sin(to),
            .base_m = -20.0,
            .top_m = 20.0,
            .previous = (i + RING_WALLS - 1) % RING_WALLS,
            .next = (i + 1) % RING_WALLS,
            .material = (uint8_t)(i % 2),
        };
    }
    for (uint32_t i = 0; i < RING_POSTS; i++) {
        double angle = 2.0 * APEX_PI * (i + 0.5) / RING_POSTS;
        posts[i] = (apex_wall_post){.x_m = 0.5 * radius_m * apex_cos(angle),
                                    .y_m = 0.5 * radius_m * apex_sin(angle),
                                    .radius_m = 0.3,
                                    .base_m = -20.0,
                                    .top_m = 20.0};
    }
    crowd->walls = must(malloc(sizeof *crowd->walls));
    *crowd->walls = (apex_walls){.segments = segments,
                                 .segment_count = RING_WALLS,
                                 .posts = posts,
                                 .post_count = RING_POSTS,
                                 .materials = MATERIALS,
                                 .material_count = 2};
}

static void place_crowd(scene_crowd *crowd, const scene_crowd_def *def) {
    apex_car_type types[SCENE_KINDS];
    for (uint32_t k = 0; k < SCENE_KINDS; k++) {
        apex_car_def car = scene_car_kind(k);
        APEX_ASSERT(apex_world_add_type(crowd->world, &car, &types[k]) == APEX_OK);
    }
    // Sunflower seeds: even, and never two in one place.
    const double GOLDEN_ANGLE = 2.39996322972865332;
    for (uint32_t i = 0; i < def->car_count; i++) {
        double share = sqrt((i + 0.5) / def->car_count), angle = i * GOLDEN_ANGLE;
        double radius = share * (def->ring_m - 8.0);
        apex_placement at = {.x_m = radius * apex_cos(angle),
                             .y_m = radius * apex_sin(angle),
                             .yaw_rad = angle + APEX_PI,
                             .speed_mps = def->speed_mps};
        apex_car_type type = types[i % SCENE_KINDS];
        APEX_ASSERT(apex_world_add_car(crowd->world, type, &at, &crowd->cars[i]) == APEX_OK);
    }
}

scene_crowd scene_crowd_create(const scene_crowd_def *def) {
    scene_crowd crowd = {
        .car_count = def->car_count, .tick_hz = def->tick_hz, .random_state = def->seed};
    apex_world_def world = scene_world_def(def->car_count);
    world.tick_hz = def->tick_hz;
    if (def->all_options) {
        world.fuel_burns = world.tyres_wear = world.temperatures = true;
        world.damage = APEX_DAMAGE_FULL;
    }
    crowd.ground = scene_ground_create_hills(def->ring_m + 64.0);
    crowd.controls = must(calloc(def->car_count, sizeof *crowd.controls));
    crowd.cars = must(calloc(def->car_count, sizeof *crowd.cars));
    build_ring(&crowd, def->ring_m);
    APEX_ASSERT(apex_world_create(&world, scene_ground_of(crowd.ground), crowd.walls,
                                  &crowd.world) == APEX_OK);
    place_crowd(&crowd, def);
    return crowd;
}

static apex_controls random_controls(uint64_t *state, apex_controls before) {
    uint64_t bits = scene_random(state);
    apex_controls controls = before;
    controls.steer = (int16_t)(bits & 0xffff);
    controls.throttle = bits & (1u << 16) ? 255 : (uint8_t)(bits >> 17);
    controls.brake = (bits >> 25 & 7) == 0 ? (uint8_t)(bits >> 28) : 0;
    controls.handbrake = (bits >> 36 & 15) == 0 ? 255 : 0;
    controls.clutch = (bits >> 40 & 15) == 0 ? 200 : 0;
    controls.aids_off = (bits >> 44 & 3) == 0 ? (uint8_t)(bits >> 46) : 0;
    uint64_t gear = bits >> 56 & 15;
    controls.gear = gear < 10 ? APEX_GEAR_AUTOMATIC : APEX_GEAR_SEQUENTIAL;
    if (gear == 15) {
        controls.gear = (int8_t)((int)(bits >> 60) - 1);
    }
    controls.shift_up_count = (uint8_t)(before.shift_up_count + (gear == 11));
    controls.shift_down_count = (uint8_t)(before.shift_down_count + (gear == 12));
    return controls;
}

void scene_crowd_step(scene_crowd *crowd, apex_jobs *jobs) {
    if (crowd->half_ticks % 60 == 0) {
        for (uint32_t i = 0; i < crowd->car_count; i++) {
            crowd->controls[i] = random_controls(&crowd->random_state, crowd->controls[i]);
        }
    }
    apex_world_step(crowd->world, crowd->controls, jobs);
    crowd->half_ticks += 120 / crowd->tick_hz;
}

void scene_crowd_destroy(scene_crowd *crowd) {
    apex_world_destroy(crowd->world);
    scene_ground_destroy(crowd->ground);
    free((void *)(uintptr_t)crowd->walls->segments);
    free((void *)(uintptr_t)crowd->walls->posts);
    free(crowd->walls);
    free(crowd->controls);
    free(crowd->cars);
}
