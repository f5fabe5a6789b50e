/// The rules of an event, its table of penalties and its pits.
#include "content/race_file/rules_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "content/document/nodes.h"
#include "content/document/value.h"
#include "content/fields/field_macros.h"
#include "race/weekend_def_ranges.h"

_Static_assert(sizeof(apex_rules_preset) == sizeof(int), "choices are stored as int");
_Static_assert(sizeof(apex_offence) == sizeof(int), "like this one");
_Static_assert(sizeof(apex_penalty_kind) == sizeof(int), "and this one");
_Static_assert(sizeof(apex_pit_work) == sizeof(int), "and this one");

static const char *const presets[] = {"free", "club", "league", NULL};
static const char *const works[] = {"parallel", "fuel-first", NULL};
static const char *const penalties[] = {"warning",       "time",      "drive-through",
                                        "stop-and-hold", "grid-drop", "lap-deleted",
                                        "disqualified",  NULL};
static const char *const offences[] = {
    "track-limits",  "jump-start",  "pit-speed",         "unsafe-release",
    "pit-exit-line", "pit-reverse", "wrong-way",         "blocking",
    "blue-flag",     "yellow-pass", "full-course-speed", "full-course-pass",
    "red-flag",      "formation",   "contact",           "incidents",
    "idle",          "link",        "not-served",        "stops-missing",
    "stewards",      NULL};

static const content_field limits_fields[] = {
    FLAG(apex_limits_rule, on, "all wheels off the road"),
    FLAG(apex_limits_rule, lenient, "only where time was gained by it"),
    RANGED(apex_limits_rule, carry_m,
           "off so near the end of a lap voids the next, too; 0: its last tenth"),
};
static const content_field start_fields[] = {
    FLAG(apex_start_rule, on, "moved before the lights went out"),
    RANGED(apex_start_rule, move_m, "by more than this"),
};
static const content_field pit_rule_fields[] = {
    FLAG(apex_pit_rule, on, "speed, release and reversing"),
    SPEED_RANGED(apex_pit_rule, "tolerance_kmph", tolerance_mps, "over the lane's limit"),
    RANGED(apex_pit_rule, release_gap_s, "not out of the box with another so near; 0: any time"),
    FLAG(apex_pit_rule, exit_line, "the line at the exit is not to be crossed"),
};
static const content_field direction_fields[] = {
    FLAG(apex_direction_rule, on, "driving against the lap"),
    RANGED(apex_direction_rule, wrong_s, "faster than 20 km/h for so long"),
};
static const content_field blocking_fields[] = {
    FLAG(apex_blocking_rule, on, "standing on the road while others race"),
    SPEED_RANGED(apex_blocking_rule, "slow_kmph", slow_mps, "slower than this"),
    RANGED(apex_blocking_rule, slow_s, "for so long"),
};
static const content_field blue_fields[] = {
    FLAG(apex_blue_rule, on, "for who is about to be lapped"),
    RANGED(apex_blue_rule, notice_s, "told when the other is so near"),
    RANGED(apex_blue_rule, shown_s, "shown when he is so near"),
    RANGED(apex_blue_rule, ignored_s, "shown so long without letting him by: an offence; 0: none"),
};
static const content_field yellow_fields[] = {
    FLAG(apex_yellow_rule, on, "where a car is slow or in the way: no passing"),
    RANGED(apex_yellow_rule, stretch_m, "of the lap, each with a flag of its own"),
    RANGED(apex_yellow_rule, slow_share, "of the usual speed there"),
    RANGED(apex_yellow_rule, clear_s, "from clear road to green"),
};
static const content_field full_course_fields[] = {
    FLAG(apex_full_course_rule, on, "a yellow for all of the lap may be called"),
    SPEED_RANGED(apex_full_course_rule, "limit_kmph", limit_mps, "under it"),
    RANGED(apex_full_course_rule, auto_s,
           "called when a car stands in harm's way so long; 0: by command"),
    RANGED(apex_full_course_rule, clear_s, "from the notice of its end to green"),
};
static const content_field incident_fields[] = {
    FLAG(apex_incident_rule, on, "points for what goes wrong; the worst of a chain"),
    RANGED_COUNT(apex_incident_rule, off, "points for leaving the road"),
    RANGED_COUNT(apex_incident_rule, lost, "for loss of control"),
    RANGED_COUNT(apex_incident_rule, wall, "for touching a wall or a thing"),
    RANGED_COUNT(apex_incident_rule, heavy, "for heavy contact with a car"),
    SPEED_RANGED(apex_incident_rule, "heavy_kmph", heavy_mps, "closing at this it is heavy"),
    RANGED_COUNT(apex_incident_rule, points_max, "more are an offence; 0: no limit"),
};
static const content_field fault_fields[] = {
    FLAG(apex_fault_rule, on, "whose fault a contact is"),
    SPEED_RANGED(apex_fault_rule, "closing_kmph", closing_mps, "slower ones without harm pass"),
    RANGED_COUNT(apex_fault_rule, share, "per cent of the fault from which it is an offence"),
};
static const content_field courtesy_fields[] = {
    FLAG(apex_courtesy_rule, lane, "cars in the pit lane are ghosts"),
    FLAG(apex_courtesy_rule, lapped, "who is lapped and slow is a ghost when a leader comes"),
    RANGED(apex_courtesy_rule, joined_s, "a latecomer is one for so long"),
};
static const content_field serving_fields[] = {
    RANGED_COUNT(apex_penalty_def, serve_within_laps, "crossings of the line after the notice"),
    RANGED(apex_penalty_def, drive_through_s, "added when one can be served no more"),
    RANGED(apex_penalty_def, unserved_hold_s, "of what an ignored drive-through turns into"),
    FLAG(apex_penalty_def, unserved_disqualifies, "an ignored stop-and-hold; else it is added"),
    RANGED(apex_penalty_def, time_s_max, "a sum beyond this disqualifies; 0: never"),
};

