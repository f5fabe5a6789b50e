// A client is measured by the difference of its own counts, from when it is in until it goes out.
#include "client-lite/load/load_measure.h"

#include "client-lite/load/report/load_tally.h"

enum { SHOWN_MAX = 255 }; ///< cars on a sampled client's screen

void cli_load_one_measure(cli_load_one *one, uint64_t time_us) {
    if (one->in && one->measured_us == 0) {
        one->measured_us = time_us;
        one->base = one->seen = apex_client_stats_of(one->client);
    }
}

double cli_load_one_measured(cli_load_one *one, uint64_t time_us) {
    if (one->measured_us == 0) {
        return 0.0;
    }
    cli_load_tally *tally = &one->load->tally;
    apex_client_stats now = apex_client_stats_of(one->client);
    double seconds = (double)(time_us - one->measured_us) / 1e6;
    uint64_t snapshots = now.snapshot_ticks - one->base.snapshot_ticks;
    cli_load_got got = {.seconds = seconds,
                        .bytes = now.bytes_in - one->base.bytes_in,
                        .snapshots = snapshots,
                        .ticks_spanned =
                            now.snapshot_ticks_spanned - one->base.snapshot_ticks_spanned};
    tally->client_s += seconds;
    tally->snapshots += got.snapshots;
    tally->ticks_spanned += got.ticks_spanned;
    if (!one->spectates) {
        tally->player_snapshots += snapshots;
        tally->own_cars += now.own_cars - one->base.own_cars;
        tally->glanced += now.snapshots_glanced - one->base.snapshots_glanced;
        tally->controls_on_tick += now.controls_on_tick - one->base.controls_on_tick;
    }
    tally->bytes_in += got.bytes;
    tally->bytes_out += now.bytes_out - one->base.bytes_out;
    tally->packets_in += now.packets_in - one->base.packets_in;
    tally->packets_out += now.packets_out - one->base.packets_out;
    tally->undecodable += now.undecodable - one->base.undecodable;
    cli_load_hear_client(tally, &got);
    apex_client_prediction predicted = apex_client_prediction_of(one->client);
    if (predicted.compared > 0) {
        cli_load_hear_prediction(tally, predicted.error_m_p50, predicted.error_m_p99,
                                 predicted.error_m_max);
    }
    cli_rival_figures_hear(&tally->rivals, &predicted.rivals);
    return seconds > 0.0 ? (double)snapshots / seconds : 0.0;
}

static bool counts_now(const cli_load_one *one) {
    return one->load->phase == CLI_LOAD_MEASURING && one->measured_us != 0;
}

// Several snapshots that were read together came apart by nothing, the first by all.
static void note_interval(cli_load_one *one, uint64_t snapshots, uint64_t time_us) {
    cli_load_tally *tally = &one->load->tally;
    apex_histogram_add(&tally->interval_us, time_us - one->news_us);
    for (uint64_t i = 1; i < snapshots; i++) {
        apex_histogram_add(&tally->interval_us, 0);
    }
}

void cli_load_one_note_news(cli_load_one *one, uint64_t time_us) {
    cli_load_crowd *load = one->load;
    apex_client_stats now = apex_client_stats_of(one->client);
    uint64_t snapshots = now.snapshot_ticks - one->seen.snapshot_ticks;
    bool counts = counts_now(one);
    if (snapshots > 0) {
        if (counts && one->news_us > one->measured_us) {
            note_interval(one, snapshots, time_us);
        }
        one->news_us = time_us;
        load->lately.snapshots += snapshots;
        if (!one->spectates) {
            load->lately.player_snapshots += snapshots;
            load->lately.controls_on_tick += now.controls_on_tick - one->seen.controls_on_tick;
        }
    }
    if (now.replies != one->seen.replies) {
        apex_histogram_add(&load->lately.rtt_us, now.rtt_newest_us);
        if (counts) {
            apex_histogram_add(&load->tally.rtt_us, now.rtt_newest_us);
        }
    }
    if (now.own_cars != one->seen.own_cars) {
        one->own_tick = apex_client_newest(one->client).tick;
    }
    one->seen = now;
}

// @return by how many ticks the server is past that one.
static double passed(const cli_load_one *one, double tick, uint64_t time_us) {
    return apex_client_server_tick(one->client, time_us) - tick;
}

static void add_age(const cli_load_one *one, apex_histogram *ages_us, double tick,
                    uint64_t time_us) {
    double ticks = passed(one, tick, time_us);
    double age_us = ticks / one->load->tally.tick_hz * 1e6;
    apex_histogram_add(ages_us, age_us > 0.0 ? (uint64_t)age_us : 0);
}

void cli_load_one_note_age(cli_load_one *one, const apex_client_view *view, uint64_t time_us) {
    if (counts_now(one) && one->news_us != 0) {
        add_age(one, &one->load->tally.age_us, (double)view->tick, time_us);
    }
}

// A far car that was heard of a second ago stands still until it comes round again, and says
// nothing of the link; nor does a near one, which is shown where the server will have it.
void cli_load_one_note_shown(cli_load_one *one, uint64_t time_us) {
    apex_client_pose shown[SHOWN_MAX];
    size_t count = apex_client_ahead(one->client, time_us, shown, SHOWN_MAX);
    for (size_t i = 0; i < count && counts_now(one); i++) {
        bool is_ahead = passed(one, shown[i].tick, time_us) < 0.0;
        if (!shown[i].stale && !is_ahead) {
            add_age(one, &one->load->tally.shown_us, shown[i].tick, time_us);
        }
    }
}
