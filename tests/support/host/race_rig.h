/// A whole server and its clients in one process and in virtual time: no sockets, no sleeps.
/// Packets cross a link without loss or delay, or with the loss given, from a seeded generator.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client-lite/client.h"
#include "host/host.h"

enum { RACE_RIG_CLIENTS_MAX = 256, RACE_RIG_HURRY_MAX = 100 };

typedef struct race_rig race_rig;

/// Loads what the race file names; nothing listens. NULL after a line on stderr.
race_rig *race_rig_create(const apex_race_file *file, uint32_t workers, const char *record_path);
/// The same at another speed (apex_server_def.speed_permille). At 0 what race_rig_tick counts are
/// not ticks but milliseconds: what a packet takes, and in which the server makes all ticks that
/// are due, up to RACE_RIG_HURRY_MAX.
race_rig *race_rig_create_at(const apex_race_file *file, uint32_t speed_permille);
/// A race of several in a process, which hold drivers' names together.
race_rig *race_rig_create_beside(const apex_race_file *file, apex_held_names *held_names);
void race_rig_destroy(race_rig *rig);

/// Adds a client that says Hello in the next tick. @return its number.
size_t race_rig_connect(race_rig *rig, const apex_client_def *def);
/// From now on packets of the newest clients come first in a tick, not those of the oldest.
void race_rig_turn_round(race_rig *rig);
/// The client's link is cut without a word, as by kill -9; the server sees it closed at once.
void race_rig_cut(race_rig *rig, size_t client);
/// The client's link breaks. The server sees it closed in the next tick, or not at all, as after a
/// change of address. The client tries to come back, in vain until mended; then by another link.
void race_rig_break(race_rig *rig, size_t client, bool server_knows);
void race_rig_mend(race_rig *rig, size_t client);
/// From now on the client drives itself round the track.
void race_rig_pilot(race_rig *rig, size_t client);
/// Sends raw bytes in a client's name.
void race_rig_inject(race_rig *rig, size_t client, uint8_t channel, const uint8_t *bytes,
                     size_t length);
/// The client's own packets are no longer carried; injected bytes are.
void race_rig_mute(race_rig *rig, size_t client);
void race_rig_unmute(race_rig *rig, size_t client);
/// Share of packets on the state channel that are lost, both ways.
void race_rig_set_loss(race_rig *rig, double share);

/// The disk stands still: what the server stores waits, until it works again.
void race_rig_hold_disk(race_rig *rig, bool holds);

void race_rig_tick(race_rig *rig, uint32_t ticks);
/// Ticks until the phase is reached. @return false if it is not within `ticks_max`.
bool race_rig_until(race_rig *rig, apex_race_phase phase, uint32_t ticks_max);

apex_server *race_rig_server(race_rig *rig);
apex_client *race_rig_client(race_rig *rig, size_t client);
uint64_t race_rig_now_us(const race_rig *rig);
/// Of the player of that name, who must be there.
apex_standing race_rig_standing(race_rig *rig, const char *name);
/// Pilots that find their way by the definitions which they are sent, "driver 0" and so on.
void race_rig_connect_pilots(race_rig *rig, uint32_t first, uint32_t end);
/// Race events of a kind that a client has received so far.
uint32_t race_rig_events(const race_rig *rig, size_t client, apex_race_event_kind kind);
/// Heap calls made by the server's ticks since the start of the rig; see heap_count_works.
uint64_t race_rig_heap_calls(const race_rig *rig);
