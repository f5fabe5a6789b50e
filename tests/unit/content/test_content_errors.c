/// Tests of what a wrong file is told, to the letter: file, line, column, key, and what was
/// expected.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "content/content.h"
#include "support/base/check_main.h"

typedef struct wrong {
    apex_content_kind kind;
    apex_err err;
    const char *text;
    const char *says; ///< after "f.yaml:"
} wrong;

#define AXLES                                                      \
    "axles:\n  - {x_m: 1.2, track_width_m: 1.5, steer_share: 1}\n" \
    "  - {x_m: -1.2, track_width_m: 1.5, drive_share: 1}\n"
#define AXLES_AT(x, rest)                                          \
    "axles:\n  - {x_m: 1.2, track_width_m: 1.5, steer_share: 1}\n" \
    "  - {x_m: " x ", track_width_m: " rest "}\n"
#define HEAD     "kind: car\nname: x\nmass_kg: 1000\n"
#define CAR      HEAD AXLES
#define TRACK    "kind: track\nname: x\n"
#define CIRCLE   "sections: [{left_deg: 360, radius_m: 50}]\n"
#define RACE     "kind: race\n"
#define PARSE    APEX_ERR_PARSE
#define RANGE    APEX_ERR_RANGE
#define AS_CAR   APEX_CONTENT_CAR
#define AS_TRACK APEX_CONTENT_TRACK
#define AS_RACE  APEX_CONTENT_RACE

