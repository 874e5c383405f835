# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# differential.py KV
#
# One script of commands, run against redis-server and against the store: the replies must be the same
# bytes, but where the script says otherwise. Exits with 77 if there is no redis-server.

import sys
import time

import resp

LONG = b"x" * 100_000
BINARY = bytes(range(256)) * 3


def same(a, b):
    return a[0] == b[0]


def same_set(a, b):
    """Arrays whose order means nothing."""
    return a[0][:1] == b[0][:1] and sorted(a[1]) == sorted(b[1])


def near(distance):
    return lambda a, b: isinstance(a[1], int) and isinstance(b[1], int) and abs(a[1] - b[1]) <= distance


def same_kind(a, b):
    return a[0][:1] == b[0][:1]


def same_words(a, b):
    """Errors: what comes first, and the code."""
    return a[0].split(b" ")[0] == b[0].split(b" ")[0]


class Script:
    """Steps: (client, bytes to send, replies, how they are compared)."""

    def __init__(self):
        self.steps = []

    def do(self, *words, by="a", how=same, replies=1):
        self.raw(resp.command(*words), by=by, how=how, replies=replies)

    def raw(self, data, by="a", how=same, replies=1):
        self.steps.append((by, data, replies, how))

    def hear(self, by, replies=1, how=same):
        self.raw(b"", by=by, replies=replies, how=how)

    def wait(self, seconds):
        self.steps.append(("wait", seconds, 0, None))

    def scan(self, *options):
        """To its end: the cursors differ, what was found by then does not."""
        self.steps.append(("scan", options, 0, None))

    def closed(self, by):
        self.steps.append(("closed", by, 0, None))


def keys(s):
    s.do("FLUSHALL")
    for size in (0, 1, 2, 3):
        for name in ("GET", "SET", "INCR", "DECR", "INCRBY", "DECRBY", "APPEND", "STRLEN", "TTL",
                     "PTTL", "PERSIST", "DEL", "EXISTS", "MGET", "MSET", "KEYS", "DBSIZE", "ECHO",
                     "PEXPIREAT", "SELECT", "COMMAND", "PUBLISH", "MULTI", "EXEC", "DISCARD"):
            if name == "COMMAND" or name == "MULTI" and size == 0:
                continue
            s.do(name, *["k%d" % i for i in range(size)])
    s.do("FLUSHALL")
    for name in ("nothing", "get\r\nset", "", "x" * 300):
        s.do(name)
        s.do(name, "a", "b\r\nc", "d" * 300, "e")
    s.do("get", "k")
    s.do("GeT", "k")

    values = [b"", b"v", b"12", b"-7", b"0", b"007", b"+3", b" 3", b"3 ", b"1.5", b"9223372036854775807",
              b"-9223372036854775808", b"9223372036854775808", b"-0", BINARY, LONG]
    for value in values:
        s.do("SET", "k", value)
        s.do("GET", "k")
        s.do("STRLEN", "k")
        s.do("INCR", "k")
        s.do("DECR", "k")
        s.do("INCRBY", "k", 10)
        s.do("DECRBY", "k", 3)
        s.do("APPEND", "k", "tail")
        s.do("GET", "k")
    for by in values:
        s.do("SET", "k", 5)
        s.do("INCRBY", "k", by)
        s.do("DECRBY", "k", by)
        s.do("INCRBY", "fresh", by)
        s.do("DEL", "fresh")
    s.do("APPEND", "new", "a")
    s.do("APPEND", "new", "")
    s.do("STRLEN", "none")

    s.do("SET", "k", "v", "NX")
    s.do("SET", "k2", "v", "NX")
    s.do("SET", "k2", "w", "XX")
    s.do("SET", "k3", "w", "XX")
    s.do("SET", "k2", "x", "GET")
    s.do("SET", "k4", "x", "GET")
    s.do("SET", "k4", "y", "NX", "GET")
    s.do("SET", "k5", "y", "XX", "GET")
    s.do("GET", "k5")
    for wrong in (["NX", "XX"], ["EX"], ["EX", "x"], ["EX", "0"], ["EX", "-1"], ["PX", "0"],
                  ["EX", "10", "PX", "10"], ["EX", "10", "KEEPTTL"], ["KEEPTTL", "EX", "10"], ["what"],
                  ["EX", "9223372036854775807"], ["PX", "9223372036854775807"], ["EX", "1.5"],
                  ["PXAT", "-5"], ["EXAT", "0"], ["NX", "NX"], ["GET", "GET"]):
        s.do("SET", "k", "v", *wrong)
        s.do("TTL", "k")

    s.do("MSET", "a", 1, "b", 2, "c", 3, "a", 4)
    s.do("MGET", "a", "b", "c", "d", "a")
    s.do("MSET", "a", 1, "b")
    s.do("EXISTS", "a", "b", "a", "none")
    s.do("DEL", "a", "b", "a", "none")
    s.do("DEL", "none")
    s.do("DBSIZE")
    s.do("FLUSHALL", "what")
    s.do("FLUSHALL", "ASYNC")
    s.do("FLUSHALL", "sync")
    s.do("DBSIZE")


