/// The memory of the API from one request to the next.
#pragma once

#include "api/api.h"
#include "net/guess_limit.h"

typedef enum api_kept_kind {
    API_KEPT_NOT, ///< is written for each request
    API_KEPT_RACES,
    API_KEPT_RACE,
    API_KEPT_STATUS,
    API_KEPT_METRICS,
    API_KEPT_METRICS_PLAYERS, ///< for operators
    API_KEPT_KINDS
} api_kept_kind;

typedef struct api_kept {
    uint64_t stamp;         ///< of what it was made of; 0: there is none
    uint64_t orders;        ///< that had been carried out by then
    uint64_t good_until_us; ///< even if there were ticks meanwhile
    uint64_t edition;
    uint32_t status;
    const char *type;
    char *bytes;
    size_t length, capacity;
} api_kept;

typedef struct api_replays api_replays;

struct apex_api_memory {
    apex_guess_limit guesses;                               ///< at the operators' token
    api_replays *replays;                                   ///< NULL before somebody asked
    uint64_t orders;                                        ///< carried out, or tried
    uint64_t editions;                                      ///< of answers that were kept
    api_kept kept[API_KEPT_KINDS][APEX_SITE_RACES_MAX + 1]; ///< by race; [0]: of none
};
