/// Names that drivers hold: the first key that uses a name on a server has it from then on, in all
/// of its races, with all that look like it, and whoever else wants it is refused (DECISIONS 60).
/// Guests hold none.
#pragma once

#include "net/player_name.h"
#include "store/store.h"

enum { HOST_NAMES_OF_DRIVER_MAX = 8 };

typedef struct host_held_name host_held_name;

typedef struct host_held_names {
    uint32_t capacity, count;
    host_held_name *at;
    uint32_t *chains1[3]; ///< chain_count of each: by either key of the look, and by driver
    uint32_t chain_count;
    uint32_t free1;                     ///< places that names were struck from
    uint32_t newest1, oldest1;          ///< in the order in which they were used
    uint32_t unstored1, last_unstored1; ///< a queue
    uint64_t gave_way;                  ///< names that were not used for longest, and others needed
    apex_names *file;                   ///< NULL: they are forgotten with the process
} host_held_names;

/// Zeros are a table in which nobody holds anything and nobody may.
/// @param capacity names; of a full table the one that was not used for longest gives way.
/// @return APEX_ERR_NO_MEMORY; what has been made by then is for host_held_names_destroy.
apex_err host_held_names_create(host_held_names *held, uint32_t capacity);
void host_held_names_destroy(host_held_names *held); ///< what is not written yet is written

/// From now on they are kept in `names.txt` of the directory, unless they are kept already or it is
/// empty. Takes over what is there, and writes a shorter file where most lines are old.
/// @return what the store says.
apex_err host_held_names_keep(host_held_names *held, const apex_name_judge *judge,
                              const char *directory);

/// @param driver a fingerprint, NULL: a guest. @return whether the name is somebody else's.
bool host_held_by_another(const host_held_names *held, const apex_name_look *look,
                          const uint8_t *driver);
/// The driver comes by the name, which is no other's: from now on he holds it. Of his own he keeps
/// HOST_NAMES_OF_DRIVER_MAX, those that he used last.
void host_hold_name(host_held_names *held, const apex_name_look *look, const apex_held_name *name);
/// Queues what is new: names that are held, and once a day that they were used.
void host_store_names(host_held_names *held);
