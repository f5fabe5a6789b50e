// Each bot tells its own events; what is the same for all is told once.
#include "client-lite/bot/fleet_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "client-lite/cli/json_lines.h"
#include "client-lite/cli/options.h"
#include "client-lite/text/text.h"
#include "client-lite/text/text_tables.h"

static json_t *about_bot(const char *type, const char *name) {
    json_t *object = json_object();
    json_object_set_new(object, "type", json_string(type));
    json_object_set_new(object, "name", json_string(name));
    return object;
}

void cli_report_joined(const cli_report *report, const cli_bot_one *bot) {
    uint32_t player = apex_client_player(bot->client);
    uint32_t car = apex_client_car(bot->client);
    if (report->json) {
        json_t *object = about_bot("joined", bot->name);
        json_object_set_new(object, "player", json_integer(player));
        json_object_set_new(object, "car", json_integer(car));
        json_object_set_new(object, "skill", json_real(bot->skill));
        cli_json_put(object);
    } else if (!report->quiet) {
        printf("%s joined\n", bot->name);
        fflush(stdout);
    }
}

void cli_report_lost_link(const cli_report *report, const cli_bot_one *bot) {
    const char *text = apex_client_lost_text(bot->client);
    uint32_t grace_s = apex_client_welcome(bot->client)->resume_grace_s;
    if (report->json) {
        json_t *object = about_bot("reconnecting", bot->name);
        json_object_set_new(object, "text", json_string(text));
        json_object_set_new(object, "grace_s", json_integer(grace_s));
        cli_json_put(object);
    } else if (!report->quiet) {
        printf("%s: %s; trying to come back for %" PRIu32 " s\n", bot->name, text, grace_s);
        fflush(stdout);
    }
}

void cli_report_back(const cli_report *report, const cli_bot_one *bot) {
    bool resumed = apex_client_resumed(bot->client);
    if (report->json) {
        json_t *object = about_bot("back", bot->name);
        json_object_set_new(object, "player", json_integer(apex_client_player(bot->client)));
        json_object_set_new(object, "resumed", json_boolean(resumed));
        cli_json_put(object);
    } else if (!report->quiet) {
        printf("%s is back%s\n", bot->name, resumed ? "" : ", as another driver");
        fflush(stdout);
    }
}

static bool worth_telling(const apex_race_event_message *event) {
    return event->kind == APEX_WIRE_EVENT_FINISHED || event->kind == APEX_WIRE_EVENT_DNF;
}

void cli_report_events(const cli_report *report, const cli_bot_one *bot) {
    size_t count;
    const apex_race_event_message *events = apex_client_events(bot->client, &count);
    for (size_t i = 0; i < count; i++) {
        // Every bot hears of everybody; each tells its own.
        if (events[i].player != apex_client_player(bot->client)) {
            continue;
        }
        if (report->json) {
            cli_json_put(cli_json_event(bot->client, &events[i]));
        } else if (!report->quiet && worth_telling(&events[i])) {
            char text[CLIENT_EVENT_BYTES];
            if (client_text_sentence(bot->client, &events[i], text)) {
                puts(text);
                fflush(stdout);
            }
        }
    }
}

void cli_report_results(cli_report *report, const cli_bot_one *bot) {
    const apex_results *results = apex_client_results(bot->client);
    if (results == NULL || results->race_number <= report->results_told) {
        return;
    }
    report->results_told = results->race_number;
    if (report->json) {
        cli_json_put(cli_json_results(results));
    } else if (!report->quiet) {
        client_text_results(stdout, results, &(client_table_style){0});
        fflush(stdout);
    }
}

void cli_report_lost(cli_report *report, const char *name, const char *reason, const char *text) {
    if (report->json) {
        json_t *object = about_bot("lost", name);
        json_object_set_new(object, "reason", json_string(reason));
        json_object_set_new(object, "text", json_string(text));
        cli_json_put(object);
    }
    if (strcmp(report->lost_text, text) == 0) {
        report->lost_unsaid++;
        return;
    }
    snprintf(report->lost_text, sizeof report->lost_text, "%s", text);
    cli_complain("%s: %s", name, text);
}

void cli_report_end(cli_report *report, uint32_t over, uint32_t lost) {
    if (report->lost_unsaid > 0) {
        cli_complain("... and %" PRIu32 " more bots likewise", report->lost_unsaid);
    }
    if (report->json) {
        json_t *object = json_object();
        json_object_set_new(object, "type", json_string("end"));
        json_object_set_new(object, "over", json_integer(over));
        json_object_set_new(object, "lost", json_integer(lost));
        json_object_set_new(object, "input_effect_us", cli_json_times(&report->input_effects_us));
        double share = (double)report->on_tick / (double)report->snapshots;
        json_object_set_new(object, "on_tick_percent",
                            report->snapshots > 0 ? json_real(100.0 * share) : json_null());
        cli_json_put(object);
    }
}