def deadlines(s):
    s.do("FLUSHALL")
    for name in ("EXPIRE", "PEXPIRE"):
        for options in (["NX"], ["XX"], ["GT"], ["LT"], ["XX", "GT"], ["XX", "LT"], ["NX", "XX"],
                        ["GT", "LT"], ["what"]):
            for before in (None, 50, 5000):
                s.do("SET", "k", "v", *(["EX", before] if before else []))
                s.do(name, "k", 1000, *options)
                s.do("PTTL", "k", how=near(1000))
        for count in ("100", "100000", "x", "1.5", "", "9223372036854775807", "-9223372036854775808"):
            s.do("SET", "k", "v")
            s.do(name, "none", count)
            s.do(name, "k", count)
            s.do("TTL", "k", how=near(1))
            s.do("PTTL", "k", how=near(1000))
    s.do("SET", "k", "v")
    s.do("TTL", "none")
    s.do("PTTL", "none")
    s.do("TTL", "k")
    s.do("PTTL", "k")
    s.do("PERSIST", "k")
    s.do("EXPIRE", "k", 100)
    s.do("PERSIST", "k")
    s.do("PERSIST", "k")
    s.do("PERSIST", "none")
    s.do("SET", "k", "v", "EX", 100)
    s.do("TTL", "k", how=near(1))
    s.do("APPEND", "k", "w")
    s.do("TTL", "k", how=near(1))
    s.do("SET", "k", "v", "KEEPTTL")
    s.do("TTL", "k", how=near(1))
    s.do("SET", "k", "v")
    s.do("TTL", "k")
    s.do("SET", "k", "1", "PX", 100_000)
    s.do("INCR", "k")
    s.do("PTTL", "k", how=near(1000))
    s.do("EXPIRE", "k", -1)
    s.do("EXISTS", "k")
    s.do("SET", "k", "v")
    s.do("PEXPIREAT", "k", "1")
    s.do("GET", "k")
    s.do("SET", "k", "v")
    s.do("PEXPIREAT", "k", "99999999999999")
    s.do("TTL", "k", how=near(1))
    s.do("SET", "k", "v", "EXAT", "99999999999")
    s.do("TTL", "k", how=near(1))
    s.do("SET", "short", "v", "PX", 40)
    s.do("MSET", "x", 1, "y", 2)
    s.do("PEXPIRE", "y", 40)
    s.wait(0.3)
    s.do("GET", "short")
    s.do("MGET", "x", "y")
    s.do("EXISTS", "short", "y")
    s.do("TTL", "short")
    s.do("INCR", "short")
    s.do("DBSIZE")


def listing(s):
    s.do("FLUSHALL")
    for i in range(60):
        s.do("SET", "key:%d" % i, i)
    for i in range(10):
        s.do("SET", "other[%d]" % i, i)
    for pattern in ("*", "key:*", "key:?", "key:[0-4]", "key:[^0-4]", "other\\[?]", "o*r*", "none", "",
                    "[", "key:[9-0]", "**", "*5*", "\\", "k[a-", "[^]*"):
        s.do("KEYS", pattern, how=same_set)
    for wrong in (["x"], ["0", "COUNT"], ["0", "COUNT", "x"], ["0", "COUNT", "0"],
                  ["0", "COUNT", "-1"], ["0", "MATCH"], ["0", "what"], ["0", "what", "x"]):
        s.do("SCAN", *wrong)
    for options in ([], ["MATCH", "key:*"], ["TYPE", "string"], ["TYPE", "list"], ["MATCH", "none"],
                    ["COUNT", 1], ["COUNT", 1000], ["MATCH", "key:?", "COUNT", 3]):
        s.scan(*options)


