// A table of names with three chains each and two lists, all of indices plus one: nothing is
// allocated while a race runs, and each is found, added and forgotten in constant time.
#include "host/simulation/held_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/log.h"

enum {
    BY_KEY_0,
    BY_KEY_1,
    BY_DRIVER,
    CHAINS,
    STORED_AGAIN_S = 24 * 3600,
    LINES_SPARE = 1000, // that a file may have beyond two of each name
};

struct host_held_name {
    apex_name_look look;
    apex_held_name name;
    uint64_t stored_s;       // of its newest line in the file; 0: none
    uint32_t next1[CHAINS];  // in its chains
    uint32_t older1, newer1; // in the order of use
    uint32_t next_unstored1;
    bool is_unstored; // in that queue
};

apex_err host_held_names_create(host_held_names *held, uint32_t capacity) {
    *held = (host_held_names){.capacity = capacity, .chain_count = 2 * capacity};
    held->at = calloc(capacity, sizeof *held->at);
    bool is_complete = held->at != NULL;
    for (int chain = 0; chain < CHAINS; chain++) {
        held->chains1[chain] = calloc(held->chain_count, sizeof *held->chains1[chain]);
        is_complete = is_complete && held->chains1[chain] != NULL;
    }
    return is_complete ? APEX_OK : APEX_ERR_NO_MEMORY;
}

void host_held_names_destroy(host_held_names *held) {
    for (int chain = 0; chain < CHAINS; chain++) {
        free(held->chains1[chain]);
    }
    apex_names_close(held->file);
    free(held->at);
}

// Fingerprints and keys of looks are hashes already.
static uint64_t hash_of(int chain, const apex_name_look *look, const uint8_t *driver) {
    uint64_t hash = 0;
    if (chain == BY_DRIVER) {
        memcpy(&hash, driver, sizeof hash);
    } else {
        hash = look->keys[chain];
    }
    return hash;
}

static uint32_t *chain_of(const host_held_names *held, int chain, const host_held_name *name) {
    uint64_t hash = hash_of(chain, &name->look, name->name.driver);
    return &held->chains1[chain][hash % held->chain_count];
}

static bool is_drivers(const host_held_name *name, const uint8_t *driver) {
    return driver != NULL && memcmp(name->name.driver, driver, APEX_FINGERPRINT_BYTES) == 0;
}

// The names that look like it are in one of two chains.
// @return the first after `after1` of the chain that is so. 0: none
static uint32_t find_alike(const host_held_names *held, int chain, const apex_name_look *look,
                           uint32_t after1) {
    uint32_t at1 = after1 != 0
                       ? held->at[after1 - 1].next1[chain]
                       : held->chains1[chain][hash_of(chain, look, NULL) % held->chain_count];
    while (at1 != 0 && held->at[at1 - 1].look.keys[chain] != look->keys[chain]) {
        at1 = held->at[at1 - 1].next1[chain];
    }
    return at1;
}

bool host_held_by_another(const host_held_names *held, const apex_name_look *look,
                          const uint8_t *driver) {
    if (held->capacity == 0) {
        return false;
    }
    for (int chain = BY_KEY_0; chain <= BY_KEY_1; chain++) {
        uint32_t at1 = find_alike(held, chain, look, 0);
        while (at1 != 0) {
            if (!is_drivers(&held->at[at1 - 1], driver)) {
                return true;
            }
            at1 = find_alike(held, chain, look, at1);
        }
    }
    return false;
}

// A name that looks so is his already, maybe with other capitals.
static uint32_t find_own(const host_held_names *held, const apex_name_look *look,
                         const uint8_t *driver) {
    for (int chain = BY_KEY_0; chain <= BY_KEY_1; chain++) {
        uint32_t at1 = find_alike(held, chain, look, 0);
        while (at1 != 0) {
            if (is_drivers(&held->at[at1 - 1], driver)) {
                return at1;
            }
            at1 = find_alike(held, chain, look, at1);
        }
    }
    return 0;
}

