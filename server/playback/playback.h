/// Recordings: played to those who watch them like a race, at the speed and from where they wish;
/// and verified.
///
/// One thread at a time for each playback.
#pragma once

#include "host/host.h"

/// A recording, to be watched like a race by as many as wish.
typedef struct apex_playback_def {
    const char *path;
    uint32_t clients_max;
    uint32_t snapshot_hz;
    apex_snapshot_preset snapshots;
    uint64_t now_us, unix_us;   ///< the same moment on both clocks
    uint64_t (*clock_us)(void); ///< limits the ticks that are made in one; NULL: an estimate by the
                                ///< number of cars does
    uint8_t token_key[16];      ///< secret
} apex_playback_def;

apex_playback_def apex_default_playback_def(void); ///< without path, time and key

typedef struct apex_playback apex_playback;

/// Opens a recording. Spectators may play, pause, change its speed and seek; it begins to play when
/// the first comes, and while nobody watches it stands still. Takes twice the memory of the race
/// until it has been looked through for marks. May be called on any thread.
/// @return APEX_ERR_NOT_FOUND, APEX_ERR_IO, APEX_ERR_CORRUPT, APEX_ERR_VERSION, APEX_ERR_STATE
/// (nothing in it yet), ... with a sentence in `why`.
apex_err apex_playback_open(const apex_playback_def *def, apex_playback **out,
                            char why[APEX_HOST_WHY_BYTES]);
void apex_playback_close(apex_playback *playback); ///< NULL is fine

/// The server that its viewers see: its links are fed and its outbox is taken as any other's, at
/// its apex_server_tick_hz; only its ticks are made by apex_playback_tick.
apex_server *apex_playback_server(apex_playback *playback);
/// One tick of the server: as many of the recording as its speed asks for, or on its way to another
/// moment as many as there is time for.
void apex_playback_tick(apex_playback *playback, uint64_t now_us);
/// The state of playing; marks live until the next tick.
apex_playback_state apex_playback_state_of(const apex_playback *playback);
/// @return the number of ticks of races that the newest tick made.
uint32_t apex_playback_ticks_made(const apex_playback *playback);

/// Re-simulates a replay and compares every recorded hash and keyframe. Says what it found on
/// `out`.
/// @return APEX_OK, APEX_ERR_MISMATCH, or what was wrong with the file.
apex_err apex_replay_verify(const char *path, uint32_t workers, FILE *out);
