// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The store, used through hiredis: its blocking calls, its pipelines, and its asynchronous subscriptions.

#define BOOST_TEST_MODULE kv_hiredis
#include <boost/test/unit_test.hpp>

#include "../running_store.hpp"

#include <hiredis/async.h>
#include <hiredis/hiredis.h>

#include <poll.h>

#include <memory>
#include <string>
#include <vector>

using kv_test::running_store;

namespace {

struct free_reply {
  void operator()(redisReply* r) const noexcept { freeReplyObject(r); }
};
using reply = std::unique_ptr<redisReply, free_reply>;
using context = std::unique_ptr<redisContext, decltype(&redisFree)>;

context connect(unsigned short port) { return {redisConnect("127.0.0.1", port), &redisFree}; }

template <class... Arguments>
reply ask(const context& to, const char* format, Arguments... arguments) {
  return reply(static_cast<redisReply*>(redisCommand(to.get(), format, arguments...)));
}
reply next(const context& from) {
  void* r = nullptr;
  return reply(redisGetReply(from.get(), &r) == REDIS_OK ? static_cast<redisReply*>(r) : nullptr);
}

std::string text(const redisReply* r) {
  if (r == nullptr) {
    return "none";
  }
  switch (r->type) {
  case REDIS_REPLY_INTEGER: return std::to_string(r->integer);
  case REDIS_REPLY_NIL: return "nil";
  case REDIS_REPLY_ARRAY: {
    std::string all = "[";
    for (std::size_t i = 0; i < r->elements; ++i) {
      all.append(i != 0 ? " " : "").append(text(r->element[i]));
    }
    return all += ']';
  }
  default: return {r->str, r->len};
  }
}
std::string text(const reply& r) { return text(r.get()); }

// hiredis's events by poll.
struct poller {
  redisAsyncContext* of = nullptr;
  short wanted = 0;

  explicit poller(unsigned short port) : of(redisAsyncConnect("127.0.0.1", port)) {
    of->ev.data = this;
    of->ev.addRead = [](void* me) { static_cast<poller*>(me)->wanted |= POLLIN; };
    of->ev.delRead = [](void* me) { static_cast<poller*>(me)->wanted &= ~POLLIN; };
    of->ev.addWrite = [](void* me) { static_cast<poller*>(me)->wanted |= POLLOUT; };
    of->ev.delWrite = [](void* me) { static_cast<poller*>(me)->wanted &= ~POLLOUT; };
    of->ev.cleanup = [](void* me) { static_cast<poller*>(me)->of = nullptr; };
  }
  poller(const poller&) = delete;
  ~poller() {
    if (of != nullptr) {
      redisAsyncFree(of);
    }
  }