static void leave_order(host_held_names *held, host_held_name *name) {
    *(name->older1 != 0 ? &held->at[name->older1 - 1].newer1 : &held->oldest1) = name->newer1;
    *(name->newer1 != 0 ? &held->at[name->newer1 - 1].older1 : &held->newest1) = name->older1;
    name->older1 = name->newer1 = 0;
}

static void become_newest(host_held_names *held, uint32_t at1) {
    host_held_name *name = &held->at[at1 - 1];
    name->older1 = held->newest1;
    name->newer1 = 0;
    *(held->newest1 != 0 ? &held->at[held->newest1 - 1].newer1 : &held->oldest1) = at1;
    held->newest1 = at1;
}

static void join_chains(host_held_names *held, uint32_t at1) {
    host_held_name *name = &held->at[at1 - 1];
    for (int chain = 0; chain < CHAINS; chain++) {
        uint32_t *head = chain_of(held, chain, name);
        name->next1[chain] = *head;
        *head = at1;
    }
}

static void leave_chains(host_held_names *held, uint32_t at1) {
    const host_held_name *name = &held->at[at1 - 1];
    for (int chain = 0; chain < CHAINS; chain++) {
        uint32_t *link = chain_of(held, chain, name);
        while (*link != at1) {
            APEX_ASSERT(*link != 0);
            link = &held->at[*link - 1].next1[chain];
        }
        *link = name->next1[chain];
    }
}

// In no list but that of what is to be stored, if it is there.
static void strike(host_held_names *held, uint32_t at1) {
    leave_order(held, &held->at[at1 - 1]);
    leave_chains(held, at1);
    held->at[at1 - 1].next1[BY_DRIVER] = held->free1;
    held->free1 = at1;
}

// The least recently used of a driver who has as many as he may; 0: he has room.
static uint32_t spare_of(const host_held_names *held, const uint8_t *driver) {
    uint32_t count = 0, oldest1 = 0;
    uint32_t at1 = held->chains1[BY_DRIVER][hash_of(BY_DRIVER, NULL, driver) % held->chain_count];
    for (; at1 != 0; at1 = held->at[at1 - 1].next1[BY_DRIVER]) {
        const host_held_name *name = &held->at[at1 - 1];
        if (is_drivers(name, driver)) {
            count++;
            bool is_older = oldest1 == 0 || name->name.unix_s < held->at[oldest1 - 1].name.unix_s;
            oldest1 = is_older ? at1 : oldest1;
        }
    }
    return count >= HOST_NAMES_OF_DRIVER_MAX ? oldest1 : 0;
}

// Somebody who comes with many keys has others' names forgotten: his operator is to see it.
static void give_way(host_held_names *held, uint32_t at1) {
    held->gave_way++;
    apex_log_limited(APEX_LOG_WARN, "race",
                     "the list of names that drivers hold is full: %llu names, the newest %s, were "
                     "forgotten for others",
                     (unsigned long long)held->gave_way, held->at[at1 - 1].name.name);
}

// @return a place for a new name of the driver's.
static uint32_t make_room(host_held_names *held, const uint8_t *driver) {
    uint32_t at1 = spare_of(held, driver);
    if (at1 == 0 && held->free1 == 0 && held->count < held->capacity) {
        return ++held->count;
    }
    if (at1 == 0 && held->free1 == 0) {
        at1 = held->oldest1;
        give_way(held, at1);
    }
    if (at1 != 0) {
        strike(held, at1);
    }
    at1 = held->free1;
    held->free1 = held->at[at1 - 1].next1[BY_DRIVER];
    return at1;
}

