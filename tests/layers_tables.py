"""The tables of tests/layers: what each module and room may use, where foreign headers belong, and
which calls only some may make.
"""

import re

# module: what it may include, itself and system headers apart. DECISIONS 2 says why content may
# include race, DECISIONS 4 why replicate includes track.
SERVING = {"base", "proto", "seal", "udp", "identity", "physics", "track", "driver", "race",
           "content", "defs", "replicate", "net", "web", "store", "replay"}
MODULES = {
    "base": set(),
    "proto": set(),
    "seal": {"base"},
    "udp": {"base"},
    "identity": {"base"},
    "physics": {"base"},
    "track": {"base", "physics"},
    "content": {"base", "physics", "track", "race"},
    "defs": {"base", "proto", "physics", "track"},
    "proving": {"base", "physics"},
    "drawing": {"base", "physics", "track"},
    "driver": {"base", "track", "physics"},
    "race": {"base", "physics", "track", "driver"},
    "replicate": {"base", "proto", "physics", "track", "race"},
    "net": {"base", "proto", "seal", "udp", "identity"},
    "web": {"base", "net"},
    "store": {"base", "identity", "physics", "track", "race"},
    "replay": {"base", "physics", "track", "race"},
    "host": SERVING - {"web"},
    "playback": SERVING - {"web"} | {"host"},
    "api": SERVING | {"host", "playback"},
    "site": SERVING | {"host", "playback", "api"},
    "main": {"base", "content", "playback", "program"},
    "client-lite": {"base", "proto", "seal", "udp", "identity", "defs", "track", "physics",
                    "driver"},
}
MODULES["program"] = set(MODULES) - {"client-lite", "main"}

# Another module includes only <module>/<module>.h, and these; of base any (DECISIONS 1).
PUBLIC = {"client-lite": {"client.h"}, "physics": {"car_def_ranges.h"},
          "net": {"guess_limit.h", "house.h", "player_name.h"},
          "proving": {"textbook.h"}, "race": {"race_def_ranges.h", "weekend_def_ranges.h"},
          "track": {"plan.h", "track_def_ranges.h"},
          "host": {"figures.h", "lateness.h", "operate.h", "running_order.h", "tick_stages.h",
                   "waiting.h"},
          "playback": {"recordings.h"}, "store": {"disk.h"}}
ALL_PUBLIC = {"base", "program"}

# Foreign header: where it may be included, as prefixes of paths below the root. Car and track
# definitions are messages only of defs, hence its place beside proto (DECISIONS 3).
FOREIGN = [
    (r"host/tick_stages\.h", ["server/host/", "server/playback/"]),
    (r"enet/.*", ["server/net/enet/", "server/udp/enet_socket.c",
                  "client-lite/transport_enet.c"]),
    (r".*\.pb-c\.h|protobuf-c/.*", ["proto/codec/", "server/defs/"]),
    (r"libwebsockets\.h", ["server/web/links/"]),
    (r"unicode/.*", ["server/net/player_name.c"]),
    (r"yaml\.h", ["server/content/"]),
    (r"qrencode\.h", ["server/program/qr.c"]),
    (r"uv\.h", ["server/program/", "server/web/", "server/site/", "client-lite/"]),
    (r"sqlite3\.h|libpq-fe\.h", ["server/store/"]),
    (r"zstd\.h", ["server/replay/"]),
    (r"openssl/.*", ["server/web/tls/"]),
    (r"zlib\.h", ["server/web/page_files/"]),
    (r"xxhash\.h|xxh3\.h", ["server/base/hash.c"]),
    (r"jansson\.h", ["server/api/"]),
    (r"pthread\.h|threads\.h", ["server/base/", "server/store/"]),
]

# Calls that would let two machines run apart, or read a clock: pattern, where forbidden, where
# allowed all the same, reason.
CALLS = [
    (r"(?:a?(?:sin|cos|tan)h?|atan2|sincos|exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot"
     r"|fma|tgamma|lgamma|erf)[fl]?",
     ["server/physics/", "server/track/"], [],
     "libm's last bit differs between machines; base has functions of its own"),
    (r"rand|srand|random|drand48|rand_r", ["server/", "proto/", "client-lite/"], [],
     "not the world's generator"),
    (r"clock_gettime|gettimeofday|time|clock|uv_now|uv_hrtime|enet_time_get",
     ["server/", "proto/"], ["server/program/"],
     "time is an argument; only program reads the clock"),
    (r"json_pack|json_dump\w*|json_object_set\w*|json_array_append\w*",
     ["server/", "client-lite/"], [],
     "JSON is written by base/json_writer.h"),
]

# JSON is written by base/json_writer.c alone (DECISIONS 48): literals that open an object or go on
# with one, and the writing half of the library that reads it.
JSON_LITERAL = re.compile(r'"[{,]\s*\\"')
JSON_LITERAL_ALLOWED = ["server/api/api_call.c"]  # the answer for which there is no room left

