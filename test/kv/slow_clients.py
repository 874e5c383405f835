# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# slow_clients.py KV
#
# Clients that send and never read: others are served, and the server's memory has a bound.

import select
import socket
import sys
import time

import resp

MEGABYTE = 1 << 20


def resident(client):
    text = client.ask("INFO", "memory").decode()
    return next(int(line.split(":")[1]) for line in text.splitlines() if line.startswith("used_memory_rss"))


def send_all_it_takes(client, data, most, quiet=2.0):
    """Until nothing more is taken for a while, or the other side has closed. How much it was."""
    client.socket.setblocking(False)
    sent, last = 0, time.monotonic()
    while sent < most and time.monotonic() - last < quiet:
        try:
            sent += client.socket.send(data[sent % len(data):])
            last = time.monotonic()
        except BlockingIOError:
            select.select([], [client.socket], [], 0.05)
        except (ConnectionResetError, BrokenPipeError):
            break
    client.socket.settimeout(30)
    return sent


def small_buffers(client):
    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    return client


def one_that_asks_for_gigabytes(server, other):
    """5000 times a value of a megabyte, in requests of a few bytes."""
    other.ask("SET", "large", b"x" * MEGABYTE)
    before = resident(other)
    slow = small_buffers(resp.Client(server.port))
    send_all_it_takes(slow, resp.command("GET", "large") * 5000, 5000 * 24)
    for i in range(100):
        assert other.ask("INCR", "served") == i + 1
    grown = resident(other) - before
    print("asks for 5 GB and does not read: %d MB" % (grown // MEGABYTE))
    assert grown < 300 * MEGABYTE, grown
    slow.socket.close()


def one_that_sends_gigabytes(server, other):
    """It reads nothing, so that sooner or later it cannot send any more."""
    before = resident(other)
    slow = small_buffers(resp.Client(server.port))
    many = resp.command("ECHO", b"y" * 1000) * 1000
    sent = send_all_it_takes(slow, many, 2000 * MEGABYTE)
    assert other.ask("PING") == b"+PONG"
    grown = resident(other) - before
    print("took %d MB from one that does not read: %d MB" % (sent // MEGABYTE, grown // MEGABYTE))
    assert sent < 200 * MEGABYTE, sent
    assert grown < 100 * MEGABYTE, grown
    slow.socket.close()


def one_that_subscribes_and_does_not_read(server, other):
    """Redis closes it when 32 MB wait for it; who reads gets all."""
    before = resident(other)
    slow = small_buffers(resp.Client(server.port))
    quick = resp.Client(server.port)
    for c in (slow, quick):
        c.ask("SUBSCRIBE", "news")
    payload = b"z" * (64 << 10)
    told = []
    for i in range(2000):
        told.append(other.ask("PUBLISH", "news", payload))
        assert quick.reply()[1] == [b"message", b"news", payload]
    assert told[0] == 2 and told[-1] == 1, (told[0], told[-1])
    closed_after = told.index(1) * len(payload)
    assert closed_after > 30 * MEGABYTE, closed_after
    grown = resident(other) - before
    print("closed a subscriber that had %d MB to read: %d MB" %
          (closed_after // MEGABYTE, grown // MEGABYTE))
    assert grown < 200 * MEGABYTE, grown
    assert "it does not read what it has subscribed to" in server.text()
    slow.socket.close()


def main():
    with resp.kv(sys.argv[1]) as server:
        other = resp.Client(server.port)
        one_that_asks_for_gigabytes(server, other)
        one_that_sends_gigabytes(server, other)
        one_that_subscribes_and_does_not_read(server, other)


main()