static const content_table limits_table = CONTENT_TABLE(limits_fields);
static const content_table start_table = CONTENT_TABLE(start_fields);
static const content_table pit_rule_table = CONTENT_TABLE(pit_rule_fields);
static const content_table direction_table = CONTENT_TABLE(direction_fields);
static const content_table blocking_table = CONTENT_TABLE(blocking_fields);
static const content_table blue_table = CONTENT_TABLE(blue_fields);
static const content_table yellow_table = CONTENT_TABLE(yellow_fields);
static const content_table full_course_table = CONTENT_TABLE(full_course_fields);
static const content_table incident_table = CONTENT_TABLE(incident_fields);
static const content_table fault_table = CONTENT_TABLE(fault_fields);
static const content_table courtesy_table = CONTENT_TABLE(courtesy_fields);
static const content_table serving_table = CONTENT_TABLE(serving_fields);

static bool read_penalties(content_reader *reader, const yaml_node_t *node, void *base);
static void write_penalties(content_writer *writer, const void *base);

static const content_field rules_fields[] = {
    CHOICE(apex_rules_def, preset, presets, "free, club or league; other keys say what differs"),
    SWITCH(apex_rules_def, "track_limits", limits, limits_table, "on, off or a map, like others"),
    SWITCH(apex_rules_def, "jump_start", start, start_table, "before the lights go out"),
    SWITCH(apex_rules_def, "pit_lane", pits, pit_rule_table, "between its lines"),
    SWITCH(apex_rules_def, "wrong_way", direction, direction_table, "against the lap"),
    SWITCH(apex_rules_def, "blocking", blocking, blocking_table, "where others race"),
    SWITCH(apex_rules_def, "blue_flags", blue, blue_table, "by race distance"),
    SWITCH(apex_rules_def, "yellow_flags", yellow, yellow_table, "by stretches of the lap"),
    SWITCH(apex_rules_def, "full_course", full_course, full_course_table, "yellow all over"),
    SWITCH(apex_rules_def, "incidents", incidents, incident_table, "points of drivers"),
    SWITCH(apex_rules_def, "fault", fault, fault_table, "of contacts between cars"),
    MAP(apex_rules_def, courtesy, courtesy_table, "who touches nobody for a while"),
    {FIELD(apex_rules_def, "serving", CONTENT_MAP, penalties, "how long a penalty may wait"),
     .table = &serving_table},
    {.key = "penalties",
     .type = CONTENT_CUSTOM,
     .read = read_penalties,
     .alone = true,
     .write = write_penalties,
     .help = "{offence, count, give, amount}, from that count on"},
    RANGED(apex_rules_def, classified_share, "of the winner's laps, to be classified; 0: all are"),
    FLAG(apex_rules_def, flag_needed, "to be classified one takes the flag"),
};
static const content_table rules_table = CONTENT_TABLE(rules_fields);

static const content_field penalty_fields[] = {
    {FIELD(apex_penalty_step, "offence", CONTENT_CHOICE, offence, "what was done"),
     .choices = offences, .required = true},
    RANGED_COUNT(apex_penalty_step, count, "from this one on in a session"),
    {FIELD(apex_penalty_step, "give", CONTENT_CHOICE, kind, "what it brings"), .choices = penalties,
     .required = true},
    RANGED(apex_penalty_step, amount, "seconds, or places of the grid"),
};
static const content_table penalty_table = CONTENT_TABLE(penalty_fields);

static bool read_row(content_reader *reader, const yaml_node_t *item, size_t index, void *base) {
    apex_penalty_def *given = base;
    apex_penalty_step *step = &given->steps[index];
    *step = (apex_penalty_step){.count = 1};
    if (!content_read_map(reader, item, &penalty_table, step)) {
        return false;
    }
    const char *problem = apex_penalty_step_problem(step);
    if (problem != NULL) {
        return content_fail(reader, item->start_mark, APEX_ERR_RANGE, "%s", problem);
    }
    for (uint32_t i = 0; i < index; i++) {
        if (given->steps[i].offence == step->offence && given->steps[i].count == step->count) {
            return content_fail(reader, item->start_mark, APEX_ERR_RANGE,
                                "%s has a row of count %u already",
                                apex_offence_name(step->offence), step->count);
        }
    }
    return true;
}