# A module's rooms, and which of the others each may use. What stands beside them in the module's
# folder may use all of them; its headers are for everybody, its functions for rooms that name "".
ROOMS = {
    "api": {"answer": set(), "metrics": {"answer"}},
    "client-lite": {"input": set(), "tracks": set(), "view": set(),
                    "prediction": {"input", "view"},
                    "session/state": {"input", "view", "prediction"},
                    "session/showing": {"input", "tracks", "view", "prediction", "session/state"},
                    "session/handshake": {"input", "view", "session/state", "session/showing"},
                    "session": {"input", "view", "prediction", "session/state", "session/showing",
                                "session/handshake"},
                    "text": {""}, "pilot": {"", "prediction", "tracks"},
                    "examples": {"", "pilot"},
                    "cli": {"", "text"}, "netsim": {"cli"}, "keyring": {"", "cli"},
                    "watch": {"", "cli", "keyring", "text"},
                    "bot": {"", "cli", "keyring", "pilot", "text"}, "load/crowd": set(),
                    "load/report": {"cli", "load/crowd"},
                    "load": {"", "cli", "keyring", "pilot", "load/crowd", "load/report"},
                    "wasm": {"", "session", "session/showing", "session/handshake", "text",
                             "tracks"}},
    "content": {"document": set(), "fields": {"document"}, "source": {"document"},
                "car_file": {"document", "fields"},
                "track_file": {"document", "fields", "source"},
                "race_file": {"document", "fields", "source"},
                "import": {"document", "source", "track_file"}},
    "drawing": {"svg": set()},
    "driver": {"plan": set(), "drive": {"plan"}},
    "host": {"simulation": set(), "clients": set(), "load": set(), "views": {"clients"},
             "news": {"clients", "simulation"},
             "seats": {"clients", "news", "simulation"},
             "ingest": {"clients", "news", "seats", "simulation"},
             "figures": {"clients", "load", "news"}},
    "net": {"enet": {""}, "sessions": {""}},
    "physics": {"lanes": set(), "ground": {"lanes"}, "type": {"lanes"}, "solver": {"lanes"},
                "car": {"lanes", "ground", "type"},
                "air": {"lanes", "car", "type"},
                "dynamics/pass": {"lanes", "type", "car"},
                "dynamics/body": {"lanes", "ground", "type", "car", "dynamics/pass"},
                "dynamics/wheels": {"lanes", "ground", "type", "car", "dynamics/pass"},
                "dynamics/control": {"lanes", "type", "car", "dynamics/pass"},
                "dynamics/powertrain": {"lanes", "type", "car", "dynamics/pass",
                                        "dynamics/wheels"},
                "dynamics": {"lanes", "ground", "type", "car", "dynamics/pass", "dynamics/body",
                             "dynamics/wheels", "dynamics/control", "dynamics/powertrain"},
                "contact": {"lanes", "type", "car", "dynamics/body", "solver"},
                "world": {"lanes", "ground", "type", "car", "dynamics", "dynamics/body", "solver",
                          "contact", "air"}},
    "proto": {"codec": set(), "delta": set()},
    "proving": {"rig": set(), "test_driver": {"rig"}, "course": {"rig", "test_driver"},
                "manoeuvres": {"rig", "test_driver"}, "paper": set(),
                "report": {"", "rig"}},
    "race": {"walk": set(), "field": {"walk"}, "timing": {"field", "penalties", "walk"}, "rules": {"walk"},
             "penalties": {"walk"}, "pits": {"field", "penalties", "walk"},
             "fault": {"field", "walk"}, "control": {"field", "timing", "rules", "walk"},
             "event": {"field", "timing", "rules", "penalties", "walk"}},
    "track": {"definition": set(), "lap": {"definition"}, "ground": {"definition", "lap"},
              "terrain": {"definition", "lap"}, "walls": {"definition", "lap", "ground"},
              "fit": {"definition", "lap", "walls"}},
    "web": {"door": set(), "http": {"door", "links", "page_files", "tls"},
            "tls": {"door"}, "links": {"door", "tls"}, "page_files": set()},
}

# The page: what a folder of server/web/page/src may import besides itself. main.ts and dev may all.
PAGE = {
    "race": set(),
    "ui": {"race"},
    "map": {"race", "ui"},
    "tower": {"race", "ui"},
    "telemetry": {"race", "ui"},
    "replay": {"race", "ui"},
    "feed": {"race", "ui"},
    "picker": {"race", "ui"},
    "admin": {"race", "ui"},
    "identity": {"race", "ui"},
    "drive": {"race", "ui", "tower", "identity"},
    "header": {"race", "ui", "tower", "feed"},
}
PAGE["shell"] = set(PAGE)
