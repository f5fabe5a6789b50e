/// The setup that a server was started with: written while it is created, read by all.
#pragma once

#include "host/host.h"

typedef struct host_def_blob {
    apex_def_name name;
    uint8_t *content; ///< CarDef or TrackDef
    uint8_t *message; ///< a ServerMessage that carries it
    size_t message_bytes;
} host_def_blob;

typedef struct host_setup {
    apex_race_file file;
    char track_name[APEX_NAME_BYTES];
    uint32_t car_count;
    char car_names[APEX_RACE_CAR_DEFS_MAX][APEX_NAME_BYTES];
    const char *car_name_list[APEX_RACE_CAR_DEFS_MAX];
    uint32_t speed_permille;
    bool idles;                    ///< see apex_server_def, likewise the next
    const char *joins_refused_why; ///< NULL: they are not
    bool holds_names;              ///< drivers can prove who they are
    bool has_control; ///< the event has sessions, rules or entries, of which there is to tell
    uint32_t def_count;
    host_def_blob defs[APEX_WIRE_DEFS_MAX];
} host_setup;