static const wrong wrongs[] = {
    // The text as YAML.
    {AS_CAR, PARSE, "", "1:1: the file is empty"},
    {AS_CAR, PARSE, "# nothing\n", "1:1: the file is empty"},
    {AS_CAR, PARSE, "kind: car\n\tname: x\n",
     "2:1: not YAML: found a tab character that violates indentation while scanning a plain "
     "scalar"},
    {AS_CAR, PARSE, "kind: [car\n",
     "2:1: not YAML: did not find expected ',' or ']' while parsing a flow sequence"},
    {AS_CAR, PARSE, "kind: car\nname: \x01\n",
     "2:7: not a YAML text: control characters are not allowed"},
    {AS_CAR, PARSE, "kind: car\nname: \xff\n", "2:7: not a YAML text: invalid leading UTF-8 octet"},
    {AS_CAR, PARSE, "kind: car\n---\nkind: car\n",
     "2:1: a second document begins here; a file holds one"},
    {AS_CAR, PARSE, "kind: car\nengine: &e {idle_rpm: 900}\n",
     "2:9: anchors (&name) are not used here"},
    {AS_CAR, PARSE, "kind: car\nname: *e\n", "2:7: aliases (*name) are not used here"},
    {AS_CAR, PARSE, "kind: car\nmass_kg: !!float 1000\n", "2:10: tags (!name) are not used here"},
    {AS_CAR, PARSE, "kind: [[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]\n",
     "1:22: lists and maps are nested more than 16 deep"},
    {AS_CAR, PARSE, "- car\n", "1:1: expected a map (key: value) at the top of the file"},
    {AS_CAR, PARSE, "1.5\n", "1:1: expected a map (key: value) at the top of the file"},
    // Kinds.
    {AS_CAR, PARSE, "name: x\n", "1:1: kind: missing (car, track or race)"},
    {AS_CAR, PARSE, "kind: lorry\n", "1:7: kind: expected car, track or race, found 'lorry'"},
    {AS_CAR, PARSE, "kind: track\n", "1:7: kind: expected a car file, found a track file"},
    {AS_RACE, PARSE, CAR, "1:7: kind: expected a race file, found a car file"},
    // Keys.
    {AS_CAR, PARSE, CAR "mass: 3\n", "7:1: unknown key 'mass'; did you mean 'mass_kg'?"},
    {AS_CAR, PARSE, CAR "aero: {drag_coeficient: 0.3}\n",
     "7:8: aero: unknown key 'drag_coeficient'; did you mean 'drag_coefficient'?"},
    {AS_CAR, PARSE, CAR "brake: {colour: red}\n",
     "7:9: brake: unknown key 'colour'; known here: torque_nm_max, handbrake_nm_max, "
     "heat_capacity_j_per_k, fade_start_c"},
    {AS_CAR, PARSE, CAR "\"\\e[31m\": 1\n",
     "7:1: unknown key '?[31m'; known here: kind, name, title, model, mass_kg, inertia_roll_kgm2, "
     "inertia_pitch_kgm2, inertia_yaw_kgm2, com_height_m, fuel_kg_max, fuel_x_m, engine, gearbox, "
     "centre_differential, steering, aero, aids, hull, kinematic, differential, suspension, brake, "
     "tyre, published, axles"},
    {AS_CAR, PARSE, CAR "<<: {mass_kg: 3}\n",
     "7:1: unknown key '<<'; known here: kind, name, title, model, mass_kg, inertia_roll_kgm2, "
     "inertia_pitch_kgm2, inertia_yaw_kgm2, com_height_m, fuel_kg_max, fuel_x_m, engine, gearbox, "
     "centre_differential, steering, aero, aids, hull, kinematic, differential, suspension, brake, "
     "tyre, published, axles"},
    {AS_CAR, PARSE, CAR "mass_kg: 1100\n", "7:1: mass_kg: given twice; first on line 3"},
    {AS_CAR, PARSE, CAR "hull: {width_m: 1, width_m: 1}\n",
     "7:20: hull.width_m: given twice; first on line 7"},
    {AS_CAR, PARSE, CAR "[a]: 3\n", "7:1: expected a key, found a list"},
    {AS_CAR, PARSE, "kind: car\nname: x\naxles: []\n",
     "1:1: mass_kg: missing (with driver, without fuel)"},
    {AS_CAR, PARSE, "kind: car\nname: x\nmass_kg: 900\naxles: [{x_m: 1}, 2]\n",
     "4:9: axles[0].track_width_m: missing (between wheel middles; 0 is one wheel in the middle)"},
    {AS_CAR, PARSE, CAR "engine: 5\n", "7:9: engine: expected a map (key: value), found '5'"},
    {AS_CAR, PARSE, CAR "engine:\n", "7:8: engine: expected a map (key: value), found nothing"},
    // Numbers.
    {AS_CAR, PARSE, "kind: car\nname: x\nmass_kg: heavy\naxles: []\n",
     "3:10: mass_kg: expected a number, found 'heavy'"},
    {AS_CAR, PARSE, "kind: car\nname: x\nmass_kg: 5.5x\naxles: []\n",
     "3:10: mass_kg: expected a number, found '5.5x'"},
    {AS_CAR, PARSE, "kind: car\nname: x\nmass_kg: nan\naxles: []\n",
     "3:10: mass_kg: expected a number, found 'nan'"},
    {AS_CAR, PARSE, "kind: car\nname: x\nmass_kg: .inf\naxles: []\n",
     "3:10: mass_kg: expected a number, found '.inf'"},
    {AS_CAR, PARSE, "kind: car\nname: x\nmass_kg: 0x400\naxles: []\n",
     "3:10: mass_kg: expected a number, found '0x400'"},
    {AS_CAR, PARSE, "kind: car\nname: x\nmass_kg: 1,400\naxles: []\n",
     "3:10: mass_kg: expected a number, found '1,400'"},
    {AS_CAR, PARSE, "kind: car\nname: x\nmass_kg: \"1400\"\naxles: []\n",
     "3:10: mass_kg: expected a number, found '1400' in quotes"},
    {AS_CAR, PARSE, "kind: car\nname: x\nmass_kg:\naxles: []\n",
     "3:9: mass_kg: expected a number, found nothing"},
    {AS_CAR, PARSE, "kind: car\nname: x\nmass_kg: [1]\naxles: []\n",
     "3:10: mass_kg: expected a number, found a list"},
    {AS_CAR, RANGE, "kind: car\nname: x\nmass_kg: -1400\naxles: []\n",
     "3:10: mass_kg: -1400 is outside 50..60000"},
    {AS_CAR, RANGE, "kind: car\nname: x\nmass_kg: 1e999\naxles: []\n",
     "3:10: mass_kg: 1e999 is outside 50..60000"},
    {AS_CAR, RANGE, CAR "steering: {angle_deg_max: 120}\n",
     "7:27: steering.angle_deg_max: 120 is outside 0..74.4845"},
    {AS_CAR, RANGE,
     "kind: car\nname: x\nmass_kg: 1000\naxles:\n  - {x_m: 1, track_width_m: 1.5}\n"
     "  - x_m: -1\n    track_width_m: 1.5\n    tyre: {radius_m: 9.1}\n",
     "8:22: axles[1].tyre.radius_m: 9.1 is outside 0.1..2"},
    {AS_RACE, PARSE, RACE "laps: 2.5\n", "2:7: laps: expected a whole number, found '2.5'"},
    {AS_RACE, RANGE, RACE "laps: 1000\n", "2:7: laps: 1000 is outside 0..999"},
    {AS_RACE, RANGE, RACE "laps: -3\n", "2:7: laps: -3 is outside 0..999"},
    {AS_RACE, RANGE, RACE "laps: 18446744073709551617\n",
     "2:7: laps: 18446744073709551617 is outside 0..999"},
    {AS_RACE, RANGE, RACE "server: {port: 65536}\n",
     "2:16: server.port: 65536 is outside 0..65535"},
    // Words.
    {AS_CAR, PARSE, CAR "model: flying\n",
     "7:8: model: expected dynamic, kinematic or motorcycle, found 'flying'"},
    {AS_CAR, PARSE, CAR "aids: {automatic_clutch: yes}\n",
     "7:26: aids.automatic_clutch: expected true or false, found 'yes'"},
    {AS_CAR, PARSE, "kind: car\nname: My Car\nmass_kg: 1000\naxles: []\n",
     "2:7: name: 'My Car' is no name; names are made of a-z, 0-9 and -"},
    {AS_CAR, RANGE, "kind: car\nname: a-name-of-exactly-thirty-two-let\nmass_kg: 1000\naxles: []\n",
     "2:7: name: the text has 32 bytes; there is room for 31"},
    {AS_CAR, PARSE, CAR "title: \"a\\nb\"\n", "7:8: title: the text holds a control character"},
    {AS_CAR, PARSE, CAR "title: \"\\x9b31m\"\n", "7:8: title: the text holds a control character"},
    // Lists.
    {AS_CAR, PARSE, "kind: car\nname: x\nmass_kg: 1000\naxles: 2\n",
     "4:8: axles: expected a list [...], found '2'"},
    {AS_CAR, RANGE, "kind: car\nname: x\nmass_kg: 1000\naxles: []\n",
     "4:8: axles: the list has 0 items, which is outside 2..4"},
    {AS_CAR, RANGE, CAR "engine: {torque: [[1000, 200], [900, 210]]}\n",
     "7:32: engine.torque[1]: the first numbers of the pairs must rise, but 900 follows 1000"},
    {AS_CAR, RANGE, CAR "engine: {torque: [[1000, 200, 5], [1900, 210]]}\n",
     "7:19: engine.torque[0]: the list has 3 items instead of 2"},
    {AS_CAR, RANGE, CAR "gearbox: {ratio: [3, 2, 0]}\n",
     "7:25: gearbox.ratio[2]: 0 is outside 0.1..30"},
    // Sections of a car that know more than their single keys.
    {AS_CAR, RANGE, CAR "aero: {drag_n_per_mps2: 0.4, drag_coefficient: 0.3}\n",
     "7:25: aero.drag_n_per_mps2: there is drag_coefficient already; drag is given either by "
     "coefficient and area or by this"},
    {AS_CAR, RANGE, CAR "aero:\n  frontal_area_m2: 2\n  drag_n_per_mps2: 0.4\n",
     "9:20: aero.drag_n_per_mps2: there is frontal_area_m2 already; drag is given either by "
     "coefficient and area or by this"},
    {AS_CAR, RANGE, CAR "published: {skidpad_g: 90}\n",
     "7:24: published.skidpad_g: 90 is outside 0..10"},
    {AS_CAR, PARSE, CAR "published: {skidpad_g: 0.9}\n",
     "7:12: published.source: missing (who says so)"},
    // Cars that cannot be, whatever the single keys say.
    {AS_CAR, RANGE, HEAD AXLES_AT("-2.9", "1.5, drive_share: 1"),
     "6:11: axles[1].x_m: lies outside the hull's length"},
    {AS_CAR, RANGE, HEAD AXLES_AT("-1.2", "2.1, drive_share: 1"),
     "6:32: axles[1].track_width_m: puts wheels outside the hull's width"},
    {AS_CAR, RANGE, HEAD AXLES_AT("-1.2", "1.5"), "5:3: axles[].drive_share: no axle is driven"},
    {AS_CAR, RANGE, CAR "engine:\n  torque:\n    - [1000, 150]\n    - [1000, 220]\n",
     "10:7: engine.torque[1]: the first numbers of the pairs must rise, but 1000 follows 1000"},
    {AS_CAR, RANGE, CAR "inertia_yaw_kgm2: 100\n",
     "7:19: inertia_yaw_kgm2: is far too small for the mass and the places of the axles"},
    {AS_CAR, RANGE, CAR "inertia_pitch_kgm2: 200\n",
     "7:21: inertia_pitch_kgm2: leaves next to nothing for the body: the wheels' unsprung masses "
     "have most of it"},
    {AS_CAR, RANGE, CAR "inertia_roll_kgm2: 120\n",
     "7:20: inertia_roll_kgm2: is too small for springs and dampers as stiff as these"},
    {AS_CAR, RANGE, CAR "suspension:\n  unsprung_mass_kg: 5\n",
     "8:21: axles[0].suspension.unsprung_mass_kg: is too small for a tyre as stiff as this (at "
     "most 40000 N/m for each kg)"},
    {AS_CAR, RANGE, HEAD AXLES_AT("-1.2", "1.5, drive_share: 1, suspension: {unsprung_mass_kg: 4}"),
     "6:84: axles[1].suspension.unsprung_mass_kg: is too small for a tyre as stiff as this (at "
     "most 40000 N/m for each kg)"},
    {AS_CAR, RANGE, HEAD "model: motorcycle\n" AXLES,
     "6:31: axles[0].track_width_m: must be 0: a motorcycle runs on one track"},
    {AS_CAR, RANGE, HEAD AXLES_AT("1.3", "1.5"),
     "6:11: axles[1].x_m: must lie at least 0.1 m behind the axle before it (front to rear)"},
    {AS_CAR, RANGE, HEAD AXLES_AT("-1.2", "1.5, drive_share: 0.5"),
     "5:3: axles[].drive_share: must sum to 1 over all axles"},
    {AS_CAR, RANGE, HEAD AXLES_AT("0.9", "1.5, drive_share: 1, tyre: {radius_m: 0.1}"),
     "6:69: axles[1].tyre.radius_m: makes its wheels run into those of the axle before it"},
    {AS_CAR, RANGE, CAR "tyre:\n  width_m: 1.6\n",
     "8:12: axles[0].tyre.width_m: makes left and right wheels run into each other"},
    {AS_CAR, RANGE, CAR "hull:\n  centre_z_m: 0.1\n",
     "8:15: hull.centre_z_m: puts the hull's lower face 0.045 m under the road: com_height_m + "
     "centre_z_m must be half of height_m or more"},
    {AS_CAR, RANGE, CAR "fuel_kg_max: 900\nfuel_x_m: 3\n",
     "8:11: fuel_x_m: brings the centre of mass, when the tank is full, out from between the first "
     "and the last axle"},
    {AS_CAR, RANGE, "kind: car\nname: x\nmass_kg: 15000\n" AXLES,
     "3:10: mass_kg: presses the tyres flat, more than half of their radius: they need more "
     "vertical_stiffness_n_per_m"},
    {AS_CAR, RANGE, CAR "engine:\n  torque: [[1000, 0], [6000, 0]]\n",
     "8:11: engine.torque: is 0 throughout: the car would never move"},
    {AS_CAR, RANGE, CAR "engine:\n  idle_rpm: 900\n  limiter_rpm: 800\n",
     "9:16: engine.limiter_rpm: must lie above idle_rpm"},
    {AS_CAR, RANGE, CAR "engine: {blow_rpm: 5000}\n",
     "7:20: engine.blow_rpm: must lie above limiter_rpm, or be 0"},
    {AS_CAR, RANGE, CAR "gearbox:\n  ratio: [2, 3]\n",
     "8:10: gearbox.ratio: must fall from gear to gear"},
    {AS_CAR, RANGE, CAR "gearbox:\n  ratio: [3, -2]\n",
     "8:14: gearbox.ratio[1]: -2 is outside 0.1..30"},
    {AS_CAR, RANGE, CAR "gearbox:\n  shift_up_rpm: 1000\n",
     "8:3: gearbox.shift_down_rpm: must lie below shift_up_rpm"},
    {AS_CAR, RANGE, CAR "gearbox: {shift_up_rpm: 700, shift_down_rpm: 500}\n",
     "7:25: gearbox.shift_up_rpm: must lie above the engine's idle_rpm: it would always shift up"},
    {AS_CAR, RANGE, CAR "gearbox: {shift_down_rpm: 6000}\n",
     "7:27: gearbox.shift_down_rpm: must lie below 3712, or gear 2 is never taken: it would be "
     "left at once"},
    {AS_CAR, RANGE, CAR "suspension: {spring_n_per_m: 0}\n",
     "7:30: suspension.spring_n_per_m: 0 is outside 1000..2000000"},
    {AS_CAR, RANGE, CAR "inertia_yaw_kgm2: 1e308\n",
     "7:19: inertia_yaw_kgm2: 1e308 is outside 1..1000000"},
    {AS_CAR, RANGE, CAR "hull: {width_m: 10.5}\n", "7:17: hull.width_m: 10.5 is outside 0.2..5"},
    {AS_CAR, PARSE, CAR "published: {notes: {weight: heavy}}\n",
     "7:21: published.notes: unknown key 'weight'; known here: top_speed_kmph, zero_to_100_s, "
     "zero_to_60mph_s, braking_100_0_m, braking_60mph_0_m, skidpad_g"},
    // Tracks.
    {AS_TRACK, PARSE, TRACK,
     "1:1: points: missing (a centre line: points or sections; or a terrain)"},
    {AS_TRACK, PARSE, TRACK "points: [[0, 0], [9, 0], [9, 9]]\n" CIRCLE,
     "4:11: sections: there are points already; a track has one centre line"},
    {AS_TRACK, RANGE, TRACK "points: [[0, 0], [9, 0], [9]]\n",
     "3:26: points[2]: the list has 1 items, which is outside 2..6"},
    {AS_TRACK, RANGE, TRACK "points: [[0, 0], [9, 0, 0, 0.5], [9, 9]]\n",
     "3:28: points[1][3]: 0.5 is outside 1..50"},
    {AS_TRACK, PARSE, TRACK "closed: false\n" CIRCLE,
     "1:1: finish_m: missing (an open track needs a finish line)"},
    {AS_TRACK, RANGE, TRACK "sections: [{straight_m: 100}, {left_deg: 180, radius_m: 50}]\n",
     "3:11: sections: the lap does not close: its end misses its begin by 141.42 m (x +100.00, "
     "y +100.00, z +0.00) and 180.00 degrees; 0.5 m and 0.5 degrees are allowed"},
    {AS_TRACK, PARSE, TRACK "sections: [{left_deg: 90}]\n",
     "3:12: sections[0]: radius_m: missing (of the bend)"},
    {AS_TRACK, PARSE, TRACK "sections: [{rise_m: 2}]\n",
     "3:12: sections[0]: expected one of straight_m, left_deg and right_deg, found 0 of them"},
    {AS_TRACK, PARSE, TRACK "sections: [{straight_m: 9, left_deg: 90, radius_m: 9}]\n",
     "3:12: sections[0]: expected one of straight_m, left_deg and right_deg, found 2 of them"},
    {AS_TRACK, PARSE, TRACK "sections: [{straight_m: 9, radius_m: 9}]\n",
     "3:12: sections[0]: a straight has neither radius_m nor ease_m"},
    {AS_TRACK, RANGE, TRACK "sections: [{left_deg: 90, radius_m: 50, ease_m: 80}]\n",
     "3:12: sections[0]: ease_m: 80 is too long; this bend has room for 78.5398"},
    {AS_TRACK, RANGE, TRACK "sections: [{straight_m: 20000}, {straight_m: 15000}]\n",
     "3:11: sections: the track is 35000 m long; at most 30000 m can be laid"},
    {AS_TRACK, PARSE, TRACK CIRCLE "strips: [{side: inside}]\n",
     "4:17: strips[0].side: expected left, right or both, found 'inside'"},
    {AS_TRACK, PARSE, TRACK CIRCLE "posts: [{x_m: 1}]\n", "4:9: posts[0].y_m: missing (position)"},
    {AS_TRACK, PARSE, TRACK CIRCLE "free_walls: [{height_m: 1}]\n",
     "4:14: free_walls[0].points: missing ([[x, y], ...] in metres; cars stay on its left)"},
    // Races.
    {AS_RACE, PARSE, RACE "cars: [a, b, a]\n", "2:14: cars[2]: 'a' is in the list already"},
    {AS_RACE, RANGE, RACE "world: {tick_hz: 50}\n",
     "2:18: world.tick_hz: it must divide substep_hz evenly"},
    {AS_RACE, RANGE, RACE "world: {substep_hz: 220}\n", "2:21: world.substep_hz: it is 200 or 240"},
    {AS_RACE, RANGE, RACE "server: {snapshot_hz: 25}\n",
     "2:23: server.snapshot_hz: it must divide tick_hz evenly"},
    {AS_RACE, RANGE, RACE "player_capacity: 8\nbots: 9\n",
     "3:7: bots: more than player_capacity has room for"},
    {AS_RACE, RANGE, RACE "player_capacity: 8\nstart_players: 9\n",
     "3:16: start_players: more than player_capacity has room for"},
    {AS_RACE, RANGE, RACE "server: {clients_max: 16001}\n",
     "2:23: server.clients_max: 16001 is outside 1..16000"},
    {AS_RACE, RANGE, RACE "server: {clients_max: 4, clients_per_address_max: 5}\n",
     "2:51: server.clients_per_address_max: more than clients_max"},
    {AS_RACE, RANGE, RACE "web: {listen: localhost}\n",
     "2:15: web.listen: expected ADDRESS:PORT, PORT or off"},
    {AS_RACE, RANGE, RACE "web: {token: secret}\n",
     "2:14: web.token: too short to be safe; 12 characters at least"},
    {AS_RACE, RANGE, RACE "web: {certificate: chain.pem}\n",
     "2:20: web.certificate: web.key, its private key, is missing"},
    {AS_RACE, RANGE, RACE "web: {key: key.pem}\n",
     "2:12: web.key: web.certificate, which it is of, is missing"},
    {AS_RACE, RANGE, RACE "web: {token: open sesame twice}\n",
     "2:14: web.token: letters, digits and signs only: no blanks, nothing beyond ASCII"},
    {AS_RACE, RANGE, RACE "web: {token: \"open-s\u00e9same-twice\"}\n",
     "2:14: web.token: letters, digits and signs only: no blanks, nothing beyond ASCII"},
};

