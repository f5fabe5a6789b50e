// Each bot tells its own events; what is the same for all is told once.
#include "client-lite/bot/fleet_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/print.h"
#include "client-lite/cli/json_lines.h"
#include "client-lite/cli/json_penalty.h"
#include "client-lite/cli/options.h"
#include "client-lite/text/text.h"
#include "client-lite/text/text_tables.h"

static apex_json_writer about_bot(const char *type, const char *name) {
    apex_json_writer json = cli_json_begin(type);
    apex_json_text(&json, "name", name);
    return json;
}

void cli_report_joined(const cli_report *report, const cli_bot_one *bot) {
    uint32_t player = apex_client_player(bot->client);
    uint32_t car = apex_client_car(bot->client);
    if (report->json) {
        apex_json_writer json = about_bot("joined", bot->name);
        apex_json_count(&json, "player", player);
        apex_json_count(&json, "car", car);
        apex_json_real(&json, "skill", bot->skill, 9);
        cli_json_end(&json);
    } else if (!report->quiet) {
        apex_print_line(stdout, "%s joined", bot->name);
        fflush(stdout);
    }
}

void cli_report_lost_link(const cli_report *report, const cli_bot_one *bot) {
    const char *text = apex_client_lost_text(bot->client);
    uint32_t grace_s = apex_client_welcome(bot->client)->resume_grace_s;
    if (report->json) {
        apex_json_writer json = about_bot("reconnecting", bot->name);
        apex_json_text(&json, "text", text);
        apex_json_count(&json, "grace_s", grace_s);
        cli_json_end(&json);
    } else if (!report->quiet) {
        apex_print_line(stdout, "%s: %s; trying to come back for %" PRIu32 " s", bot->name, text,
                        grace_s);
        fflush(stdout);
    }
}

void cli_report_back(const cli_report *report, const cli_bot_one *bot) {
    bool resumed = apex_client_resumed(bot->client);
    if (report->json) {
        apex_json_writer json = about_bot("back", bot->name);
        apex_json_count(&json, "player", apex_client_player(bot->client));
        apex_json_bool(&json, "resumed", resumed);
        cli_json_end(&json);
    } else if (!report->quiet) {
        apex_print_line(stdout, "%s is back%s", bot->name, resumed ? "" : ", as another driver");
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
            cli_json_penalty(bot->client, &events[i]);
            cli_json_event(bot->client, &events[i]);
        } else if (!report->quiet && worth_telling(&events[i])) {
            char text[CLIENT_EVENT_BYTES];
            if (client_text_sentence(bot->client, &events[i], text)) {
                apex_print_line(stdout, "%s", text);
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
        cli_json_results(bot->client, results);
    } else if (!report->quiet) {
        client_text_results(stdout, results, &(client_table_style){.client = bot->client});
        fflush(stdout);
    }
}

void cli_report_lost(cli_report *report, const char *name, const char *reason, const char *text) {
    if (report->json) {
        apex_json_writer json = about_bot("lost", name);
        apex_json_text(&json, "reason", reason);
        apex_json_text(&json, "text", text);
        cli_json_end(&json);
    }
    if (strcmp(report->lost_text, text) == 0) {
        report->lost_unsaid++;
        return;
    }
    snprintf(report->lost_text, sizeof report->lost_text, "%s", text);
    cli_complain("%s: %s", name, text);
}

static double on_tick_percent(const cli_report *report) { // of none is no number
    return 100.0 * (double)report->on_tick / (double)report->snapshots;
}

static void print_figures(const cli_report *report) {
    if (report->snapshots > 0) {
        printf("%-24s%10.2f  %%\n", "controls on their tick", on_tick_percent(report));
    }
    if (report->rivals.drivers == 0) {
        printf("no rivals were foretold\n");
    }
    cli_rival_figures_print(&report->rivals);
    fflush(stdout);
}

void cli_report_end(cli_report *report, uint32_t over, uint32_t lost, bool figures) {
    if (report->lost_unsaid > 0) {
        cli_complain("... and %" PRIu32 " more bots likewise", report->lost_unsaid);
    }
    if (report->json) {
        apex_json_writer json = cli_json_begin("end");
        apex_json_count(&json, "over", over);
        apex_json_count(&json, "lost", lost);
        cli_json_times(&json, "input_effect_us", &report->input_effects_us);
        apex_json_real(&json, "on_tick_percent", on_tick_percent(report), 9);
        cli_rival_figures_put(&report->rivals, &json, "rivals");
        cli_json_end(&json);
    } else if (figures) {
        print_figures(report);
    }
}
