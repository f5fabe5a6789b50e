/// The source of a car's, a track's or a race's text: a path, a content directory, or what ships
/// inside the program.
#include "content/source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "content/document/limits.h"
#include "content/document/problem.h"
#include "content/source/embedded.h"

const char *content_kind_word(apex_content_kind kind) {
    static const char *const words[] = {"car", "track", "race"};
    return words[kind];
}

void content_source_free(content_source *source) {
    free(source->owned);
    *source = (content_source){0};
}

static apex_err read_all(int fd, size_t size, content_source *out, apex_content_problem *problem) {
    char *text = malloc(size + 1);
    if (text == NULL) {
        content_explain(problem, "%s: out of memory", out->label);
        return APEX_ERR_NO_MEMORY;
    }
    size_t length = 0;
    ssize_t got = 1;
    while (length < size && got > 0) {
        got = read(fd, text + length, size - length);
        if (got > 0) {
            length += (size_t)got;
        }
    }
    if (got < 0) {
        content_explain(problem, "%s: %s", out->label, strerror(errno));
        free(text);
        return APEX_ERR_IO;
    }
    text[length] = '\0';
    out->text = text;
    out->owned = text;
    out->length = length;
    return APEX_OK;
}

apex_err content_source_read(const char *path, content_source *out, apex_content_problem *problem) {
    *out = (content_source){0};
    snprintf(out->label, sizeof out->label, "%s", path);
    // Non-blocking, so that a pipe with no writer is refused below instead of waited for.
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0) {
        int error = errno;
        content_explain(problem, "%s: %s", path, apex_errno_text(error));
        if (fd >= 0) {
            close(fd);
        }
        return apex_err_from_errno(error);
    }
    apex_err err = APEX_ERR_IO;
    if (!S_ISREG(status.st_mode)) {
        content_explain(problem, "%s: not a file", path);
    } else if (status.st_size > CONTENT_FILE_BYTES_MAX) {
        content_explain(problem, "%s: the file has %lld bytes; at most %d are read", path,
                        (long long)status.st_size, CONTENT_FILE_BYTES_MAX);
        err = APEX_ERR_RANGE;
    } else {
        err = read_all(fd, (size_t)status.st_size, out, problem);
    }
    close(fd);
    return err;
}