static bool has_row_of(const apex_penalty_step rows[], size_t count, apex_offence offence) {
    for (size_t i = 0; i < count; i++) {
        if (rows[i].offence == offence) {
            return true;
        }
    }
    return false;
}

static bool read_penalties(content_reader *reader, const yaml_node_t *node, void *base) {
    apex_penalty_def *def = &((apex_rules_def *)base)->penalties;
    apex_penalty_def given = {0};
    if (!content_need_list(reader, node, 0, APEX_PENALTY_STEPS_MAX)) {
        return false;
    }
    given.step_count = (uint32_t)content_list_count(node);
    if (!content_read_items(reader, node, read_row, &given)) {
        return false;
    }
    for (uint32_t i = 0; i < def->step_count; i++) {
        if (has_row_of(given.steps, content_list_count(node), def->steps[i].offence)) {
            continue;
        }
        if (given.step_count == APEX_PENALTY_STEPS_MAX) {
            return content_fail(reader, node->start_mark, APEX_ERR_RANGE,
                                "more than %d rows with those of the preset",
                                APEX_PENALTY_STEPS_MAX);
        }
        given.steps[given.step_count++] = def->steps[i];
    }
    def->step_count = given.step_count;
    memcpy(def->steps, given.steps, sizeof def->steps);
    return true;
}

static void write_penalties(content_writer *writer, const void *base) {
    (void)base; // the default gives none, and nothing else is written
    fprintf(writer->out, "%*s[]\n", writer->indent + 2, "");
}

bool content_read_rules(content_reader *reader, const yaml_node_t *node, void *base) {
    apex_rules_def *rules = &((apex_race_file *)base)->race.weekend.rules;
    int preset = APEX_RULES_FREE;
    if (node->type == YAML_SCALAR_NODE) {
        if (!content_read_choice(reader, node, presets, &preset)) {
            return false;
        }
        *rules = apex_preset_rules((apex_rules_preset)preset);
        return true;
    }
    const yaml_node_t *named = content_find(reader, node, "preset");
    for (int i = 0; named != NULL && presets[i] != NULL; i++) { // a wrong one is told by its key
        preset = content_is(named, presets[i]) ? i : preset;
    }
    *rules = apex_preset_rules((apex_rules_preset)preset);
    return content_read_map(reader, node, &rules_table, rules);
}

// A map of every key would hold its judges off whatever preset somebody writes above them, so it
// stands in comments.
static void write_commented(FILE *out, const char *text) {
    for (const char *end = text; *text != '\0'; text = end) {
        end = text + strcspn(text, "\n");
        end += *end == '\n';
        fprintf(out, "# %.*s", (int)(end - text), text);
    }
}

void content_write_rules(content_writer *writer, const void *base) {
    const apex_rules_def *rules = &((const apex_race_file *)base)->race.weekend.rules;
    fprintf(writer->out, "%*s%s\n", writer->indent + 2, "", apex_rules_preset_name(rules->preset));
    char *text = NULL;
    size_t length = 0;
    content_writer inner = {.out = open_memstream(&text, &length), .indent = writer->indent + 2};
    if (inner.out == NULL) {
        return;
    }
    content_write_map(&inner, &rules_table, rules, NULL);
    if (fclose(inner.out) == 0) {
        write_commented(writer->out, text);
    }
    free(text);
}

static const content_field compound_fields[] = {
    {FIELD(apex_compound_def, "name", CONTENT_TEXT, name, "of the compound"),
     .bytes = APEX_NAME_BYTES, .required = true},
    RANGED(apex_compound_def, grip, "of the car's own tyres'"),
    RANGED(apex_compound_def, wear, "of theirs"),
    RANGED(apex_compound_def, best_c, "degrees at which it grips best; 0: as theirs"),
};
static const content_table compound_table = CONTENT_TABLE(compound_fields);
static const apex_compound_def first_compound = {.grip = 1, .wear = 1};

static const content_field pits_fields[] = {
    CHOICE(apex_pits_def, work, works, "parallel: all at once; or fuel-first, tyres, repair"),
    RANGED(apex_pits_def, base_s, "of every stop with work"),
    RANGED(apex_pits_def, tyres_axle_s, "tyres of an axle"),
    RANGED(apex_pits_def, fuel_kg_per_s, "of fuel"),
    RANGED(apex_pits_def, repair_percent_s, "for each per cent of a zone's damage"),
    RANGED(apex_pits_def, engine_s, "a blown engine; 0: it cannot be mended"),
    FLAG(apex_pits_def, by_team, "cars of a team share a box"),
    LIST(apex_pits_def, compounds, compound_count, APEX_COMPOUNDS_MAX, compound_table,
         first_compound, "of tyres; the first that a session allows is fitted"),
};
const content_table content_pits_table = CONTENT_TABLE(pits_fields);
