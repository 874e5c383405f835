# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# many_clients.py KV
#
# Ten thousand connections from one process to another, each of which is served, and what one costs in
# memory. Exits with 77 where a process may not have as many descriptors.

import resource
import sys
import time

import resp

COUNT = 10_000


def info(client, name):
    text = client.ask("INFO").decode()
    return next(int(line.split(":")[1]) for line in text.splitlines() if line.startswith(name + ":"))


def until(what):
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end, "it does not become so"
        time.sleep(0.05)


def main():
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if most != resource.RLIM_INFINITY and most < COUNT + 200:
        resp.not_tested("%d connections: a process may have %d descriptors" % (COUNT, most))
    resource.setrlimit(resource.RLIMIT_NOFILE, (COUNT + 200, most))

    with resp.kv(sys.argv[1], "--maxclients", str(COUNT), descriptors=COUNT + 200) as server:
        first = resp.Client(server.port)
        until(lambda: info(first, "connected_clients") == 1)
        before = info(first, "used_memory_rss")
        began = time.monotonic()
        clients = [resp.Client(server.port, limit=60) for _ in range(COUNT - 1)]
        for i, c in enumerate(clients):
            c.send(resp.command("SET", "key:%d" % i, i))
        for c in clients:
            assert c.reply()[1] == b"+OK"
        idle = info(first, "used_memory_rss")
        assert info(first, "connected_clients") == COUNT
        # All at once, pipelined, twice.
        for _ in range(2):
            for i, c in enumerate(clients):
                c.send(resp.command("GET", "key:%d" % i) + resp.command("INCR", "n") + b"PING\r\n")
            for i, c in enumerate(clients):
                assert c.reply()[1] == b"%d" % i
                assert isinstance(c.reply()[1], int)
                assert c.reply()[1] == b"+PONG"
        assert first.ask("GET", "n") == b"%d" % (2 * (COUNT - 1))
        took = time.monotonic() - began
        after = info(first, "used_memory_rss")
        refused = resp.Client(server.port)
        assert refused.reply()[1] == b"-ERR max number of clients reached"
        assert refused.is_closed()
        for c in clients:
            c.socket.close()
        until(lambda: info(first, "connected_clients") == 1)
        assert resp.Client(server.port).ask("PING") == b"+PONG"
        print("%d connections in %.1f s: %d bytes each when idle, %d when all have worked at once" %
              (COUNT, took, (idle - before) / COUNT, (after - before) / COUNT))


main()