  template <class F>
  bool run_until(F what) {
    while (of != nullptr && !what()) {
      pollfd p{of->c.fd, wanted, 0};
      if (::poll(&p, 1, 60'000) <= 0) {
        return false;
      }
      if ((p.revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
        redisAsyncHandleRead(of);
      }
      if (of != nullptr && (p.revents & POLLOUT) != 0) {
        redisAsyncHandleWrite(of);
      }
    }
    return what();
  }
};

void note_reply(redisAsyncContext*, void* r, void* seen) {
  static_cast<std::vector<std::string>*>(seen)->push_back(text(static_cast<redisReply*>(r)));
}

} // namespace

BOOST_AUTO_TEST_CASE(blocking_calls) {
  running_store store;
  BOOST_REQUIRE(store.started());
  const context to = connect(store.port());
  BOOST_REQUIRE(to->err == 0);
  const std::string binary("a\0\r\n\xff", 5);
  BOOST_TEST(text(ask(to, "SET %s %b", "key", binary.data(), binary.size())) == "OK");
  BOOST_TEST((text(ask(to, "GET %s", "key")) == binary));
  BOOST_TEST(text(ask(to, "GET none")) == "nil");
  BOOST_TEST(text(ask(to, "INCRBY n 41")) == "41");
  const reply wrong = ask(to, "INCR key");
  BOOST_TEST(wrong->type == REDIS_REPLY_ERROR);
  BOOST_TEST(text(wrong) == "ERR value is not an integer or out of range");
  BOOST_TEST(text(ask(to, "MGET n none")) == "[41 nil]");
  BOOST_TEST(text(ask(to, "MULTI")) == "OK");
  BOOST_TEST(text(ask(to, "INCR n")) == "QUEUED");
  BOOST_TEST(text(ask(to, "GET n")) == "QUEUED");
  BOOST_TEST(text(ask(to, "EXEC")) == "[42 42]");
}

BOOST_AUTO_TEST_CASE(a_pipeline) {
  running_store store;
  BOOST_REQUIRE(store.started());
  const context to = connect(store.port());
  for (int i = 0; i < 10'000; ++i) {
    BOOST_REQUIRE(redisAppendCommand(to.get(), "SET k%d %d", i, i) == REDIS_OK);
    BOOST_REQUIRE(redisAppendCommand(to.get(), "GET k%d", i) == REDIS_OK);
  }
  std::size_t wrong = 0;
  for (int i = 0; i < 10'000; ++i) {
    wrong += text(next(to)) != "OK";
    wrong += text(next(to)) != std::to_string(i);
  }
  BOOST_TEST(wrong == 0U);
}

BOOST_AUTO_TEST_CASE(asynchronous_subscriptions) {
  running_store store;
  BOOST_REQUIRE(store.started());
  poller hears(store.port());
  std::vector<std::string> seen;
  BOOST_REQUIRE(redisAsyncCommand(hears.of, &note_reply, &seen, "SUBSCRIBE news") == REDIS_OK);
  BOOST_REQUIRE(redisAsyncCommand(hears.of, &note_reply, &seen, "PSUBSCRIBE ne?s") == REDIS_OK);
  BOOST_REQUIRE(hears.run_until([&] { return seen.size() == 2; }));
  const context other = connect(store.port());
  constexpr std::size_t count = 1'000;
  for (std::size_t i = 0; i < count; ++i) {
    BOOST_REQUIRE(redisAppendCommand(other.get(), "PUBLISH news %d", static_cast<int>(i)) ==
                  REDIS_OK);
  }
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    wrong += text(next(other)) != "2";
  }
  BOOST_REQUIRE(hears.run_until([&] { return seen.size() == 2 + 2 * count; }));
  BOOST_TEST(seen[0] == "[subscribe news 1]");
  BOOST_TEST(seen[1] == "[psubscribe ne?s 2]");
  for (std::size_t i = 0; i < count; ++i) {
    const std::string end = std::string(" ").append(std::to_string(i)).append("]");
    wrong += seen[2 + 2 * i] != std::string("[message news").append(end);
    wrong += seen[3 + 2 * i] != std::string("[pmessage ne?s news").append(end);
  }
  BOOST_TEST(wrong == 0U);
  // hiredis answers by the callback of the subscription that ends.
  BOOST_REQUIRE(redisAsyncCommand(hears.of, nullptr, nullptr, "UNSUBSCRIBE news") == REDIS_OK);
  BOOST_REQUIRE(redisAsyncCommand(hears.of, nullptr, nullptr, "PUNSUBSCRIBE ne?s") == REDIS_OK);
  BOOST_REQUIRE(hears.run_until([&] { return seen.size() == 4 + 2 * count; }));
  BOOST_TEST(seen.back() == "[punsubscribe ne?s 0]");
  BOOST_REQUIRE(redisAsyncCommand(hears.of, &note_reply, &seen, "GET none") == REDIS_OK);
  BOOST_REQUIRE(hears.run_until([&] { return seen.size() == 5 + 2 * count; }));
  BOOST_TEST(seen.back() == "nil");
}
