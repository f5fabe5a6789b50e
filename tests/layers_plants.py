"""Violations planted to prove that each rule of tests/layers catches its own, and what looks like
one and is none.
"""

import pathlib
import tempfile

PAGE = "server/web/page/src/"
DECISIONS = "server/DECISIONS.md"

# rule, path, text that breaks it.
PLANTED = [
    ("layer", "server/physics/a.c", '#include "race/race.h"\n'),
    ("layer", "server/base/a.c", '#include "physics/physics.h"\n'),
    ("layer", "server/net/a.c", '#  include  "physics/physics.h"\n'),
    ("layer", "proto/a.c", '#include "net/net.h"\n'),
    ("layer", "client-lite/a.c", '#include "race/race.h"\n'),
    ("layer", "server/main.c", '#include "client-lite/client.h"\n'),
    ("private-header", "server/track/a.c", '#include "physics/car_def.h"\n'),
    ("private-header", "server/net/a.c", '#include "proto/codec/codec_messages.h"\n'),
    ("private-header", "server/program/a.c", '#include "host/clients.h"\n'),
    ("layer", "server/main.c", '#include "race/race.h"\n'),
    ("include-path", "server/track/a.c", '#include "server/physics/physics.h"\n'),
    ("include-path", "server/track/a.c", '#include "support/scenes.h"\n'),
    ("foreign-header", "server/net/sessions/session_rounds.c", "#include <enet/enet.h>\n"),
    ("foreign-header", "server/net/sessions/session_rounds.c", '#include "wire.pb-c.h"\n'),
    ("foreign-header", "server/physics/a.c", "#include <uv.h>\n"),
    ("foreign-header", "server/race/a.c", '#include "defs.pb-c.h"\n'),
    ("foreign-header", "server/host/a.c", "#include <yaml.h>\n"),
    ("foreign-header", "server/host/a.c", "#include <uv.h>\n"),
    ("foreign-header", "server/main.c", "#include <uv.h>\n"),
    ("foreign-header", "server/api/a.c", '#include "host/tick_stages.h"\n'),
    ("private-header", "server/playback/a.c", '#include "host/host_private.h"\n'),
    ("whole", "server/host/news/a.c", '#include "host/host_private.h"\n'),
    ("whole", "server/host/views/a.c", '#include "host/tick_stages.h"\n'),
    ("call", "server/physics/a.c", "float f(float x) { return sinf(x); }\n"),
    ("call", "server/track/a.c", "double f(double x) {\n    return 1 + atan2 (x, 1);\n}\n"),
    ("call", "server/host/a.c", "long f(void) { return time(NULL); }\n"),
    ("file-lines", "server/net/a.h", "\n" * 601),
    ("columns", "server/net/a.h", "// " + "x" * 98 + "\n"),
    ("function-lines", "server/net/a.c", "void f(void) {\n" + "    g();\n" * 70 + "}\n"),
    ("function-lines", "tests/unit/a.c", "TEST(f) {\n" + "    g();\n" * 70 + "}\n"),
    ("parameters", "server/net/a.c", "void f(int a, int b, int c, int d, int e, int g) {\n}\n"),
    ("page-layer", PAGE + "ui/a.ts", "import { Map } from '../map/map';\n"),
    ("page-layer", PAGE + "race/a.ts", "import '../ui/dom';\n"),
    ("file-lines", PAGE + "map/a.ts", "\n" * 401),
    ("columns", "server/web/page/test/a.test.ts", "// " + "x" * 98 + "\n"),
    ("file-lines", PAGE + "map/a.css", "\n" * 401),
    ("columns", PAGE + "map/a.css", "/* " + "x" * 98 + " */\n"),
    ("file-lines", "tests/e2e/a.py", "\n" * 401),
    ("file-lines", "tests/layers", "#!/usr/bin/env python3\n" + "\n" * 400),
    ("unfinished", PAGE + "map/a.ts", "// FIX" "ME later\n"),
    ("unfinished", "server/net/a.c", "// TO" "DO later\n"),
    ("foreign-header", "server/store/a.c", "#include <jansson.h>\n"),
    ("call", "server/api/a.c", "void f(void) { json_dumps(a, 0); }\n"),
    ("json", "server/store/a.c", 'void f(void) { puts("{\\"a\\": 1}"); }\n'),
    ("json", "client-lite/a.c", 'void f(void) { puts(", \\"a\\": 1"); }\n'),
    ("named-file", "server/net/a.c", "// As enet/b.c has it.\n"),
    ("named-file", "tests/unit/a.h", "/* It stands in\n   net/a.c. */\n"),
    ("named-file", PAGE + "map/a.ts", "// Beside ui/dom.ts.\n"),
    ("opening", "server/net/a.c", "#include <stdlib.h>\n"),
    ("opening", "tests/unit/a.c", "// links: net\n#include <stdlib.h>\n"),
    ("opening", PAGE + "map/a.ts", "import uPlot from 'uplot';\n"),
    ("banner", "server/net/a.c", "// ---- a part ----\n"),
    ("banner", "tests/unit/a.c", "/* ======== */\n"),
    ("flag", "server/net/CMakeLists.txt", "add_compile_options(-ffast-math)\n"),
    ("flag", "tests/golden/matrix", "flags=-march=native\n"),
]

