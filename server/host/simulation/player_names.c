// How the names of a race's players look. A look is noted when its player joins: making one takes
// ten microseconds, too much to be done for thousands of players whenever somebody comes.

#include "host/simulation/player_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

apex_err host_names_create(host_names *names, uint32_t capacity) {
    names->capacity = capacity;
    names->held = &names->own;
    names->at = calloc(capacity, sizeof *names->at);
    names->left = calloc(capacity, sizeof *names->left);
    if (names->at == NULL || names->left == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    apex_err err = apex_name_judge_create(&names->judge);
    if (err == APEX_OK) {
        host_common_names_learn(&names->common, names->judge);
    }
    return err;
}

apex_err host_names_begin_holding(host_names *names, host_held_names *shared) {
    if (shared != NULL) {
        names->held = shared;
        return APEX_OK;
    }
    return host_held_names_create(&names->own, APEX_STORE_NAMES_MAX);
}

void host_names_hold(host_names *names, const apex_store_who *who, const char *name,
                     uint64_t unix_us) {
    apex_name_look look;
    if (!who->has_driver || names->held->capacity == 0 ||
        host_is_common_name(&names->common, names->judge, name) ||
        !apex_name_look_of(names->judge, name, &look)) {
        return;
    }
    apex_held_name held = {.unix_s = unix_us / 1000000u};
    memcpy(held.driver, who->driver, sizeof held.driver);
    apex_wire_text(held.name, sizeof held.name, name);
    host_hold_name(names->held, &look, &held);
}

void host_names_destroy(host_names *names) {
    host_held_names_destroy(&names->own);
    apex_name_judge_destroy(names->judge);
    free(names->left);
    free(names->at);
}

void host_names_note(host_names *names, apex_player_id player, const char *name) {
    APEX_ASSERT(player.index1 > 0 && player.index1 <= names->capacity);
    host_named *named = &names->at[player.index1 - 1];
    if (named->player.index1 != 0) {
        names->left[names->left_count++ % names->capacity] = *named;
    }
    *named = (host_named){.player = player};
    bool is_name = apex_name_look_of(names->judge, name, &named->look);
    APEX_ASSERT(is_name);
}

static bool is_of(const host_named *named, apex_player_id player) {
    return named->player.index1 == player.index1 && named->player.generation == player.generation;
}

void host_names_know(host_names *names, apex_player_id player, const apex_store_who *who) {
    host_named *named = &names->at[player.index1 - 1];
    APEX_ASSERT(is_of(named, player));
    named->who = *who;
}

apex_store_who host_names_who(const host_names *names, apex_player_id player) {
    bool has_place = player.index1 > 0 && player.index1 <= names->capacity;
    if (has_place && is_of(&names->at[player.index1 - 1], player)) {
        return names->at[player.index1 - 1].who;
    }
    // Of one whose place has been taken since, who still has a line in the results.
    uint64_t kept = names->left_count < names->capacity ? names->left_count : names->capacity;
    for (uint64_t i = 0; has_place && i < kept; i++) {
        const host_named *named = &names->left[(names->left_count - 1 - i) % names->capacity];
        if (is_of(named, player)) {
            return named->who;
        }
    }
    return (apex_store_who){0};
}

static bool is_present(const host_named *named, const apex_race *race) {
    apex_standing standing;
    return named->player.index1 != 0 && apex_race_player_standing(race, named->player, &standing) &&
           standing.present;
}

uint32_t host_names_guests(const host_names *names, const apex_race *race) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < names->capacity; i++) {
        const host_named *named = &names->at[i];
        bool is_guest = !named->who.is_server && !named->who.has_driver;
        count += is_guest && is_present(named, race);
    }
    return count;
}

static bool is_taken(const host_names *names, const apex_race *race, const apex_name_look *look) {
    for (uint32_t i = 0; i < names->capacity; i++) {
        const host_named *named = &names->at[i];
        if (apex_name_looks_alike(&named->look, look) && is_present(named, race)) {
            return true;
        }
    }
    return false;
}

// The end of a long name gives way to the number.
static void number(char name[APEX_WIRE_NAME_BYTES], const char *wanted, uint32_t count) {
    char suffix[8], stem[APEX_WIRE_NAME_BYTES];
    int length = snprintf(suffix, sizeof suffix, " (%u)", count);
    apex_wire_text(stem, sizeof stem - (size_t)length, wanted);
    size_t end = strlen(stem);
    end -= end > 0 && stem[end - 1] == ' ';
    snprintf(name, APEX_WIRE_NAME_BYTES, "%.*s%s", (int)end, stem, suffix);
}
_Static_assert(HOST_NAMESAKES_MAX < 10, "a number has one digit, so a suffix has room");

static host_name_verdict refuse(const char **why, host_name_verdict verdict, const char *text) {
    *why = text;
    return verdict;
}

// A name that programs give is open to all, also where somebody holds one that looks like it:
// "bot-Ol" would shut out the first bot of everybody.
static bool is_held(const host_names *names, const char *name, const apex_name_look *look,
                    const apex_store_who *who) {
    return host_held_by_another(names->held, look, who->has_driver ? who->driver : NULL) &&
           !host_is_common_name(&names->common, names->judge, name);
}

static host_name_verdict judge(const host_names *names, const char *name,
                               const apex_name_look *look, const apex_store_who *who,
                               const char **why) {
    if (look->is_bots) {
        return refuse(why, HOST_NAME_BAD,
                      "names like \"Bot 1\" are those of the server's own drivers");
    }
    if (is_held(names, name, look, who)) {
        return refuse(why, HOST_NAME_HELD,
                      who->has_driver
                          ? "this name, or one like it, belongs to another driver here; take "
                            "another, or bring his key if you are he"
                          : "this name, or one like it, belongs to a driver here; take another, or "
                            "come with your key if it is yours");
    }
    return HOST_NAME_GOOD;
}

host_name_verdict host_names_settle(const host_names *names, const apex_race *race,
                                    const apex_store_who *who, char name[APEX_WIRE_NAME_BYTES],
                                    const char **why) {
    char wanted[APEX_WIRE_NAME_BYTES];
    apex_wire_text(wanted, sizeof wanted, name);
    // Few, since a client that is refused may ask again, each tick.
    for (uint32_t count = 1; count <= HOST_NAMESAKES_MAX; count++) {
        if (count > 1) {
            number(name, wanted, count);
        }
        apex_name_look look;
        if (!apex_name_look_of(names->judge, name, &look)) {
            return refuse(why, HOST_NAME_BAD, "the name cannot be compared with those of others");
        }
        host_name_verdict verdict = judge(names, name, &look, who, why);
        if (verdict == HOST_NAME_BAD || (verdict == HOST_NAME_HELD && count == 1)) {
            return verdict;
        }
        if (verdict == HOST_NAME_GOOD && !is_taken(names, race, &look)) {
            return HOST_NAME_GOOD;
        }
    }
    return refuse(why, HOST_NAME_BAD, "too many are called so, or nearly so; choose another name");
}

bool host_names_has_look(const host_names *names, const apex_standing *line,
                         const apex_name_look *look) {
    uint32_t index1 = line->player.index1;
    const host_named *named = index1 <= names->capacity ? &names->at[index1 - 1] : NULL;
    if (named != NULL && named->player.index1 == index1 &&
        named->player.generation == line->player.generation) {
        return apex_name_looks_alike(&named->look, look);
    }
    apex_name_look of_line; // one who joined in a recording
    return apex_name_look_of(names->judge, line->name, &of_line) &&
           apex_name_looks_alike(&of_line, look);
}
