// A recorded race run again, to see that it is the same: every recorded hash and keyframe is
// compared.
#include <stdlib.h>
#include <string.h>

#include "base/print.h"
#include "playback/playback.h"
#include "playback/rerun.h"

typedef struct rerun {
    apex_track *track;
    apex_race *race;
    uint8_t *keyframe;
} rerun;

static apex_err rerun_build(const apex_replay_header *header, const playback_rerun_defs *defs,
                            rerun *run, FILE *out) {
    apex_def_problem problem = {0};
    apex_err err = apex_track_create(&defs->track, &run->track, &problem);
    if (err != APEX_OK) {
        apex_print_line(out, "track: %s: %s", problem.field, problem.reason);
        return err;
    }
    err = apex_race_create(&header->race, run->track, defs->cars, defs->car_count, &run->race);
    if (err != APEX_OK) {
        apex_print_line(out, "the race can't be made: %s", apex_err_text(err));
    }
    return err;
}

static apex_err rerun_create(const apex_replay_header *header, rerun *run, FILE *out) {
    char why[PLAYBACK_RERUN_WHY_BYTES] = "";
    playback_rerun_defs *defs = calloc(1, sizeof *defs);
    if (defs == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    apex_err err = playback_rerun_decode(header, defs, why);
    if (err != APEX_OK) {
        apex_print_line(out, "%s", why);
        free(defs);
        return err;
    }
    err = rerun_build(header, defs, run, out);
    apex_track_def_free(&defs->track);
    free(defs);
    if (err != APEX_OK) {
        return err;
    }
    run->keyframe = malloc(apex_race_save_bytes(run->race));
    return run->keyframe != NULL ? APEX_OK : APEX_ERR_NO_MEMORY;
}

static void rerun_destroy(rerun *run) {
    free(run->keyframe);
    apex_race_destroy(run->race);
    apex_track_destroy(run->track);
}

static bool keyframe_matches(rerun *run, const apex_replay_step *step) {
    size_t length = apex_race_save_bytes(run->race);
    if (step->keyframe.length != length) {
        return false;
    }
    apex_race_save(run->race, run->keyframe);
    return memcmp(run->keyframe, step->keyframe.bytes, length) == 0;
}

static apex_err rerun_step(rerun *run, const apex_replay_step *step, apex_jobs *jobs, FILE *out) {
    if (step->has_keyframe && !keyframe_matches(run, step)) {
        fprintf(out, "differs at the keyframe of tick %llu\n", (unsigned long long)step->tick);
        return APEX_ERR_MISMATCH;
    }
    char why[PLAYBACK_RERUN_WHY_BYTES] = "";
    apex_err err = playback_rerun_step(run->race, step, jobs, why);
    if (err != APEX_OK) {
        apex_print_line(out, "%s", why);
    }
    return err;
}

// A recording that goes on from another begins with what that one has left: with the state that is
// told at its end, or its beginning was made up.
static apex_err rerun_begin(rerun *run, const apex_replay_header *header,
                            const apex_replay_step *step, FILE *out) {
    if (step->tick != header->first_tick || header->first_tick == 0) {
        return APEX_OK;
    }
    if (playback_rerun_begin(run->race, header, step->keyframe)) {
        fprintf(out, "goes on from tick %llu, state %016llx\n", (unsigned long long)step->tick,
                (unsigned long long)apex_race_hash(run->race));
        return APEX_OK;
    }
    fprintf(out, "the keyframe of tick %llu is damaged\n", (unsigned long long)step->tick);
    return APEX_ERR_CORRUPT;
}

static apex_err rerun_all(apex_replay_reader *reader, rerun *run, apex_jobs *jobs, FILE *out) {
    char why[160] = "";
    uint64_t ticks = 0;
    uint64_t hashes = 0;
    for (;;) {
        apex_replay_step step;
        apex_err err = apex_replay_next(reader, &step, why);
        if (err == APEX_ERR_CLOSED) {
            break;
        }
        if (err == APEX_OK) {
            err = rerun_begin(run, apex_replay_header_of(reader), &step, out);
            err = err == APEX_OK ? rerun_step(run, &step, jobs, out) : err;
        } else {
            apex_print_line(out, "%s; %llu ticks before it are as recorded", why,
                            (unsigned long long)ticks);
        }
        if (err != APEX_OK) {
            return err;
        }
        ticks++;
        hashes += step.has_hash;
    }
    fprintf(out, "verified: %llu ticks, %llu hashes, state %016llx\n", (unsigned long long)ticks,
            (unsigned long long)hashes, (unsigned long long)apex_race_hash(run->race));
    return APEX_OK;
}

apex_err apex_replay_verify(const char *path, uint32_t workers, FILE *out) {
    char why[160] = "";
    apex_replay_reader *reader = NULL;
    apex_err err = apex_replay_open(path, &reader, why);
    if (err != APEX_OK) {
        apex_print_line(out, "%s: %s", path, why);
        return err;
    }
    const apex_replay_header *header = apex_replay_header_of(reader);
    rerun run = {0};
    apex_jobs *jobs = workers > 0 ? apex_jobs_create(workers + 1) : NULL;
    err = rerun_create(header, &run, out);
    if (err == APEX_OK) {
        apex_replay_expect_keyframes(reader, apex_race_save_bytes(run.race));
        err = rerun_all(reader, &run, jobs, out);
    }
    rerun_destroy(&run);
    apex_jobs_destroy(jobs);
    apex_replay_reader_close(reader);
    return err;
}
