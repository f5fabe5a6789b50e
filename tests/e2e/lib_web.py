"""A WebSocket by hand, with which a script can also say what no honest browser would; and HTTP."""

import base64
import http.client
import json
import os
import socket
import struct

SUBPROTOCOL = "apex-1"
BINARY, TEXT, CLOSE, PING, PONG = 2, 1, 8, 9, 10


def varint(number):
    """As protobuf writes numbers."""
    said = b""
    while number > 127:
        said += bytes([number & 127 | 128])
        number >>= 7
    return said + bytes([number])


def field(number, content):
    """A field of a message: a number, or bytes."""
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    return varint(number << 3 | 2) + varint(len(content)) + content


def frame(content, opcode=BINARY, final=True, masked=True):
    """A frame as clients send it."""
    length = len(content)
    head = bytes([(0x80 if final else 0) | opcode])
    mark = 0x80 if masked else 0
    if length < 126:
        head += bytes([mark | length])
    elif length < 65536:
        head += bytes([mark | 126]) + struct.pack(">H", length)
    else:
        head += bytes([mark | 127]) + struct.pack(">Q", length)
    if not masked:
        return head + content
    mask = os.urandom(4)
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(content))


def handshake(port, path, **changed):
    """The bytes that ask for a WebSocket; a header of None is left out."""
    headers = {
        "Host": f"127.0.0.1:{port}", "Upgrade": "websocket", "Connection": "Upgrade",
        "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
        "Sec-WebSocket-Version": "13", "Sec-WebSocket-Protocol": SUBPROTOCOL,
    }
    headers.update({name.replace("_", "-"): value for name, value in changed.items()})
    lines = [f"GET {path} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in headers.items() if value is not None]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def connect(port, source="127.0.0.1", receive_bytes=0):
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if receive_bytes > 0:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    made.bind((source, 0))
    made.settimeout(5)
    made.connect(("127.0.0.1", port))
    return made


class WebSocket:
    """Opened at once; `status` says how the server answered."""

    def __init__(self, port, path, source="127.0.0.1", receive_bytes=0, **changed):
        self.socket = connect(port, source, receive_bytes)
        self.socket.sendall(handshake(port, path, **changed))
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            more = self.socket.recv(4096)
            if not more:
                break
            self.buffer += more
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        self.status = int(head.split(b" ")[1]) if head else 0

    def send(self, content, **how):
        self.socket.sendall(frame(content, **how))

    def _take(self, length):
        while len(self.buffer) < length:
            more = self.socket.recv(65536)
            if not more:
                raise ConnectionError("closed")
            self.buffer += more
        taken, self.buffer = self.buffer[:length], self.buffer[length:]
        return taken

    def receive(self):
        """The next frame: (opcode, content). Raises where the connection has ended."""
        first, second = self._take(2)
        length = second & 0x7F
        if length == 126:
            length = struct.unpack(">H", self._take(2))[0]
        elif length == 127:
            length = struct.unpack(">Q", self._take(8))[0]
        return first & 0x0F, self._take(length)

    def close_code(self):
        """Reads on to the end: the code of the close frame, 0 without one, None if there is no end."""
        try:
            while True:
                opcode, content = self.receive()
                if opcode == CLOSE:
                    return struct.unpack(">H", content[:2])[0] if len(content) >= 2 else 0
        except ConnectionError:
            return 0
        except TimeoutError:
            return None

    def close(self):
        self.socket.close()


def get(port, path, method="GET", body=None, **headers):
    """(status, headers, text)"""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    link.request(method, path, body, {name.replace("_", "-"): v for name, v in headers.items()})
    answer = link.getresponse()
    content = answer.read()
    link.close()
    return answer.status, dict(answer.getheaders()), content.decode("utf-8", "replace")


def get_json(port, path):
    return json.loads(get(port, path)[2])
