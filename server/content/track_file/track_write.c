/// A definition written as a track file.
#include <string.h>

#include "base/assert.h"
#include "content/content.h"
#include "content/document/value.h"
#include "content/fields/write_fields.h"
#include "content/track_file/track_file.h"
#include "content/track_file/track_tables.h"

enum { GROUND_FIELDS = 3 }; // terrain, points and sections, the last of the table

static void write_point(FILE *out, const apex_track_point *point) {
    char degrees[32];
    const double values[5] = {point->x_m, point->y_m, point->z_m, point->left_m, point->right_m};
    fputs("  - [", out);
    content_write_reals(out, values, 5);
    if (point->banking_rad != 0.0) {
        content_print_degrees(point->banking_rad, degrees);
        fprintf(out, ", %s", degrees);
    }
    fputs("]\n", out);
}

static void write_comment(const char *comment, FILE *out) {
    while (*comment != '\0') {
        size_t length = strcspn(comment, "\n");
        fprintf(out, "#%s%.*s\n", length > 0 ? " " : "", (int)length, comment);
        comment += length + (comment[length] == '\n');
    }
}

apex_err apex_content_write_track(const apex_track_def *def, const char *comment, FILE *out) {
    APEX_ASSERT(def->terrain.columns == 0);
    content_track_file unlike = content_default_track_file();
    content_track_file file = unlike;
    file.def = *def;
    // A closed track's finish line is its start line, and a reader makes it so.
    if (def->closed) {
        file.def.finish_m = unlike.def.finish_m;
    }
    const content_table head = {content_track_table.fields,
                                content_track_table.count - GROUND_FIELDS};
    content_writer writer = {.out = out, .kind = "track"};
    write_comment(comment, out);
    content_write_map(&writer, &head, &file, &unlike);
    fputs(
        "# Centre line: [x, y, height, width to the left, width to the right, banking in degrees]\n"
        "points:\n",
        out);
    for (uint32_t i = 0; i < def->point_count; i++) {
        write_point(out, &def->points[i]);
    }
    return fflush(out) == 0 && ferror(out) == 0 ? APEX_OK : APEX_ERR_IO;
}
