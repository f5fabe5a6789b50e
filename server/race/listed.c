// The list of entries of an event, as it is asked for a driver.
#include "race/listed.h"

#include <string.h>

const apex_race_entry_def *race_entry_named(const apex_entry_list_def *list, const char *name) {
    for (uint32_t i = 0; i < list->count; i++) {
        if (strncmp(list->all[i].name, name, APEX_NAME_BYTES) == 0) {
            return &list->all[i];
        }
    }
    return NULL;
}

uint32_t race_entry_class(const apex_entry_list_def *list, const apex_race_entry_def *entry,
                          uint32_t car) {
    if (entry != NULL && entry->class1 > 0) {
        return entry->class1;
    }
    for (uint32_t i = 0; i < list->class_count; i++) {
        if ((list->classes[i].cars >> car & 1u) != 0) {
            return i + 1;
        }
    }
    return 0;
}