static void queue(host_held_names *held, uint32_t at1) {
    host_held_name *name = &held->at[at1 - 1];
    if (name->is_unstored) {
        return;
    }
    name->is_unstored = true;
    name->next_unstored1 = 0;
    *(held->unstored1 != 0 ? &held->at[held->last_unstored1 - 1].next_unstored1
                           : &held->unstored1) = at1;
    held->last_unstored1 = at1;
}

static uint32_t hold(host_held_names *held, const apex_name_look *look,
                     const apex_held_name *name) {
    APEX_ASSERT(held->capacity > 0 && name != NULL && !look->is_bots &&
                !host_held_by_another(held, look, name->driver));
    uint32_t at1 = find_own(held, look, name->driver);
    if (at1 != 0) {
        leave_order(held, &held->at[at1 - 1]);
        leave_chains(held, at1); // it may have another look from now on
    } else {
        at1 = make_room(held, name->driver);
        held->at[at1 - 1].stored_s = 0; // is_unstored stays: its place in the queue does
    }
    host_held_name *kept = &held->at[at1 - 1];
    kept->look = *look;
    kept->name = *name;
    join_chains(held, at1);
    become_newest(held, at1);
    return at1;
}

void host_hold_name(host_held_names *held, const apex_name_look *look, const apex_held_name *name) {
    uint32_t at1 = hold(held, look, name);
    const host_held_name *kept = &held->at[at1 - 1];
    if (kept->stored_s == 0 || name->unix_s >= kept->stored_s + STORED_AGAIN_S) {
        queue(held, at1);
    }
}

void host_store_names(host_held_names *held) {
    while (held->unstored1 != 0) {
        host_held_name *name = &held->at[held->unstored1 - 1];
        if (held->file != NULL && !apex_names_put(held->file, &name->name)) {
            return; // its queue is full: the next tick may find room
        }
        name->stored_s = name->name.unix_s;
        name->is_unstored = false;
        held->unstored1 = name->next_unstored1;
    }
}

// In the order in which they were used.
static apex_err write_shorter(const host_held_names *held) {
    apex_held_name *names = calloc(held->count + (size_t)1, sizeof *names);
    if (names == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    size_t count = 0;
    for (uint32_t at1 = held->oldest1; at1 != 0; at1 = held->at[at1 - 1].newer1) {
        names[count++] = held->at[at1 - 1].name;
    }
    apex_err err = apex_names_replace(held->file, names, count);
    free(names);
    return err;
}

// A line of somebody else about a name is newer: the holder had to give way, or an operator has
// written it.
static void release(host_held_names *held, const apex_name_look *look, const uint8_t *driver) {
    for (int chain = BY_KEY_0; chain <= BY_KEY_1; chain++) {
        uint32_t at1 = find_alike(held, chain, look, 0);
        while (at1 != 0) {
            uint32_t next1 = find_alike(held, chain, look, at1);
            if (!is_drivers(&held->at[at1 - 1], driver)) {
                strike(held, at1);
            }
            at1 = next1;
        }
    }
}

static apex_err load(host_held_names *held, const apex_name_judge *judge) {
    apex_held_name *lines = NULL;
    size_t count = 0;
    apex_err err = apex_names_read(held->file, &lines, &count);
    for (size_t i = 0; i < count; i++) {
        apex_name_look look;
        if (apex_name_look_of(judge, lines[i].name, &look) && !look.is_bots) {
            release(held, &look, lines[i].driver);
            uint32_t at1 = hold(held, &look, &lines[i]);
            held->at[at1 - 1].stored_s = lines[i].unix_s;
        }
    }
    free(lines);
    if (err == APEX_OK && count > 2 * (size_t)held->count + LINES_SPARE) {
        err = write_shorter(held);
    }
    return err;
}

apex_err host_held_names_keep(host_held_names *held, const apex_name_judge *judge,
                              const char *directory) {
    if (held->file != NULL || directory[0] == '\0') {
        return APEX_OK;
    }
    apex_err err = apex_names_open(directory, &held->file);
    return err == APEX_OK ? load(held, judge) : err;
}
