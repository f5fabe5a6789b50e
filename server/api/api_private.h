/// How the parts of the API answer.
#pragma once

#include "api/answer_json.h"
#include "api/api.h"

/// A request on its way to its answer.
typedef struct api_call {
    const apex_api *api;
    const apex_web_request *request;
    apex_arena *arena;
    apex_web_answer *answer;
    uint32_t race;       ///< from 1; 0 where the path names none
    apex_server *server; ///< of that race
    bool is_operators;   ///< who asks has shown the operators' token
} api_call;

void api_answer_json(const api_call *call, uint32_t status, answer_json *json);
/// Answers {"error": a sentence that says what to do}.
__attribute__((format(printf, 3, 4))) void api_refuse(const api_call *call, uint32_t status,
                                                      const char *format, ...);

// api_token.c: who may operate. Of each address some wrong tokens are looked at in a while, then
// none at all for a time, so that guessing is slow.
enum { API_ADDRESSES = 64 };

typedef struct api_guesser {
    char address[APEX_ADDRESS_BYTES];
    uint64_t free_us; ///< when what it tried wrong is forgotten
} api_guesser;

typedef struct api_guessers {
    api_guesser at[API_ADDRESSES];
    uint64_t wrong_tokens, refused_tries;
} api_guessers;

/// @return whether the request's token is the operators'; if not it has been answered.
bool api_may_operate(const api_call *call);

// api_kept.c: answers for all who ask within a tick
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

/// Answers with what was written before, or else has it written.
void api_answer_kept(const api_call *call, api_kept_kind kind, void (*write)(const api_call *));
void api_forget_kept(api_kept *kept, size_t count);

// api_races.c
void api_list_races(const api_call *call);
void api_show_race(const api_call *call);
/// A line of the order, its members without braces.
void api_write_driver(answer_json *json, apex_server *server, const apex_standing *line);

// api_status.c
void api_show_status(const api_call *call);

// api_orders.c
void api_say(const api_call *call);
void api_kick(const api_call *call);
void api_start(const api_call *call);
void api_restart(const api_call *call);
void api_quit(const api_call *call);

// api_replays.c
typedef struct api_replays api_replays;

void api_list_replays(const api_call *call);
void api_replays_destroy(api_replays *replays); ///< NULL is fine

// health.c
void api_healthz(const api_call *call);
void api_readyz(const api_call *call);

struct apex_api_memory {
    api_guessers guessers;
    api_replays *replays;                                   ///< NULL before somebody asked
    uint64_t orders;                                        ///< carried out, or tried
    uint64_t editions;                                      ///< of answers that were kept
    api_kept kept[API_KEPT_KINDS][APEX_SITE_RACES_MAX + 1]; ///< by race; [0]: of none
};
