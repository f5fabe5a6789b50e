// A file is a recording by its name and its kind.

#include "playback/recordings.h"

#include <fcntl.h>
#include <string.h>

#include "proto/proto.h"

// A name that may stand in an address, too.
static bool is_name(const char *name) {
    static const char suffix[] = ".apexr";
    size_t length = strlen(name);
    return name[0] != '.' && strchr(name, '/') == NULL && length >= sizeof suffix &&
           length < APEX_RECORDING_NAME_BYTES &&
           strcmp(name + length - (sizeof suffix - 1), suffix) == 0 &&
           apex_wire_text_ok(name, length);
}

bool apex_is_recording(int directory, const char *name, struct stat *status) {
    return is_name(name) && fstatat(directory, name, status, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISREG(status->st_mode);
}
