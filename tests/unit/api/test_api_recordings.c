// The list of recordings: what is in a directory that anybody may have filled.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "physics/physics.h"
#include "support/api/api_rig.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

static api_rig rig;
static char folder[CHECK_PATH_BYTES];

static char *path_of(const char *name) {
    static char path[CHECK_PATH_BYTES + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static apex_race_file race_of(const char *name) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    snprintf(file.race.name, sizeof file.race.name, "%s", name);
    file.results_dir[0] = '\0';
    file.bots = 1;
    file.race.player_capacity = 2;
    return file;
}

static void record(const char *name, const char *race) {
    apex_race_file file = race_of(race);
    race_rig *recorded = race_rig_create(&file, 0, path_of(name));
    ck_assert_ptr_nonnull(recorded);
    race_rig_tick(recorded, 90);
    race_rig_destroy(recorded);
}

static void set_age(const char *name, time_t modified_s) {
    const struct timespec times[2] = {{.tv_sec = modified_s}, {.tv_sec = modified_s}};
    ck_assert_int_eq(utimensat(AT_FDCWD, path_of(name), times, 0), 0);
}

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(path_of(name), "wb");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static void begin(void) {
    check_make_folder(folder, "replays");
    apex_race_file file = race_of("live");
    api_rig_begin(&rig, &file);
    rig.api.replays_dir = folder;
}

static void end(void) {
    api_rig_end(&rig);
    char command[CHECK_PATH_BYTES + 16];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

static size_t list_again(void) {
    ck_assert_uint_eq(api_rig_get_as(&rig, "/api/replays", ""), 200);
    return json_array_size(rig.json);
}

static size_t list(void) {
    rig.api.now_us += 1000000; // it is looked at once a second
    return list_again();
}

FIXTURE(begin, end)

TEST(recordings_are_listed_newest_first) {
    record("first.apexr", "Saturday");
    record("50% & \"more\".apexr", "Sunday");
    set_age("first.apexr", 1700000000);
    set_age("50% & \"more\".apexr", 1700000001);
    struct stat status;
    ck_assert_int_eq(stat(path_of("first.apexr"), &status), 0);
    ck_assert_uint_eq(list(), 2);
    ck_assert_str_eq(api_rig_text(&rig, "0.race"), "Sunday");
    ck_assert_str_eq(api_rig_text(&rig, "0.name"), "50% & \"more\".apexr");
    ck_assert_str_eq(api_rig_text(&rig, "0.live"), "/replay/50%25%20%26%20%22more%22.apexr");
    ck_assert_str_eq(api_rig_text(&rig, "1.name"), "first.apexr");
    ck_assert_str_eq(api_rig_text(&rig, "1.race"), "Saturday");
    ck_assert_str_eq(api_rig_text(&rig, "1.track"), "oval");
    ck_assert_str_eq(api_rig_text(&rig, "1.cars.0"), "boxster-s");
    ck_assert_str_eq(api_rig_text(&rig, "1.live"), "/replay/first.apexr");
    ck_assert(api_rig_number(&rig, "1.bytes") == (double)status.st_size);
    ck_assert(api_rig_number(&rig, "1.modified_s") == 1700000000);
    ck_assert(api_rig_number(&rig, "1.tick_hz") == 60);
    ck_assert(api_rig_number(&rig, "1.ticks") == 90);
    ck_assert(api_rig_is(&rig, "1.closed"));
    ck_assert_ptr_null(json_object_get(api_rig_at(&rig, "1"), "error"));
}

TEST(only_plain_files_with_proper_names_are) {
    write_file(".hidden.apexr", "x");
    write_file(".apexr", "x");
    write_file("notes.txt", "x");
    write_file("apexr", "x");
    write_file("bad\nname.apexr", "x");
    write_file("bad\xff.apexr", "x");
    ck_assert_int_eq(mkdir(path_of("folder.apexr"), 0755), 0);
    ck_assert_int_eq(mkfifo(path_of("pipe.apexr"), 0644), 0);
    ck_assert_int_eq(symlink("/etc/passwd", path_of("link.apexr")), 0);
    ck_assert_uint_eq(list(), 0);
    write_file("real.apexr", "x");
    ck_assert_uint_eq(list(), 1);
}

TEST(a_bad_file_is_listed_with_what_is_wrong) {
    write_file("text.apexr", "these are no cars");
    ck_assert_uint_eq(list(), 1);
    ck_assert_ptr_nonnull(strstr(api_rig_text(&rig, "0.error"), "not an Apex replay"));
    ck_assert(json_is_null(api_rig_at(&rig, "0.race")));
    ck_assert_int_eq(unlink(path_of("text.apexr")), 0); // no recording replaces a file
    record("text.apexr", "mended"); // another time, another size: it is read again
    ck_assert_uint_eq(list(), 1);
    ck_assert_ptr_null(json_object_get(api_rig_at(&rig, "0"), "error"));
    ck_assert_str_eq(api_rig_text(&rig, "0.race"), "mended");
}

// As a server leaves it that writes it still, or was killed.
TEST(a_recording_without_its_end_can_be_watched) {
    record("cut.apexr", "cut");
    struct stat status;
    ck_assert_int_eq(stat(path_of("cut.apexr"), &status), 0);
    ck_assert_int_eq(truncate(path_of("cut.apexr"), status.st_size - 20), 0);
    ck_assert_uint_eq(list(), 1);
    ck_assert(api_rig_number(&rig, "0.ticks") == 90);
    ck_assert(!api_rig_is(&rig, "0.closed"));
    ck_assert_ptr_null(json_object_get(api_rig_at(&rig, "0"), "error"));
}

// While a server records, the list is asked for every few seconds.
TEST(a_recording_that_grows_is_looked_at_now_and_then) {
    apex_race_file file = race_of("long");
    race_rig *recorded = race_rig_create(&file, 0, path_of("grows.apexr"));
    ck_assert_ptr_nonnull(recorded);
    race_rig_tick(recorded, 650);
    ck_assert_uint_eq(list(), 1);
    ck_assert(api_rig_number(&rig, "0.ticks") == 600);
    double bytes = api_rig_number(&rig, "0.bytes");
    race_rig_tick(recorded, 600);
    ck_assert_uint_eq(list(), 1);
    ck_assert(api_rig_number(&rig, "0.bytes") > bytes);
    ck_assert(api_rig_number(&rig, "0.ticks") == 600);
    rig.api.now_us += 10000000;
    ck_assert_uint_eq(list(), 1);
    ck_assert(api_rig_number(&rig, "0.ticks") == 1200);
    ck_assert(!api_rig_is(&rig, "0.closed"));
    race_rig_destroy(recorded);
    rig.api.now_us += 10000000;
    ck_assert_uint_eq(list(), 1);
    ck_assert(api_rig_number(&rig, "0.ticks") == 1250);
    ck_assert(api_rig_is(&rig, "0.closed"));
}

// The chunks of a file that were found are not looked for again, and of another file in its place
// nothing is known.
TEST(looking_goes_on_where_it_ended) {
    apex_race_file file = race_of("long");
    race_rig *recorded = race_rig_create(&file, 0, path_of("grows.apexr"));
    ck_assert_ptr_nonnull(recorded);
    race_rig_tick(recorded, 650);
    ck_assert_uint_eq(list(), 1);
    for (int chunks = 2; chunks <= 4; chunks++) {
        race_rig_tick(recorded, 600);
        rig.api.now_us += 10000000;
        if (chunks > 2) {
            // A reader that begins anew stumbles over this.
            int open_file = open(path_of("grows.apexr"), O_WRONLY);
            ck_assert_int_eq(pwrite(open_file, "?", 1, 40), 1);
            close(open_file);
        }
        ck_assert_uint_eq(list(), 1);
        ck_assert(api_rig_number(&rig, "0.ticks") == 600 * chunks);
        ck_assert_ptr_null(json_object_get(api_rig_at(&rig, "0"), "error"));
    }
    ck_assert_int_eq(unlink(path_of("grows.apexr")), 0);
    record("grows.apexr", "another");
    rig.api.now_us += 10000000;
    ck_assert_uint_eq(list(), 1);
    ck_assert(api_rig_number(&rig, "0.ticks") == 90);
    ck_assert_str_eq(api_rig_text(&rig, "0.race"), "another");
    race_rig_destroy(recorded);
}

TEST(a_header_is_read_once) {
    record("race.apexr", "kept");
    set_age("race.apexr", 1700000000);
    ck_assert_uint_eq(list(), 1);
    struct stat status;
    ck_assert_int_eq(stat(path_of("race.apexr"), &status), 0);
    int file = open(path_of("race.apexr"), O_WRONLY);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(pwrite(file, "damaged!", 8, 0), 8);
    close(file);
    set_age("race.apexr", 1700000000); // looks the same
    ck_assert_uint_eq(list(), 1);
    ck_assert_str_eq(api_rig_text(&rig, "0.race"), "kept");
    set_age("race.apexr", 1700000001);
    ck_assert_uint_eq(list(), 1);
    ck_assert_ptr_nonnull(strstr(api_rig_text(&rig, "0.error"), "not an Apex replay"));
}

// A client that asks two hundred times a second would have every tick wait for the disk.
TEST(the_directory_is_looked_at_once_a_second) {
    write_file("one.apexr", "x");
    ck_assert_uint_eq(list(), 1);
    write_file("two.apexr", "x");
    rig.api.now_us += 999999;
    ck_assert_uint_eq(list_again(), 1);
    rig.api.now_us += 1;
    ck_assert_uint_eq(list_again(), 2);
}

TEST(the_newest_two_hundred_are_enough) {
    char name[32];
    for (int i = 0; i < 230; i++) {
        snprintf(name, sizeof name, "%03d.apexr", i);
        write_file(name, "x");
        set_age(name, 1700000000 + i);
    }
    ck_assert_uint_eq(list(), 200);
    ck_assert_str_eq(api_rig_text(&rig, "0.name"), "229.apexr");
    ck_assert_str_eq(api_rig_text(&rig, "199.name"), "030.apexr");
    set_age("000.apexr", 1800000000); // takes the place of another
    ck_assert_uint_eq(list(), 200);
    ck_assert_str_eq(api_rig_text(&rig, "0.name"), "000.apexr");
    ck_assert_str_eq(api_rig_text(&rig, "199.name"), "031.apexr");
}

TEST(a_directory_that_is_not_there_is_told) {
    rig.api.replays_dir = "";
    ck_assert_uint_eq(list(), 0);
    rig.api.replays_dir = "/nowhere/at/all";
    rig.api.now_us += 1000000;
    ck_assert_uint_eq(api_rig_get_as(&rig, "/api/replays", ""), 503);
    ck_assert_ptr_nonnull(strstr(api_rig_text(&rig, "error"), "replays_dir"));
    ck_assert_ptr_null(strstr(rig.body, "/nowhere")); // not everybody's business
}
