/// Track files. The centre line is a list of points, or a list of straights and bends (see
/// track_sections.c) that becomes one.
#include "content/track_file/track_file.h"

#include <string.h>

#include "content/document/nodes.h"
#include "content/fields/fields.h"
#include "content/fields/write_fields.h"
#include "content/track_file/track_tables.h"

content_track_file content_default_track_file(void) {
    content_track_file file = {.def = apex_default_track_def(), .width_m = 12};
    return file;
}

static bool check_course(content_reader *reader, const content_track_file *file) {
    const yaml_node_t *points = content_find(reader, reader->root, "points");
    const yaml_node_t *sections = content_find(reader, reader->root, "sections");
    bool terrain = file->def.terrain.columns > 0;
    if (terrain && points == NULL && sections == NULL) {
        return true;
    }
    if (points == NULL && sections == NULL) {
        return content_fail(reader, reader->root->start_mark, APEX_ERR_PARSE,
                            "points: missing (a centre line: points or sections; or a terrain)");
    }
    if (points != NULL && sections != NULL) {
        return content_fail(reader, sections->start_mark, APEX_ERR_PARSE,
                            "sections: there are points already; a track has one centre line");
    }
    const yaml_node_t *finish = content_find(reader, reader->root, "finish_m");
    if (!file->def.closed && finish == NULL) {
        return content_fail(reader, reader->root->start_mark, APEX_ERR_PARSE,
                            "finish_m: missing (an open track needs a finish line)");
    }
    return true;
}

static bool read_file(content_reader *reader, content_track_file *file) {
    if (!content_read_map(reader, reader->root, &content_track_table, file) ||
        !check_course(reader, file)) {
        return false;
    }
    if (file->def.title[0] == '\0') {
        memcpy(file->def.title, file->def.name, sizeof file->def.name);
    }
    if (file->def.closed) {
        file->def.finish_m = file->def.start_m;
    }
    return true;
}

bool content_read_track(content_reader *reader, apex_track_def *out) {
    content_track_file file = content_default_track_file();
    bool good = read_file(reader, &file);
    if (good) {
        *out = file.def;
    } else {
        apex_track_def_free(&file.def);
    }
    return good;
}

void content_write_track(FILE *out) {
    content_writer writer = {.out = out, .kind = "track"};
    content_track_file file = content_default_track_file();
    if (file.def.name[0] == '\0') {
        memcpy(file.def.name, "my-track", sizeof "my-track");
    }
    fputs("# A track. Angles are in degrees, all else in SI units; distances along the lap are\n"
          "# on the centre line from its first point. A key that is left out has the value that\n"
          "# stands here, but the centre line must be given.\n",
          out);
    content_write_map(&writer, &content_track_table, &file, NULL);
}
