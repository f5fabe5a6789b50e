/// The reports of a fleet of bots, for people or as JSON.
#pragma once

#include "client-lite/bot/fleet_state.h"

void cli_report_joined(const cli_report *report, const cli_bot_one *bot);
/// The link broke; and: it is back.
void cli_report_lost_link(const cli_report *report, const cli_bot_one *bot);
void cli_report_back(const cli_report *report, const cli_bot_one *bot);
void cli_report_events(const cli_report *report, const cli_bot_one *bot);
void cli_report_results(cli_report *report, const cli_bot_one *bot);
void cli_report_lost(cli_report *report, const char *name, const char *reason, const char *text);
/// @param figures whether people are told as much as JSON is
void cli_report_end(cli_report *report, uint32_t over, uint32_t lost, bool figures);
