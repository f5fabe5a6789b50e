"""The classes of Apex's messages, which protoc makes when this is imported."""

import pathlib
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    proto = pathlib.Path(__file__).resolve().parents[2] / "proto"
    subprocess.run(["protoc", f"--proto_path={proto}", f"--python_out={folder}", "wire.proto",
                    "defs.proto"], check=True)
    sys.path.insert(0, folder)
    import defs_pb2 as defs  # pylint: disable=unused-import
    import wire_pb2 as wire  # pylint: disable=unused-import
    sys.path.remove(folder)