def connection(s):
    for words in (["PING"], ["PING", "hello"], ["PING", "a", "b"], ["ECHO", ""], ["ECHO", BINARY],
                  ["SELECT", 0], ["SELECT", 1], ["SELECT", "x"], ["SELECT", -1]):
        s.do(*words)
    s.do("CLIENT")
    s.do("CLIENT", "GETNAME")
    s.do("CLIENT", "SETNAME", "me")
    s.do("CLIENT", "GETNAME")
    for wrong in ("a b", "a\nb", "ä"):
        s.do("CLIENT", "SETNAME", wrong)
    s.do("CLIENT", "SETNAME")
    s.do("CLIENT", "SETNAME", "a", "b")
    s.do("CLIENT", "SETNAME", "")
    s.do("CLIENT", "GETNAME")
    s.do("CLIENT", "what")
    s.do("CLIENT", "ID", "x")
    s.do("CLIENT", "ID", how=same_kind)
    s.do("CLIENT", "INFO", how=same_kind)
    s.do("CONFIG", "GET", "nothing-like-that")
    s.do("CONFIG", "GET", "databases")
    s.do("CONFIG", "GET", "DataBases")
    s.do("CONFIG", "GET", "proto-max-bulk-le?")
    s.do("CONFIG", "GET", "save", "none", "maxmemory", how=same_set)
    s.do("CONFIG", "GET")
    s.do("CONFIG", "what")
    s.do("CONFIG")
    s.do("COMMAND", "COUNT", how=same_kind)
    s.do("COMMAND", "COUNT", "x")
    s.do("COMMAND", "DOCS", "nothing")
    s.do("COMMAND", "INFO", "nothing", "none")
    s.do("COMMAND", "what")
    s.do("INFO", how=same_kind)
    s.do("INFO", "server", how=same_kind)
    s.do("INFO", "nothing")
    s.do("HELLO", "4")
    s.do("HELLO", "1")
    s.do("HELLO", "x")
    s.do("HELLO", "2", "what")
    s.do("HELLO", "2", "SETNAME")
    s.do("HELLO", "2", "SETNAME", "a b")
    s.do("HELLO", "2", "AUTH", "nobody", "x")
    s.do("HELLO", how=same_kind)
    s.do("RESET")
    s.do("DEBUG")
    s.do("QUIT", by="quits")
    s.closed("quits")
    # Inline commands.
    for line in (b"PING\r\n", b"PING\n", b"  PING   hello \r\n", b"ECHO \"a \\x41\\n\"\r\n",
                 b"ECHO 'it\\'s'\r\n", b"SET k 'two words'\r\n", b"GET k\r\n", b"\r\n\r\nPING\r\n",
                 b"*0\r\n*-1\r\nPING\r\n", b"what is it\r\n", b"GET\r\n"):
        s.raw(line, by="inline")
    # Many at once.
    many = b"".join(resp.command("SET", "p%d" % (i % 7), i) + resp.command("GET", "p%d" % (i % 5)) +
                    resp.command("INCR", "n") + b"PING\r\n" for i in range(200))
    s.raw(many, replies=800)


def protocol_errors(s):
    for i, wrong in enumerate((b"*x\r\n", b"*2147483648\r\n", b"*99999999999999999999\r\n", b"*+1\r\n",
                               b"*1\r\nPING\r\n", b"*1\r\n$x\r\n", b"*1\r\n$-1\r\n",
                               b"*1\r\n$536870913\r\n", b"*2\r\n$3\r\nGET\r\n:1\r\n",
                               b"*" + b"1" * 70_000, b"*1\r\n$" + b"1" * 70_000, b"a" * 70_000,
                               b"GET \"a\r\n", b"GET 'a\r\n", b"GET \"a\"b\r\n")):
        by = "wrong %d" % i
        s.raw(b"PING\r\n", by=by)
        s.raw(wrong, by=by)
        s.closed(by)


