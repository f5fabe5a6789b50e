// The subcommand `key`: who the user is, and how he is that on another machine, too.
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/print.h"
#include "client-lite/cli/options.h"
#include "client-lite/commands.h"
#include "client-lite/keyring/key_file.h"

static const char HELP[] =
    "usage: apex-client key [OPTION...] [show | new | export FILE | import FILE]\n\n"
    "A driver is known by a key, which bot and watch make when they are first used. Names belong\n"
    "to keys: who has lost his key is somebody else. Whoever has a copy of it is you.\n\n"
    "  show            the file, the fingerprint and the public key, which lobbies ask for\n"
    "                  (what is done without a word, too)\n"
    "  new             makes a key where there is none\n"
    "  export FILE     copies it, for another machine or the page\n"
    "  import FILE     takes such a copy as the key, where there is none\n"
    "  --identity FILE the key's file (default: driver.key in ~/.config/apex, or in apex in\n"
    "                  XDG_CONFIG_HOME)\n"
    "  --help          this text\n\n"
    "Exit code: 0 done, 1 not, 2 usage.\n";

static int fail(const char *why) {
    cli_complain("%s", why);
    return CLI_FAILED;
}

static void print_key(const char *path, const apex_driver_key *key) {
    char name[APEX_FINGERPRINT_TEXT_BYTES];
    char text[APEX_DRIVER_KEY_TEXT_BYTES];
    cli_key_name(key, name);
    apex_driver_key_text(key->key, text);
    apex_print_line(stdout, "file: %s", path);
    apex_print_line(stdout, "fingerprint: %s", name);
    apex_print_line(stdout, "public key: %s", text);
}

static int no_key(const char *path) {
    cli_complain("there is no key yet: apex-client key new makes %s", path);
    return CLI_FAILED;
}

// The user's own. @return CLI_OK, or an exit code after a line that says why.
static int read_own(const char *path, apex_driver_key *out) {
    char why[CLI_KEY_WHY_BYTES];
    apex_err err = cli_key_file_read(path, CLI_KEY_PRIVATE, out, why);
    if (err == APEX_ERR_NOT_FOUND) {
        return no_key(path);
    }
    return err == APEX_OK ? CLI_OK : fail(why);
}

static int key_show(const char *path, const char *file) {
    (void)file;
    apex_driver_key key;
    int code = read_own(path, &key);
    if (code != CLI_OK) {
        return code;
    }
    print_key(path, &key);
    apex_driver_key_forget(&key);
    return CLI_OK;
}

static int write_new(const char *path, const apex_driver_key *key) {
    char why[CLI_KEY_WHY_BYTES];
    apex_err err = cli_key_file_write(path, key, why);
    if (err == APEX_ERR_EXISTS) {
        cli_complain("%s is there already: move it away first, or name another by --identity FILE",
                     path);
        return CLI_FAILED;
    }
    if (err != APEX_OK) {
        return fail(why);
    }
    print_key(path, key);
    return CLI_OK;
}

static int key_new(const char *path, const char *file) {
    (void)file;
    apex_driver_key key;
    apex_driver_key_make(&key);
    int code = write_new(path, &key);
    apex_driver_key_forget(&key);
    return code;
}

static int key_export(const char *path, const char *file) {
    apex_driver_key key;
    char why[CLI_KEY_WHY_BYTES];
    int code = read_own(path, &key);
    if (code != CLI_OK) {
        return code;
    }
    apex_err err = cli_key_file_write(file, &key, why);
    apex_driver_key_forget(&key);
    if (err != APEX_OK) {
        return fail(why);
    }
    apex_print_line(stdout, "%s: whoever has it is you", file);
    return CLI_OK;
}

static int key_import(const char *path, const char *file) {
    apex_driver_key key;
    char why[CLI_KEY_WHY_BYTES];
    if (cli_key_file_read(file, CLI_KEY_ANY, &key, why) != APEX_OK) {
        return fail(why);
    }
    int code = write_new(path, &key);
    apex_driver_key_forget(&key);
    return code;
}

typedef struct deed {
    const char *name;
    bool takes_file;
    int (*run)(const char *path, const char *file);
} deed;

static const deed DEEDS[] = {{"show", false, key_show},
                             {"new", false, key_new},
                             {"export", true, key_export},
                             {"import", true, key_import}};

static int run(const char *path, int count, char *const words[]) {
    const char *name = count > 0 ? words[0] : "show";
    for (size_t i = 0; i < sizeof DEEDS / sizeof DEEDS[0]; i++) {
        if (strcmp(name, DEEDS[i].name) != 0) {
            continue;
        }
        int wanted = DEEDS[i].takes_file ? 2 : 1;
        if (count > wanted || (count < wanted && DEEDS[i].takes_file)) {
            cli_complain("key %s: expected %s", name, DEEDS[i].takes_file ? "one FILE" : "no more");
            return CLI_USAGE;
        }
        return DEEDS[i].run(path, DEEDS[i].takes_file ? words[1] : NULL);
    }
    cli_complain("key: '%s' is not show, new, export or import", name);
    return CLI_USAGE;
}

int cli_key(int argc, char *argv[]) {
    const char *identity = NULL;
    char path[CLI_PATH_BYTES];
    const cli_option options[] = {{"identity", .text = &identity}};
    switch (cli_take_options("key", options, sizeof options / sizeof options[0], argc, argv)) {
    case CLI_OPTIONS_HELP:
        fputs(HELP, stdout);
        return CLI_OK;
    case CLI_OPTIONS_WRONG:
        return CLI_USAGE;
    case CLI_OPTIONS_TAKEN:
        break;
    }
    if (!apex_identity_begin()) {
        return fail("the system gives no random numbers");
    }
    if (identity == NULL && !cli_user_file_path("driver.key", path)) {
        return fail("there is no home directory: name the key by --identity FILE");
    }
    return run(identity != NULL ? identity : path, argc - optind, argv + optind);
}
