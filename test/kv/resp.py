# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# What the checks of the key-value store share: servers that are started and ended, and a client that
# has replies as the bytes that came.

import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time


def not_tested(why):
    print("not tested: " + why)
    sys.exit(77)


class Client:
    """One connection. A reply is the bytes of it, and what they mean."""

    def __init__(self, port, limit=30):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.settimeout(limit)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.unread = b""

    def send(self, data):
        self.socket.sendall(data)

    def line(self):
        while b"\r\n" not in self.unread:
            self.more()
        text, self.unread = self.unread.split(b"\r\n", 1)
        return text

    def more(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise EOFError
        self.unread += data

    def exactly(self, count):
        while len(self.unread) < count:
            self.more()
        data, self.unread = self.unread[:count], self.unread[count:]
        return data

    def reply(self):
        """(bytes, meaning)"""
        head = self.line()
        raw = head + b"\r\n"
        kind, rest = head[:1], head[1:]
        if kind in b"$=" and rest != b"-1":
            data = self.exactly(int(rest) + 2)
            return raw + data, data[:-2]
        if kind in b"*>~%" and rest != b"-1":
            meaning = []
            for _ in range(int(rest) * (2 if kind == b"%" else 1)):
                more, element = self.reply()
                raw += more
                meaning.append(element)
            return raw, meaning
        if kind == b":":
            return raw, int(rest)
        return raw, None if kind in b"$*_" else head

    def ask(self, *words):
        self.send(command(*words))
        return self.reply()[1]

    def is_closed(self):
        try:
            return self.socket.recv(1) == b""
        except ConnectionResetError:
            return True
        except TimeoutError:
            return False


def encoded(word):
    return word if isinstance(word, bytes) else str(word).encode()


def command(*words):
    words = [encoded(w) for w in words]
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words)


class Server:
    """A process that is told its port, or tells it, and ends with the block."""

    def __init__(self, name, arguments, port=None, descriptors=None):
        self.name, self.port = name, port
        self.directory = tempfile.mkdtemp(prefix="kv_test.")
        self.said = os.path.join(self.directory, "said")

        def prepare():
            if descriptors:
                resource.setrlimit(resource.RLIMIT_NOFILE, (min(descriptors, 1024), descriptors))

        with open(self.said, "wb") as out:
            self.process = subprocess.Popen(arguments, stdout=out, stderr=out, cwd=self.directory,
                                            stdin=subprocess.DEVNULL, preexec_fn=prepare)
        self.wait()

    def text(self):
        with open(self.said, "rb") as said:
            return said.read().decode(errors="replace")

    def wait(self):
        while True:
            if self.process.poll() is not None:
                raise SystemExit("%s did not start:\n%s" % (self.name, self.text()))
            if self.port is None:
                for line in self.text().splitlines():
                    if line.startswith("listens on"):
                        self.port = int(line.rsplit(":", 1)[1])
            if self.port is not None:
                try:
                    socket.create_connection(("127.0.0.1", self.port)).close()
                    return
                except ConnectionRefusedError:
                    pass
            time.sleep(0.02)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


def kv(program, *arguments, descriptors=None):
    return Server("kv", [os.path.abspath(program), "--port", "0", *arguments],
                  descriptors=descriptors)


def redis(*arguments):
    if shutil.which("redis-server") is None:
        not_tested("against redis-server, which is not here")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    return Server("redis-server", ["redis-server", "--port", str(port), "--save", "", "--databases",
                                   "1", "--bind", "127.0.0.1", *arguments], port=port)
