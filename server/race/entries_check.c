// The check of the list of entries: numbers, names and keys are somebody's alone.
#include "race/entries_check.h"
#include "race/weekend_numbers.h"

#include "race/weekend_def_ranges.h"

#include <stdio.h>
#include <string.h>

#define ENTRY(member, counted)                                    \
    WEEKEND_NUMBER(apex_race_entry_def, member, counted, #member, \
                   APEX_RANGE(apex_race_entry_def, member))

static const weekend_number NUMBERS[] = {
    ENTRY(number, true),
    ENTRY(ballast_kg, false),
    ENTRY(restrictor, false),
    ENTRY(grid, true),
};

static bool classes_ok(const apex_entry_list_def *entries, uint32_t car_count,
                       apex_weekend_problem *problem) {
    if (entries->class_count > APEX_CLASSES_MAX) {
        return weekend_refuse(problem, "more than there is room for", "classes");
    }
    for (uint32_t i = 0; i < entries->class_count; i++) {
        const apex_race_class_def *one = &entries->classes[i];
        if (one->name[0] == '\0') {
            return weekend_refuse(problem, "a class has a name", "classes[%u].name", i);
        }
        if (one->cars >> car_count != 0) {
            return weekend_refuse(problem, "no such car", "classes[%u].cars", i);
        }
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(entries->classes[k].name, one->name) == 0) {
                return weekend_refuse(problem, "another class has this name", "classes[%u].name",
                                      i);
            }
            if ((entries->classes[k].cars & one->cars) != 0) {
                return weekend_refuse(problem, "another class has one of these cars",
                                      "classes[%u].cars", i);
            }
        }
    }
    return true;
}

static bool are_same(const char *a, const char *b) {
    return a[0] != '\0' && strcmp(a, b) == 0;
}

// What one entry takes from another.
static bool alone_ok(const apex_entry_list_def *entries, uint32_t at,
                     apex_weekend_problem *problem) {
    const apex_race_entry_def *entry = &entries->all[at];
    for (uint32_t i = 0; i < at; i++) {
        const apex_race_entry_def *other = &entries->all[i];
        const struct {
            bool is_taken;
            const char *member, *what;
        } taken[] = {
            {entry->number > 0 && entry->number == other->number, "number", "number"},
            {are_same(entry->key, other->key), "key", "key"},
            {are_same(entry->name, other->name), "name", "name"},
            {entry->grid > 0 && entry->grid == other->grid, "grid", "place"},
        };
        for (size_t k = 0; k < sizeof taken / sizeof taken[0]; k++) {
            char reason[sizeof problem->reason];
            snprintf(reason, sizeof reason, "entries[%u] has this %s already", i, taken[k].what);
            if (taken[k].is_taken) {
                return weekend_refuse(problem, reason, "entries[%u].%s", at, taken[k].member);
            }
        }
    }
    return true;
}

static bool entry_ok(const apex_entry_list_def *entries, uint32_t at, uint32_t car_count,
                     apex_weekend_problem *problem) {
    const apex_race_entry_def *entry = &entries->all[at];
    char path[sizeof problem->path];
    snprintf(path, sizeof path, "entries[%u]", at);
    if (!WEEKEND_NUMBERS_OK(NUMBERS, entry, path, problem)) {
        return false;
    }
    if (entry->name[0] == '\0' && entry->key[0] == '\0') {
        return weekend_refuse(problem, "a name or a key tells who it is", "%s.name", path);
    }
    if (entry->car1 > car_count) {
        return weekend_refuse(problem, "no such car", "%s.car", path);
    }
    if (entry->class1 > entries->class_count) {
        return weekend_refuse(problem, "no such class", "%s.class", path);
    }
    return alone_ok(entries, at, problem);
}

static bool success_ok(const apex_entry_list_def *entries, apex_weekend_problem *problem) {
    if (entries->success_count > APEX_SUCCESS_PLACES_MAX) {
        return weekend_refuse(problem, "more places than there is room for", "success_kg");
    }
    for (uint32_t i = 0; i < entries->success_count; i++) {
        if (!apex_is_within(entries->success_kg[i], APEX_RANGE(apex_entry_list_def, success_kg))) {
            return weekend_refuse(problem, "outside 0..200", "success_kg[%u]", i);
        }
    }
    return true;
}

bool weekend_entries_ok(const apex_weekend_def *def, uint32_t car_count,
                        apex_weekend_problem *problem) {
    const apex_entry_list_def *entries = &def->entries;
    if (!classes_ok(entries, car_count, problem)) {
        return false;
    }
    if (entries->count > APEX_ENTRIES_MAX) {
        return weekend_refuse(problem, "more than there is room for", "entries");
    }
    if (entries->only_listed && entries->count == 0) {
        return weekend_refuse(problem, "nobody is listed, so nobody could drive", "only_listed");
    }
    for (uint32_t i = 0; i < entries->count; i++) {
        if (!entry_ok(entries, i, car_count, problem)) {
            return false;
        }
    }
    return success_ok(entries, problem);
}
