// How the names of a race's players look. A look is noted when its player joins: making one takes
// ten microseconds, too much to be done for thousands of players whenever somebody comes.

#include "host/simulation/player_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

apex_err host_names_create(host_names *names, uint32_t capacity) {
    names->capacity = capacity;
    names->at = calloc(capacity, sizeof *names->at);
    return names->at != NULL ? apex_name_judge_create(&names->judge) : APEX_ERR_NO_MEMORY;
}

void host_names_destroy(host_names *names) {
    apex_name_judge_destroy(names->judge);
    free(names->at);
}

void host_names_note(host_names *names, apex_player_id player, const char *name) {
    APEX_ASSERT(player.index1 > 0 && player.index1 <= names->capacity);
    host_named *named = &names->at[player.index1 - 1];
    *named = (host_named){.player = player};
    bool is_name = apex_name_look_of(names->judge, name, &named->look);
    APEX_ASSERT(is_name);
}

static bool is_taken(const host_names *names, const apex_race *race, const apex_name_look *look) {
    for (uint32_t i = 0; i < names->capacity; i++) {
        const host_named *named = &names->at[i];
        apex_standing standing;
        if (named->player.index1 != 0 && apex_name_looks_alike(&named->look, look) &&
            apex_race_player_standing(race, named->player, &standing) && standing.present) {
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

const char *host_names_settle(const host_names *names, const apex_race *race,
                              char name[APEX_WIRE_NAME_BYTES]) {
    char wanted[APEX_WIRE_NAME_BYTES];
    apex_wire_text(wanted, sizeof wanted, name);
    // Few, since a client that is refused may ask again, each tick.
    for (uint32_t count = 1; count <= HOST_NAMESAKES_MAX; count++) {
        if (count > 1) {
            number(name, wanted, count);
        }
        apex_name_look look;
        if (!apex_name_look_of(names->judge, name, &look)) {
            return "the name cannot be compared with those of others";
        }
        if (look.is_bots) {
            return "names like \"Bot 1\" are those of the server's own drivers";
        }
        if (!is_taken(names, race, &look)) {
            return NULL;
        }
    }
    return "too many are called so, or nearly so; choose another name";
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
