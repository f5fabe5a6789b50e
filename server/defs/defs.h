/// Car and track definitions as bytes, so that a client needs no files. The bytes are the messages
/// CarDef and TrackDef of proto/defs.proto; decode(encode(def)) is the same definition bit for bit.
/// The hash by which both ends know a definition is the XXH3-64 of the bytes.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "physics/physics.h"
#include "track/track.h"

/// @return a malloc'd buffer the caller frees, its length in *length; NULL when out of memory.
uint8_t *apex_car_def_encode(const apex_car_def *def, size_t *length);
uint8_t *apex_track_def_encode(const apex_track_def *def, size_t *length);

/// Checks everything a file would be checked for. @return false with *problem filled.
bool apex_car_def_decode(const uint8_t *bytes, size_t length, apex_car_def *out,
                         apex_def_problem *problem);
/// On success free *out with apex_track_def_free.
bool apex_track_def_decode(const uint8_t *bytes, size_t length, apex_track_def *out,
                           apex_def_problem *problem);

/// Only the name of a car or a track, without unpacking the rest. @return false with an empty name
/// if the bytes do not begin with one that fits.
bool apex_def_name_of(const uint8_t *bytes, size_t length, char name[APEX_NAME_BYTES]);

uint64_t apex_def_hash(const uint8_t *bytes, size_t length);