static bool is_file(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool looks_like_path(const char *name) {
    size_t length = strlen(name);
    return strchr(name, '/') != NULL || (length > 5 && strcmp(name + length - 5, ".yaml") == 0) ||
           (length > 4 && strcmp(name + length - 4, ".yml") == 0);
}

static bool join_path(char path[APEX_CONTENT_PATH_BYTES], const char *directory, const char *folder,
                      const char *name, const char *ending) {
    int length =
        snprintf(path, APEX_CONTENT_PATH_BYTES, "%s/%s%s%s", directory, folder, name, ending);
    return length > 0 && length < APEX_CONTENT_PATH_BYTES && is_file(path);
}

static bool find_in_directory(apex_content_kind kind, const char *name, const char *directory,
                              char path[APEX_CONTENT_PATH_BYTES]) {
    static const char *const folders[] = {"cars/", "tracks/", "races/"};
    return join_path(path, directory, folders[kind], name, ".yaml") ||
           join_path(path, directory, "", name, ".yaml") ||
           join_path(path, directory, "", name, "");
}

static const struct apex_embedded_file *find_shipped(const char *kind, const char *name) {
    for (size_t i = 0; i < apex_embedded_file_count; i++) {
        const struct apex_embedded_file *file = &apex_embedded_files[i];
        if (strcmp(file->kind, kind) == 0 && strcmp(file->name, name) == 0) {
            return file;
        }
    }
    return NULL;
}

const char *apex_content_shipped(apex_content_kind kind, size_t index) {
    for (size_t i = 0; i < apex_embedded_file_count; i++) {
        if (strcmp(apex_embedded_files[i].kind, content_kind_word(kind)) == 0 && index-- == 0) {
            return apex_embedded_files[i].name;
        }
    }
    return NULL;
}

static apex_err not_found(apex_content_kind kind, const char *name, const char *directory,
                          apex_content_problem *problem) {
    const char *word = content_kind_word(kind);
    char shipped[256] = "";
    size_t used = 0;
    const char *one = NULL;
    for (size_t i = 0; (one = apex_content_shipped(kind, i)) != NULL; i++) {
        int added =
            snprintf(shipped + used, sizeof shipped - used, "%s%s", i == 0 ? "" : ", ", one);
        used += added > 0 && (size_t)added < sizeof shipped - used ? (size_t)added : 0;
    }
    content_explain(problem, "no %s called '%.64s': no such file%s%.128s; shipped are %s", word,
                    name, directory != NULL ? ", none in " : "", directory != NULL ? directory : "",
                    shipped);
    return APEX_ERR_NOT_FOUND;
}

static void take_shipped(const struct apex_embedded_file *file, content_source *out) {
    snprintf(out->label, sizeof out->label, "shipped %s %s", file->kind, file->name);
    out->text = (const char *)file->bytes;
    out->length = file->length;
}

apex_err content_source_find(apex_content_kind kind, const char *name, const char *directory,
                             content_source *out, apex_content_problem *problem) {
    char path[APEX_CONTENT_PATH_BYTES];
    *out = (content_source){0};
    // A bare name may also be that of a folder nearby, which is no reason to fail.
    if (is_file(name) || (looks_like_path(name) && access(name, F_OK) == 0)) {
        return content_source_read(name, out, problem);
    }
    if (directory != NULL && find_in_directory(kind, name, directory, path)) {
        return content_source_read(path, out, problem);
    }
    const struct apex_embedded_file *file = find_shipped(content_kind_word(kind), name);
    if (file == NULL) {
        return not_found(kind, name, directory, problem);
    }
    take_shipped(file, out);
    return APEX_OK;
}

static bool is_file_name(const char *name) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    return name[0] != '\0' && name[0] != '.' && name[strspn(name, letters)] == '\0';
}

apex_err content_source_beside(const content_source *of, const char *name, content_source *out,
                               apex_content_problem *problem) {
    *out = (content_source){0};
    if (!is_file_name(name)) {
        content_explain(problem, "expected the name of a file in the same folder, made of letters, "
                                 "digits, '.', '_' and '-'");
        return APEX_ERR_PARSE;
    }
    if (of != NULL && of->owned != NULL) {
        char path[APEX_CONTENT_PATH_BYTES];
        const char *slash = strrchr(of->label, '/');
        int folder = slash != NULL ? (int)(slash - of->label) + 1 : 0;
        int length = snprintf(path, sizeof path, "%.*s%s", folder, of->label, name);
        if (length > 0 && (size_t)length < sizeof path) {
            return content_source_read(path, out, problem);
        }
        content_explain(problem, "the path to '%.64s' is too long", name);
        return APEX_ERR_RANGE;
    }
    const struct apex_embedded_file *file = of != NULL ? find_shipped("map", name) : NULL;
    if (file == NULL) {
        content_explain(problem, "there is no file '%.64s' beside this one", name);
        return APEX_ERR_NOT_FOUND;
    }
    take_shipped(file, out);
    return APEX_OK;
}

/// A file's references count from its own folder, else as they are (from the working directory).
static void resolve(const char *race_path, char name[APEX_CONTENT_PATH_BYTES]) {
    char path[APEX_CONTENT_PATH_BYTES];
    const char *slash = strrchr(race_path, '/');
    if (slash == NULL || name[0] == '/' || !looks_like_path(name)) {
        return;
    }
    int length = snprintf(path, sizeof path, "%.*s/%s", (int)(slash - race_path), race_path, name);
    if (length > 0 && (size_t)length < sizeof path && is_file(path)) {
        memcpy(name, path, sizeof path);
    }
}

void content_resolve_race(apex_race_file *race, const char *race_path) {
    resolve(race_path, race->track);
    for (uint32_t i = 0; i < race->car_count; i++) {
        resolve(race_path, race->cars[i]);
    }
}