static apex_err parse(const wrong *file, apex_content_problem *problem) {
    apex_car_def car;
    apex_race_file race;
    apex_track_def track;
    size_t length = strlen(file->text);
    if (file->kind == APEX_CONTENT_CAR) {
        return apex_content_parse_car(file->text, length, "f.yaml", &car, problem);
    }
    if (file->kind == APEX_CONTENT_RACE) {
        return apex_content_parse_race(file->text, length, "f.yaml", &race, problem);
    }
    apex_err err = apex_content_parse_track(file->text, length, "f.yaml", &track, problem);
    if (err == APEX_OK) {
        apex_track_def_free(&track);
    }
    return err;
}

TEST_OVER(wrong_file_is_told_what_was_expected, 0, (int)(sizeof wrongs / sizeof wrongs[0])) {
    const wrong *file = &wrongs[_i];
    apex_content_problem problem;
    char expected[APEX_CONTENT_TEXT_BYTES];
    apex_err err = parse(file, &problem);
    snprintf(expected, sizeof expected, "f.yaml:%s", file->says);
    ck_assert_str_eq(problem.text, expected);
    ck_assert_int_eq(err, file->err);
}

TEST(right_files_have_no_problem) {
    apex_content_problem problem = {"stale"};
    apex_car_def car;
    ck_assert_int_eq(apex_content_parse_car(CAR, strlen(CAR), "f.yaml", &car, &problem), APEX_OK);
    ck_assert_str_eq(problem.text, "");
    apex_race_file race;
    ck_assert_int_eq(apex_content_parse_race(RACE, strlen(RACE), "f", &race, NULL), APEX_OK);
    apex_track_def track;
    ck_assert_int_eq(
        apex_content_parse_track(TRACK CIRCLE, strlen(TRACK CIRCLE), "f", &track, NULL), APEX_OK);
    apex_track_def_free(&track);
}

TEST(file_of_more_than_8_mib_is_refused) {
    size_t length = (8u << 20) + 1;
    char *text = malloc(length);
    memset(text, '#', length);
    apex_content_problem problem;
    apex_car_def car;
    ck_assert_int_eq(apex_content_parse_car(text, length, "f.yaml", &car, &problem), RANGE);
    ck_assert_str_eq(problem.text,
                     "f.yaml:1:1: the file has 8388609 bytes; at most 8388608 are read");
    free(text);
}

/// Deep nesting and long chains of repeated content are what YAML readers are attacked with.
TEST(hostile_nesting_ends_early) {
    size_t length = 1u << 20;
    char *text = malloc(length);
    memset(text, '[', length);
    apex_content_problem problem;
    apex_car_def car;
    ck_assert_int_eq(apex_content_parse_car(text, length, "f.yaml", &car, &problem), PARSE);
    ck_assert_str_eq(problem.text, "f.yaml:1:17: lists and maps are nested more than 16 deep");
    free(text);
}
