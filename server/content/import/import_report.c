/// An imported circuit as a track file, and what was done to it in lines for people.
#include <string.h>

#include "content/content.h"

apex_err apex_content_write_circuit(const apex_circuit *circuit, const char *source, FILE *out) {
    char comment[640], name[160];
    const char *slash = strrchr(source, '/');
    snprintf(name, sizeof name, "%s", slash != NULL ? slash + 1 : source);
    for (char *at = name; *at != '\0'; at++) {
        if (*at < ' ' || *at > '~') {
            *at = '?';
        }
    }
    snprintf(comment, sizeof comment,
             "Imported from %s, a table of %u points. Mind the licence of its data: those of the\n"
             "TUMFTM racetrack database, for one, are under the LGPL-3.0.\n"
             "Centre line and widths are the table's. What it does not know was made up: sectors,\n"
             "grid, kerbs, gravel, guard rails and heights: %s.\n",
             name, circuit->point_count,
             circuit->bridge_count > 0 ? "level, but for where the lap crosses itself" : "level");
    return apex_content_write_track(&circuit->def, comment, out);
}

void apex_content_report_circuit(const apex_circuit *circuit, FILE *out) {
    fprintf(out, "%s: %u points, a lap of %.1f m\n", circuit->name, circuit->point_count,
            circuit->length_m);
    if (circuit->first_repeated) {
        fputs("  the last point repeats the first and was left out\n", out);
    }
    if (circuit->eased_count > 0) {
        fprintf(out, "  %u points of kinks tighter than any road were moved\n",
                circuit->eased_count);
    }
    if (circuit->narrowed_count > 0) {
        fprintf(out, "  the road was narrowed at %u edges inside of tight bends, by up to %.2f m\n",
                circuit->narrowed_count, circuit->narrowed_m_max);
    }
    for (uint32_t i = 0; i < circuit->bridge_count; i++) {
        fprintf(out,
                "  it crosses itself: a bridge at %.0f m leads %.1f m over the road at %.0f m\n",
                circuit->bridge_m[i], circuit->bridge_height_m, circuit->bridge_under_m[i]);
    }
    if (circuit->bridge_count > 0) {
        fprintf(out, "  ramps climb up to %.1f %%\n", 100 * circuit->bridge_grade);
    }
    fprintf(out,
            "  made up: level ground, sectors of a third, %u kerbs, %u gravel traps, guard rails\n",
            circuit->kerb_count, circuit->trap_count);
}