def transactions(s):
    s.do("FLUSHALL")
    s.do("EXEC")
    s.do("DISCARD")
    s.do("MULTI")
    s.do("EXEC")
    s.do("MULTI", "x")
    s.do("MULTI")
    s.do("MULTI")
    s.do("SET", "a", 1)
    s.do("EXEC")
    s.do("MULTI")
    for words in (["SET", "a", 1], ["MSET", "b", 2, "c", 3, "d", 4], ["INCR", "a"], ["GET", "a"],
                  ["MGET", "a", "b", "none"], ["INCR", "b"], ["SET", "t", "text"], ["INCR", "t"],
                  ["DEL", "b", "c", "none"], ["EXISTS", "a", "b"], ["DBSIZE"], ["PING"], ["ECHO", "x"],
                  ["SET", "a", "v", "NX"], ["GET", "none"], ["SELECT", 0], ["CLIENT", "GETNAME"],
                  ["PUBLISH", "nobody", "x"], ["EXPIRE", "a", 100], ["TTL", "none"], ["APPEND", "a", "x"],
                  ["SET", "a", "v", "what"], ["PERSIST", "a"], ["STRLEN", "a"]):
        s.do(*words)
    s.do("GET", "a", by="b")
    s.do("EXEC")
    s.do("KEYS", "*", how=same_set)
    # What cannot be queued.
    for wrong in (["what"], ["GET"], ["MSET", "a"], ["CLIENT"]):
        s.do("MULTI")
        s.do("SET", "never", 1)
        s.do(*wrong)
        s.do("SET", "never", 2)
        s.do("EXEC")
        s.do("GET", "never")
    s.do("MULTI")
    s.do("SET", "never", 1)
    s.do("DISCARD")
    s.do("EXEC")
    s.do("GET", "never")
    s.do("MULTI")
    s.do("what")
    s.do("DISCARD")
    s.do("MULTI")
    s.do("SET", "a", 5)
    s.do("FLUSHALL")
    s.do("SET", "z", 5)
    s.do("EXEC")
    s.do("KEYS", "*", how=same_set)
    s.do("MULTI", by="gone")
    s.do("SET", "never", 1, by="gone")
    s.do("QUIT", by="gone")
    s.closed("gone")
    s.do("EXISTS", "never")
    s.do("MULTI")
    s.do("RESET")
    s.do("EXEC")
    s.raw(b"".join(resp.command(*w) for w in (["MULTI"], ["SET", "p", 1], ["INCR", "p"], ["EXEC"],
                                               ["GET", "p"], ["MULTI"], ["GET", "p"], ["EXEC"])), replies=8)


