// A test that no row of the sources' worked numbers goes untested: the ids that the programs
// test_physics_rows_*.c list, by their text, are those that there are, each once. A program runs
// all that it lists.

#include "support/base/check_main.h"
#include "support/physics/scenes.h"
#include "support/physics/source_rows.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IDS_MAX = 512, ID_BYTES = 16, TEXT_MAX = 1 << 17 };

typedef struct id_list {
    char ids[IDS_MAX][ID_BYTES];
    size_t count;
} id_list;

static id_list listed;
static char text[TEXT_MAX];

static bool read_text(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    size_t length = fread(text, 1, TEXT_MAX - 1, file);
    ck_assert_msg(length < TEXT_MAX - 1, "%s is too long", path);
    text[length] = '\0';
    fclose(file);
    return true;
}

static void add_id(id_list *list, const char *from, size_t length) {
    ck_assert_uint_lt(list->count, IDS_MAX);
    ck_assert_uint_lt(length, ID_BYTES);
    memcpy(list->ids[list->count], from, length);
    list->ids[list->count++][length] = '\0';
}

static size_t count_id(const id_list *list, const char *id) {
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        count += strcmp(list->ids[i], id) == 0 ? 1 : 0;
    }
    return count;
}

// @return whether the text is behind // in its line, and so not compiled.
static bool is_comment(const char *at) {
    for (; at > text && at[-1] != '\n'; at--) {
        if (at[0] == '/' && at[-1] == '/') {
            return true;
        }
    }
    return false;
}

static void collect(const char *path) {
    static const char MARK[] = "ROW(\"";
    ck_assert_msg(read_text(path), "cannot read %s", path);
    ck_assert_msg(strstr(text, "\nROWS_TEST(") != NULL, "%s runs no rows", path);
    for (const char *at = strstr(text, MARK); at != NULL; at = strstr(at + 1, MARK)) {
        if (!is_comment(at)) {
            const char *id = at + sizeof MARK - 1;
            add_id(&listed, id, strcspn(id, "\""));
        }
    }
}

static void collect_all(void) {
    char folder[512], path[1024];
    snprintf(folder, sizeof folder, "%s/tests/unit/physics", getenv("APEX_SOURCE_DIR"));
    listed.count = 0;
    DIR *files = opendir(folder);
    ck_assert_ptr_nonnull(files);
    for (struct dirent *file = readdir(files); file != NULL; file = readdir(files)) {
        size_t length = strlen(file->d_name);
        if (strncmp(file->d_name, "test_physics_rows_", 18) == 0 &&
            strcmp(file->d_name + length - 2, ".c") == 0) {
            snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
            collect(path);
        }
    }
    closedir(files);
}

static bool sources_are_named(void) {
    if (getenv("APEX_SOURCE_DIR") == NULL) {
        puts("APEX_SOURCE_DIR does not say where the tests' sources are");
        return false;
    }
    return true;
}

NEEDS(sources_are_named)

TEST(every_row_has_its_test) {
    size_t count;
    const char *const *known = rows_known(&count);
    collect_all();
    ck_assert_uint_eq(count, 168);
    for (size_t i = 0; i < count; i++) {
        size_t times = count_id(&listed, known[i]);
        ck_assert_msg(times == 1, "row %s is tested %zu times", known[i], times);
    }
    ck_assert_msg(listed.count == count, "%zu rows are tested, there are %zu", listed.count, count);
}

// The reference is no part of the tree; where it lies beside, its ids are ours.
TEST(the_reference_has_the_same_rows) {
    char path[1024];
    static id_list reference;
    snprintf(path, sizeof path, "%s/../shared/reference/physics_tests.tsv",
             getenv("APEX_SOURCE_DIR"));
    if (!read_text(path)) {
        printf("SKIPPED: %s is not there to compare with\n", path);
        return;
    }
    for (const char *line = strchr(text, '\n'); line != NULL && line[1] != '\0';
         line = strchr(line + 1, '\n')) {
        add_id(&reference, line + 1, strcspn(line + 1, "\t\n"));
    }
    size_t count;
    const char *const *known = rows_known(&count);
    ck_assert_uint_eq(reference.count, count);
    for (size_t i = 0; i < count; i++) {
        ck_assert_str_eq(reference.ids[i], known[i]);
    }
}
