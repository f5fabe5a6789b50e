// A key goes before a name: a name can be typed by anybody. So nobody else drives under the name of
// an entry with a key, not even where those who are not on the list may drive, too.

#include "host/simulation/entry_list.h"

#include <stdio.h>
#include <string.h>

static const apex_race_entry_def *by_key(const apex_entry_list_def *list,
                                         const apex_store_who *who) {
    char text[APEX_FINGERPRINT_TEXT_BYTES];
    if (!who->has_driver) {
        return NULL;
    }
    apex_fingerprint_text(who->driver, text);
    for (uint32_t i = 0; i < list->count; i++) {
        if (strcmp(list->all[i].key, text) == 0) {
            return &list->all[i];
        }
    }
    return NULL;
}

void host_entries_begin(host_entries *entries, const apex_entry_list_def *list,
                        const apex_name_judge *judge) {
    entries->list = list;
    for (uint32_t i = 0; i < list->count; i++) {
        entries->at[i].has_look = apex_name_look_of(judge, list->all[i].name, &entries->at[i].look);
    }
}

static const apex_race_entry_def *by_name(const host_entries *entries, const apex_name_judge *judge,
                                          const char *name) {
    apex_name_look wanted;
    if (entries->list->count == 0 || !apex_name_look_of(judge, name, &wanted)) {
        return NULL;
    }
    for (uint32_t i = 0; i < entries->list->count; i++) {
        if (entries->at[i].has_look && apex_name_looks_alike(&wanted, &entries->at[i].look)) {
            return &entries->list->all[i];
        }
    }
    return NULL;
}

static host_entry refuse(apex_reason reason, const char *name, const char *why) {
    host_entry refused = {.refused = reason};
    char text[2 * APEX_WIRE_TEXT_BYTES];
    snprintf(text, sizeof text, "%s %s", name, why);
    apex_wire_text(refused.why, sizeof refused.why, text);
    return refused;
}

host_entry host_entry_of(const host_entries *entries, const apex_name_judge *judge,
                         const apex_store_who *who, const char *name) {
    const apex_entry_list_def *list = entries->list;
    const apex_race_entry_def *entry = by_key(list, who);
    if (entry != NULL) {
        return (host_entry){.entry = entry};
    }
    entry = by_name(entries, judge, name);
    if (entry != NULL && entry->key[0] != '\0') {
        return refuse(list->only_listed ? APEX_REASON_NOT_LISTED : APEX_REASON_NAME_HELD, name,
                      "is on this event's list with a key, and yours is not that one");
    }
    if (entry == NULL && list->only_listed) {
        return refuse(APEX_REASON_NOT_LISTED, name,
                      "is not on the list of entries of this event, and nobody else drives in it; "
                      "you may watch");
    }
    return (host_entry){.entry = entry};
}