def subscriptions(s, form):
    listener, other = "listener", "other"
    if form == 3:
        for by in (listener, other):
            s.do("HELLO", 3, by=by, how=same_kind)
    s.do("UNSUBSCRIBE", by=listener)
    s.do("PUNSUBSCRIBE", by=listener)
    s.do("UNSUBSCRIBE", "never", by=listener)
    s.do("SUBSCRIBE", by=listener)
    s.do("SUBSCRIBE", "one", "two", "one", by=listener, replies=3)
    s.do("PUBLISH", "one", "hello")
    s.hear(listener)
    s.do("PUBLISH", "three", "hello")
    s.do("PSUBSCRIBE", "o*", "t[wh]*", by=listener, replies=2)
    s.do("PUBLISH", "one", BINARY)
    s.hear(listener, 2)
    s.do("PUBLISH", "three", LONG)
    s.hear(listener)
    s.do("SUBSCRIBE", "one", by=other)
    s.do("PUBLISH", "one", "to two")
    s.hear(listener, 2)
    s.hear(other)
    for words in (["PING"], ["PING", "hello"], ["PING", "a", "b"], ["GET", "k"], ["MULTI"], ["EXEC"],
                  ["DISCARD"], ["what"], ["GET"], ["PUBLISH", "nobody", "x"], ["SET", "k", "v"], ["DBSIZE"],
                  ["DEL", "n"], ["ECHO", "x"]):
        s.do(*words, by=listener)
    if form == 3:
        s.do("DISCARD", by=listener)
    else:
        s.do("HELLO", "3", by=listener)
    s.do("UNSUBSCRIBE", "one", "never", by=listener, replies=2)
    s.do("PUBLISH", "one", "again")
    s.hear(listener)
    s.hear(other)
    s.do("PUNSUBSCRIBE", "o*", by=listener)
    s.do("PUBLISH", "one", "again")
    s.hear(other)
    s.do("PUBLISH", "two", "again")
    s.hear(listener, 2)
    s.do("PUNSUBSCRIBE", by=listener)
    s.do("UNSUBSCRIBE", by=listener)
    s.do("PUBLISH", "two", "nobody")
    s.do("SET", "k", "v", by=listener)
    s.do("GET", "k", by=listener)
    # Many, in order.
    s.do("SUBSCRIBE", "many", by=listener)
    s.raw(b"".join(resp.command("PUBLISH", "many", i) for i in range(500)), replies=500)
    s.hear(listener, 500)
    s.do("RESET", by=listener)
    s.do("PUBLISH", "many", "x")
    s.do("GET", "k", by=listener)
    # What was done before is seen by who hears of it.
    s.do("SUBSCRIBE", "done", by=listener)
    s.raw(resp.command("SET", "k", "new") + resp.command("PUBLISH", "done", "k"), replies=2)
    s.hear(listener)
    s.do("QUIT", by=other)
    s.closed(other)
    s.do("SUBSCRIBE", "in", by="inside")
    s.do("UNSUBSCRIBE", by="inside")
    s.do("MULTI", by="inside")
    s.do("SUBSCRIBE", "in", by="inside")
    s.do("EXEC", by="inside")
    s.do("GET", "k", by="inside")
    s.do("PUBLISH", "in", "x")
    s.hear("inside")


def run(script, server):
    """The replies of each step."""
    clients, seen = {}, []

    def client(name):
        if name not in clients:
            clients[name] = resp.Client(server.port, limit=5)
        return clients[name]

    for by, data, replies, _ in script.steps:
        if by == "wait":
            time.sleep(data)
            seen.append([])
        elif by == "scan":
            cursor, found = b"0", set()
            while True:
                cursor, some = client("a").ask("SCAN", cursor, *data)
                found.update(some)
                if cursor == b"0":
                    break
            seen.append([(repr(sorted(found)).encode(), None)])
        elif by == "closed":
            seen.append([(b"closed" if client(data).is_closed() else b"open", None)])
        else:
            client(by).send(data)
            got = []
            try:
                for _ in range(replies):
                    got.append(client(by).reply())
            except (EOFError, OSError) as wrong:
                got.append((repr(wrong).encode(), None))
            seen.append(got)
    return seen


def compare(name, script, redis_server, kv_server):
    wrong = 0
    wanted, got = run(script, redis_server), run(script, kv_server)
    for step, a, b in zip(script.steps, wanted, got):
        how = step[3]
        if len(a) != len(b) or not all(how is None and x == y or how is not None and how(x, y)
                                       for x, y in zip(a, b)):
            wrong += 1
            if wrong <= 10:
                first = next((i for i, (x, y) in enumerate(zip(a, b)) if x[0] != y[0]), 0)
                print("%s: %r by %s" % (name, step[1][:100] if step[1] else step[1], step[0]))
                print("  redis-server: %r" % (a[first:first + 1] and a[first][0][:300]))
                print("  kv:           %r" % (b[first:first + 1] and b[first][0][:300]))
    return len(script.steps), wrong


def main():
    commands = failures = 0
    with resp.redis() as redis_server:
        for partitions in (1, 3):
            with resp.kv(sys.argv[1], "--partitions", str(partitions)) as kv_server:
                for form in (2, 3):
                    for part in (keys, deadlines, listing, connection, protocol_errors, transactions,
                                 subscriptions):
                        s = Script()
                        if form == 3:
                            s.do("HELLO", 3, how=same_kind)
                        part(s, form) if part is subscriptions else part(s)
                        count, wrong = compare("%s, RESP%d, %d partitions" %
                                               (part.__name__, form, partitions), s, redis_server, kv_server)
                        commands += count
                        failures += wrong
    print("%d steps, %d differ" % (commands, failures))
    return 1 if failures else 0


sys.exit(main())
