/// Files as files: where a name is looked for, what ships, default files, and whole races.
#include <check.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "content/content.h"
#include "support/base/check_main.h"

#define CAR(name)                                          \
    "kind: car\nname: " name "\nmass_kg: 1000\naxles:\n"   \
    "  - {x_m: 1.2, track_width_m: 1.5, steer_share: 1}\n" \
    "  - {x_m: -1.2, track_width_m: 1.5, drive_share: 1}\n"

static char folder[CHECK_PATH_BYTES];

static void make_folder(void) {
    check_make_folder(folder, "content");
    ck_assert_int_eq(chdir(folder), 0);
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

static void expect_car(const char *name, const char *directory, const char *found) {
    apex_car_def car;
    apex_content_problem problem;
    apex_err err = apex_content_load_car(name, directory, &car, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    ck_assert_str_eq(car.name, found);
}

FIXTURE(make_folder, NULL)

TEST(path_then_directory_then_shipped) {
    ck_assert_int_eq(mkdir("cars", 0700), 0);
    expect_car("boxster-s", NULL, "boxster-s");
    expect_car("boxster-s", ".", "boxster-s");
    write_file("boxster-s.yaml", CAR("beside"));
    expect_car("boxster-s", ".", "beside");
    expect_car("boxster-s", NULL, "boxster-s");
    expect_car("boxster-s.yaml", NULL, "beside");
    write_file("cars/boxster-s.yaml", CAR("in-folder"));
    expect_car("boxster-s", ".", "in-folder");
    expect_car("./cars/boxster-s.yaml", NULL, "in-folder");
    write_file("boxster-s", CAR("by-path"));
    expect_car("boxster-s", ".", "by-path");
}

/// A folder that happens to have the name of a shipped car is no file of that name.
TEST(folder_of_the_same_name_is_passed_over) {
    ck_assert_int_eq(mkdir("boxster-s", 0700), 0);
    expect_car("boxster-s", NULL, "boxster-s");
}

#define SHIPPED_CARS                                                                    \
    "shipped are boxster-s, cbr1000rr, corvette-c5, formula, micra, minibus, mp4-12c, " \
    "truck-6x4"

TEST(missing_and_unreadable_files_are_told_apart) {
    apex_car_def car;
    apex_track_def track;
    apex_content_problem problem;
    ck_assert_int_eq(apex_content_load_track("ridgway", NULL, &track, &problem),
                     APEX_ERR_NOT_FOUND);
    ck_assert_str_eq(problem.text, "no track called 'ridgway': no such file; shipped are "
                                   "car-park-lap, car-park, drag-strip, highfell, oval, ridgeway, "
                                   "skidpad, speedway, wide-oval");
    ck_assert_int_eq(apex_content_load_car("none.yaml", "/etc", &car, &problem),
                     APEX_ERR_NOT_FOUND);
    ck_assert_str_eq(problem.text,
                     "no car called 'none.yaml': no such file, none in /etc; " SHIPPED_CARS);
    ck_assert_int_eq(mkdir("cars", 0700), 0);
    ck_assert_int_eq(apex_content_load_car("./cars", NULL, &car, &problem), APEX_ERR_IO);
    ck_assert_str_eq(problem.text, "./cars: not a file");
    static apex_content_problems problems;
    ck_assert_int_eq(apex_content_check("none.yaml", NULL, &problems), APEX_ERR_NOT_FOUND);
    ck_assert_uint_eq(problems.count, 1);
    ck_assert_str_eq(problems.at[0].text, "none.yaml: No such file or directory");
}

TEST(race_that_names_nothing_there_has_its_line) {
    apex_race_file race;
    apex_content_problem problem;
    write_file("race.yaml", "kind: race\nname: x\ntrack: oval\ncars: [boxster-s, tank]\n");
    ck_assert_int_eq(apex_content_load_race("race.yaml", NULL, &race, &problem),
                     APEX_ERR_NOT_FOUND);
    ck_assert_str_eq(problem.text,
                     "race.yaml:4:19: cars[1]: no car called 'tank': no such file; " SHIPPED_CARS);
}

/// The text that ships names itself in problems, and a track is laid before it is handed out.
TEST(problem_in_a_loaded_track_has_its_line) {
    write_file("loop.yaml", "kind: track\nname: loop\n"
                            "sections: [{left_deg: 360, radius_m: 50}]\n"
                            "strips:\n  - {surface: grass}\n  - surface: gras\n");
    apex_track_def track;
    apex_content_problem problem;
    ck_assert_int_eq(apex_content_load_track("loop.yaml", NULL, &track, &problem), APEX_ERR_RANGE);
    ck_assert_msg(strncmp(problem.text, "loop.yaml:6:14: strips[1].surface: ", 35) == 0, "%s",
                  problem.text);
    ck_assert_msg(strstr(problem.text, "'gras'") != NULL, "%s", problem.text);
}

TEST(everything_that_ships_passes_the_check) {
    static const size_t least[] = {8, 6, 3};
    for (int kind = 0; kind < 3; kind++) {
        size_t count = 0;
        const char *name = NULL;
        while ((name = apex_content_shipped((apex_content_kind)kind, count)) != NULL) {
            apex_content_problem problem;
            apex_car_def car;
            apex_race_file race;
            apex_track_def track;
            apex_err err = APEX_OK;
            if (kind == APEX_CONTENT_CAR) {
                err = apex_content_load_car(name, NULL, &car, &problem);
                ck_assert_str_eq(car.name, name);
            } else if (kind == APEX_CONTENT_TRACK) {
                err = apex_content_load_track(name, NULL, &track, &problem);
                ck_assert_str_eq(track.name, name);
                apex_track_def_free(&track);
            } else {
                err = apex_content_load_race(name, NULL, &race, &problem);
            }
            ck_assert_msg(err == APEX_OK, "%s: %s", name, problem.text);
            count++;
        }
        ck_assert_uint_ge(count, least[kind]);
    }
}

TEST(default_race_is_three_laps_of_ridgeway_in_boxsters) {
    apex_race_file race;
    apex_content_problem problem;
    ck_assert_int_eq(apex_content_load_race("default", NULL, &race, &problem), APEX_OK);
    ck_assert_str_eq(race.track, "ridgeway");
    ck_assert_str_eq(race.cars[0], "boxster-s");
    ck_assert_uint_eq(race.race.laps, 3);
    ck_assert_uint_eq(race.race.world.tick_hz, 60);
    ck_assert_uint_eq(race.race.world.car_capacity, race.race.player_capacity);
}

TEST(every_word_of_a_race_file_arrives) {
    static const char text[] =
        "kind: race\nname: Night race\ntrack: oval\ncars: [corvette-c5, boxster-s]\nlaps: 12\n"
        "player_capacity: 40\nstart_players: 3\nlobby_s: 61\ncountdown_s: 6\nfinish_wait_s: 70\n"
        "race_s_max: 900\nresults_s: 11\nstuck_s: 8\nraces: 2\nlate_join: true\n"
        "reverse_grid: true\nbots: 5\nbot_skill: 0.75\n"
        "bot_skill_spread: 0.2\n"
        "world: {tick_hz: 50, substep_hz: 200, gravity_mps2: 1.62, air_density_kg_per_m3: 0,\n"
        "  seed: 99, damage: full, fuel_burns: true, tyres_wear: true, temperatures: true}\n"
        "server: {address: 10.0.0.1, port: 9000, password: secret, password_for: drive,\n"
        "  clients_max: 50,\n"
        "  clients_per_address_max: 4, snapshot_hz: 25, nearest_hz: 24, snapshots: crowd,\n"
        "  snapshot_mbit_per_s_max: 80,\n"
        "  results_dir: out, client_timeout_s: 7.5, resume_grace_s: 12.5}\n"
        "web: {listen: \"0.0.0.0:9001\", origins: https://a.example, token: open-sesame-1,\n"
        "  hosts: a.example b.example, proxies: 127.0.0.1 10.0.0.0/8,\n"
        "  replays_dir: recordings, replays_mib_max: 77}\n";
    apex_race_file file;
    apex_content_problem problem;
    apex_err err = apex_content_parse_race(text, strlen(text), "f.yaml", &file, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    const apex_race_def *race = &file.race;
    ck_assert_str_eq(race->name, "Night race");
    ck_assert_str_eq(file.track, "oval");
    ck_assert_uint_eq(file.car_count, 2);
    ck_assert_str_eq(file.cars[1], "boxster-s");
    ck_assert_uint_eq(race->laps, 12);
    ck_assert_uint_eq(race->player_capacity, 40);
    ck_assert_uint_eq(race->start_players, 3);
    ck_assert_double_eq(race->lobby_s, 61);
    ck_assert_double_eq(race->countdown_s, 6);
    ck_assert_double_eq(race->finish_wait_s, 70);
    ck_assert_double_eq(race->race_s_max, 900);
    ck_assert_double_eq(race->results_s, 11);
    ck_assert_double_eq(race->stuck_s, 8);
    ck_assert_uint_eq(race->races, 2);
    ck_assert(race->late_join && race->reverse_grid);
    ck_assert_uint_eq(file.bots, 5);
    ck_assert_double_eq(file.bot_skill, 0.75);
    ck_assert_double_eq(file.bot_skill_spread, 0.2);
    ck_assert_uint_eq(race->world.tick_hz, 50);
    ck_assert_uint_eq(race->world.substep_hz, 200);
    ck_assert_double_eq(race->world.gravity_mps2, 1.62);
    ck_assert_double_eq(race->world.air_density_kg_per_m3, 0);
    ck_assert_uint_eq(race->world.seed, 99);
    ck_assert_int_eq(race->world.damage, APEX_DAMAGE_FULL);
    ck_assert(race->world.fuel_burns && race->world.tyres_wear && race->world.temperatures);
    ck_assert_uint_eq(race->world.car_capacity, 40);
    ck_assert_str_eq(file.address, "10.0.0.1");
    ck_assert_uint_eq(file.port, 9000);
    ck_assert_str_eq(file.password, "secret");
    ck_assert_int_eq(file.password_for, APEX_PASSWORD_FOR_DRIVE);
    ck_assert_uint_eq(file.clients_max, 50);
    ck_assert_uint_eq(file.clients_per_address_max, 4);
    ck_assert_uint_eq(file.snapshot_hz, 25);
    ck_assert_uint_eq(file.nearest_hz, 24);
    ck_assert_int_eq(file.snapshots, APEX_SNAPSHOTS_CROWD);
    ck_assert_double_eq(file.snapshot_mbit_per_s_max, 80);
    ck_assert_str_eq(file.results_dir, "out");
    ck_assert_double_eq(file.client_timeout_s, 7.5);
    ck_assert_double_eq(file.resume_grace_s, 12.5);
    ck_assert_str_eq(file.web.listen, "0.0.0.0:9001");
    ck_assert_str_eq(file.web.origins, "https://a.example");
    ck_assert_str_eq(file.web.hosts, "a.example b.example");
    ck_assert_str_eq(file.web.proxies, "127.0.0.1 10.0.0.0/8");
    ck_assert_str_eq(file.web.token, "open-sesame-1");
    ck_assert_str_eq(file.web.replays_dir, "recordings");
    ck_assert_uint_eq(file.web.replays_mib_max, 77);
    ck_assert_uint_eq(apex_default_race_file().web.replays_mib_max, 20480);
}

TEST(files_that_grow_have_limits) {
    static const char text[] = "kind: race\ntrack: oval\n"
                               "server: {journal_mib_max: 5, journal_files_max: 0}\n"
                               "web: {replays_file_mib_max: 8}\n";
    apex_race_file file, given = apex_default_race_file();
    apex_content_problem problem;
    apex_err err = apex_content_parse_race(text, strlen(text), "f.yaml", &file, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    ck_assert_uint_eq(file.journal_mib_max, 5);
    ck_assert_uint_eq(file.journal_files_max, 0);
    ck_assert_uint_eq(file.web.replays_file_mib_max, 8);
    ck_assert_uint_eq(given.journal_mib_max, 64);
    ck_assert_uint_eq(given.journal_files_max, 15);
    ck_assert_uint_eq(given.web.replays_file_mib_max, 512);
}

TEST(places_to_listen_at) {
    static const struct {
        const char *text;
        bool is_read;
        apex_listen listen;
    } cases[] = {
        {"off", true, {.on = false}},
        {"8081", true, {true, "localhost", 8081}},
        {":8081", true, {true, "", 8081}},
        {"10.0.0.1:0", true, {true, "10.0.0.1", 0}},
        {"[::1]:65535", true, {true, "::1", 65535}},
        {"race.example:80", true, {true, "race.example", 80}},
        {.text = ""},
        {.text = "localhost"},
        {.text = "localhost:"},
        {.text = "localhost:65536"},
        {.text = "localhost:8080x"},
        {.text = "localhost:-1"},
        {.text = "::1:8080"},
        {.text = "a b:80"},
        {.text = "[::1:80"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        apex_listen listen = {.on = false};
        ck_assert_msg(apex_listen_parse(cases[i].text, &listen) == cases[i].is_read, "%s",
                      cases[i].text);
        ck_assert_int_eq(listen.on, cases[i].listen.on);
        ck_assert_str_eq(listen.address, cases[i].listen.address);
        ck_assert_uint_eq(listen.port, cases[i].listen.port);
    }
}

/// A race that names a file beside itself finds it from any working directory.
TEST(race_finds_files_beside_itself) {
    ck_assert_int_eq(mkdir("race", 0700), 0);
    write_file("race/my.yaml", CAR("mine"));
    write_file("race/race.yaml", "kind: race\ntrack: skidpad\ncars: [my.yaml, boxster-s]\n");
    apex_race_file race;
    apex_content_problem problem;
    ck_assert_int_eq(apex_content_load_race("race/race.yaml", NULL, &race, &problem), APEX_OK);
    ck_assert_str_eq(race.cars[0], "race/my.yaml");
    ck_assert_str_eq(race.cars[1], "boxster-s");
    apex_content_kind kind = APEX_CONTENT_CAR;
    static apex_content_problems problems;
    apex_err err = apex_content_check("race/race.yaml", &kind, &problems);
    ck_assert_msg(err == APEX_OK, "%s", problems.at[0].text);
    ck_assert_uint_eq(problems.count, 0);
    ck_assert_int_eq(kind, APEX_CONTENT_RACE);
    write_file("race/my.yaml", "kind: car\nname: mine\nmass_kg: -1\naxles: []\n");
    ck_assert_int_eq(apex_content_check("race/race.yaml", NULL, &problems), APEX_ERR_RANGE);
    ck_assert_uint_eq(problems.count, 2);
    ck_assert_str_eq(problems.at[0].text, "race/my.yaml:3:10: mass_kg: -1 is outside 50..60000");
}

static char *default_text(apex_content_kind kind, size_t *length) {
    char *text = NULL;
    FILE *file = open_memstream(&text, length);
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(apex_content_write_default(kind, file), APEX_OK);
    ck_assert_int_eq(fclose(file), 0);
    return text;
}

static void expect_near(const double *a, const double *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        ck_assert_double_eq_tol(a[i], b[i], 1e-15 + 1e-14 * fabs(b[i]));
    }
}

/// Every number of the default car, angles included, comes back from its file.
TEST(default_car_file_reads_back) {
    size_t length = 0;
    char *text = default_text(APEX_CONTENT_CAR, &length);
    apex_car_def car, original = apex_default_car_def();
    apex_content_problem problem;
    apex_err err = apex_content_parse_car(text, length, "default", &car, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    ck_assert_str_eq(car.title, original.title);
    ck_assert_uint_eq(car.axle_count, original.axle_count);
    expect_near(&car.mass_kg, &original.mass_kg, 7);
    ck_assert_uint_eq(car.engine.torque_count, original.engine.torque_count);
    ck_assert_mem_eq(car.engine.torque_rpm, original.engine.torque_rpm,
                     sizeof car.engine - offsetof(apex_engine_def, torque_rpm));
    ck_assert_mem_eq(&car.gearbox.ratio, &original.gearbox.ratio, sizeof car.gearbox.ratio);
    expect_near(&car.gearbox.reverse_ratio, &original.gearbox.reverse_ratio, 7);
    expect_near(&car.steering.angle_rad_max, &original.steering.angle_rad_max, 4);
    expect_near(&car.aero.drag_coefficient, &original.aero.drag_coefficient, 6);
    expect_near(&car.aids.abs, &original.aids.abs, 5);
    expect_near(&car.hull.length_m, &original.hull.length_m, 9);
    expect_near(&car.kinematic.acceleration_mps2_max, &original.kinematic.acceleration_mps2_max, 4);
    for (uint32_t i = 0; i < original.axle_count; i++) {
        const apex_axle_def *axle = &car.axles[i], *before = &original.axles[i];
        expect_near(&axle->x_m, &before->x_m, 4);
        expect_near(&axle->differential.preload_nm, &before->differential.preload_nm, 4);
        expect_near(&axle->suspension.spring_n_per_m, &before->suspension.spring_n_per_m, 11);
        expect_near(&axle->brake.torque_nm_max, &before->brake.torque_nm_max, 4);
        expect_near(&axle->tyre.radius_m, &before->tyre.radius_m, 14);
        ck_assert_int_eq(axle->suspension.kind, before->suspension.kind);
        ck_assert_int_eq(axle->differential.kind, before->differential.kind);
    }
    free(text);
}

TEST(default_race_file_reads_back) {
    size_t length = 0;
    char *text = default_text(APEX_CONTENT_RACE, &length);
    apex_race_file race, original = apex_default_race_file();
    apex_content_problem problem;
    apex_err err = apex_content_parse_race(text, length, "default", &race, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    ck_assert_str_eq(race.race.name, original.race.name);
    ck_assert_str_eq(race.track, original.track);
    ck_assert_uint_eq(race.race.laps, original.race.laps);
    ck_assert_uint_eq(race.race.player_capacity, original.race.player_capacity);
    expect_near(&race.race.lobby_s, &original.race.lobby_s, 6);
    ck_assert_uint_eq(race.race.races, original.race.races);
    ck_assert(race.race.late_join == original.race.late_join);
    expect_near(&race.race.world.gravity_mps2, &original.race.world.gravity_mps2, 2);
    ck_assert(race.race.world.seed == original.race.world.seed);
    ck_assert_int_eq(race.race.world.damage, original.race.world.damage);
    ck_assert_uint_eq(race.clients_max, original.clients_max);
    ck_assert_uint_eq(race.port, original.port);
    expect_near(&race.client_timeout_s, &original.client_timeout_s, 1);
    expect_near(&race.resume_grace_s, &original.resume_grace_s, 1);
    free(text);
}

/// A track cannot be empty, so its default file holds an example, which must lay.
TEST(default_track_file_lays) {
    size_t length = 0;
    char *text = default_text(APEX_CONTENT_TRACK, &length);
    write_file("loop.yaml", text);
    static apex_content_problems problems;
    apex_content_kind kind = APEX_CONTENT_CAR;
    apex_err err = apex_content_check("loop.yaml", &kind, &problems);
    ck_assert_msg(err == APEX_OK, "%s", problems.at[0].text);
    ck_assert_int_eq(kind, APEX_CONTENT_TRACK);
    apex_track_def track, original = apex_default_track_def();
    ck_assert_int_eq(apex_content_parse_track(text, length, "default", &track, NULL), APEX_OK);
    ck_assert_uint_gt(track.point_count, 100);
    ck_assert_str_eq(track.verge_surface, original.verge_surface);
    ck_assert_double_eq(track.verge_m, original.verge_m);
    ck_assert_double_eq(track.grid.spacing_m, original.grid.spacing_m);
    ck_assert_uint_eq(track.grid.columns, original.grid.columns);
    ck_assert(track.roughness_seed == original.roughness_seed);
    apex_track_def_free(&track);
    free(text);
}

/// A reader of a default file sees a comment on every line that sets a value.
TEST(default_files_explain_every_key) {
    for (int kind = 0; kind < 3; kind++) {
        size_t length = 0;
        char *text = default_text((apex_content_kind)kind, &length);
        for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
            if (strstr(line, ": ") != NULL && strchr(line, '{') == NULL) {
                ck_assert_msg(strchr(line, '#') != NULL, "no help: %s", line);
            }
        }
        free(text);
    }
}