# What looks like a violation and is none.
HARMLESS = {
    PAGE + "map/a.ts": "import { Words } from '../ui/words';\nimport uPlot from 'uplot';\n",
    PAGE + "main.ts": "import { Shell } from './shell/shell';\n",
    "server/physics/physics.h": '#include "base/error.h"\nint sin_of(int cos);\n',
    "server/physics/a.c": '#include "physics/physics.h"\n#include "car_def.h"\n'
                          '#include "physics/car_def.h"\n#include <math.h>\n'
                          "// sin(x) is not called here, nor in physics/physics.h\n"
                          "// https://a.b/c/d.h\n"
                          "double f(double x) { return physics_sin(x) + sqrt(x) + w.time(x); }\n",
    "server/net/enet/enet_send.c": '#include <enet/enet.h>\n#include "proto/proto.h"\n'
                                   'const char *s = "time(NULL)";\n',
    "proto/codec/codec_race.c": '#include "wire.pb-c.h"\n',
    "server/main.c": '#include "program/hosting.h"\n',
    "server/program/server_loop.c": '#include "host/host.h"\n#include <uv.h>\n'
                             'long f(void) { return time(0); }\n',
    "server/defs/car.c": '#include "defs.pb-c.h"\n',
    "server/host/sizes.c": "static const struct x y[] = {\n" + "    {1},\n" * 100 + "};\n"
                       "void f(void) {\n" + "    g();\n" * 69 + "}\n"
                       "void h(int a, int (*b)(int, int), int c, int d, int e) {\n}\n",
    "server/net/CMakeLists.txt": "# never -ffast-math\n",
}


def folder_of(module):
    return {"main": "server"}.get(module) or (
        module if module in ("proto", "client-lite") else f"server/{module}")


def planted_rooms(rooms_of):
    """Yields, for each arrow that no room may draw, what breaks the rule: by include and by use."""
    for module, rooms in rooms_of.items():
        folder = folder_of(module)
        yield {f"{folder}/annexe/a.c": "\n"}
        for room, allowed in rooms.items():
            for other in sorted(set(rooms) - allowed - {room}):
                yield {f"{folder}/{room}/a.c": f'#include "{module}/{other}/b.h"\n',
                       f"{folder}/{other}/b.h": "void b(void);\n"}
            for other in sorted((set(rooms) | {""}) - allowed - {room}):
                place = f"{folder}/{other}".rstrip("/")
                yield {f"{folder}/{room}/a.c": "void a(void) {\n    b();\n}\n",
                       f"{place}/b.c": "void b(void) {\n}\n"}


def planted_circles(modules):
    for module in modules:
        if module != "main":
            folder = folder_of(module)
            yield {f"{folder}/a.c": "void a(void) {\n    b();\n}\n",
                   f"{folder}/b.c": "void b(void) {\n    c();\n}\n",
                   f"{folder}/c.c": f'#include "{module}/a.h"\nvoid c(void) {{\n}}\n',
                   f"{folder}/a.h": "void a(void);\n"}


def planted_decisions():
    row, entry, named = "| [{0}](#{0}-a) | A | \n", "## {0}. A\n\n", "// DECI" "SIONS {0}\n"
    whole = {"server/a.c": named.format(1), DECISIONS: row.format(1) + entry.format(1)}
    yield whole | {"server/a.c": named.format("1, 2")}
    yield whole | {"server/a.c": "\n"}
    yield whole | {DECISIONS: entry.format(1)}
    yield whole | {DECISIONS: row.format(1) + entry.format(1).replace("A", "B")}
    yield whole | {DECISIONS: (row + entry).format(2), "server/a.c": named.format(2)}


def planted(modules, rooms_of):
    """Yields (rule, files {path: text})."""
    for rule, path, text in PLANTED:
        yield rule, {path: text}
    for files in planted_rooms(rooms_of):
        yield "room", files
    for files in planted_circles(modules):
        yield "circle", files
    for files in planted_decisions():
        yield "decision", files
    yield "file-name", {"server/net/a.c": "\n", "server/race/a.c": "\n"}


def self_test(check_tree, modules, rooms_of):
    """@param check_tree of a root, to a report with lines and rules."""
    count = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)

        def write(path, text, rule=""):
            if path.endswith((".c", ".h", ".ts")) and rule != "opening":
                text = "// A file.\n" + text
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            return file

        for path, text in HARMLESS.items():
            write(path, text)
        for line in check_tree(root).lines:
            failed += 1
            print(f"harmless, yet reported: {line}")
        for path in HARMLESS:
            (root / path).unlink()
        for rule, files in planted(modules, rooms_of):
            count += 1
            written = [write(path, text, rule) for path, text in files.items()]
            rules = check_tree(root).rules
            if rules != {rule}:
                failed += 1
                print(f"planted {rule}: found {sorted(rules) or 'nothing'}: {files}")
            for file in written:
                file.unlink()
    print(f"layers --self-test: {count} violations planted, {failed} wrong answers")
    return failed == 0
