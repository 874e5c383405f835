// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What several clients see of each other: subscriptions and transactions, also when a partition crashes
// and when one of them does not read.

#define BOOST_TEST_MODULE kv_clients
#include <boost/test/unit_test.hpp>

#include "../../example/kv/round.hpp"
#include "running_store.hpp"

#include <atomic>
#include <chrono>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using namespace kv_test;
using namespace std::chrono_literals;

namespace {

template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream all;
  (all << ... << parts);
  return all.str();
}

// A key of each partition.
std::vector<std::string> keys_of_different_partitions(std::size_t partitions) {
  const auto stores = kv::partitions(
      smarm::partition_options{.partitions = partitions, .child = {.id = "partition"}},
      kv::settings(), std::size_t{0});
  std::vector<std::string> keys(partitions);
  std::size_t found = 0;
  for (int i = 0; found < partitions; ++i) {
    const std::string key = text("key", i);
    std::string& of = keys[stores.index_of(std::string_view(key))];
    if (of.empty()) {
      of = key;
      ++found;
    }
  }
  return keys;
}

// Waits until a condition, which is asked for again and again, holds.
template <class F>
bool becomes_true(F what) {
  for (int i = 0; i < 6'000; ++i) {
    if (what()) {
      return true;
    }
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

} // namespace

BOOST_AUTO_TEST_CASE(what_is_published_comes_to_each_subscriber_in_order) {
  running_store store;
  BOOST_REQUIRE(store.started());
  constexpr int publishers = 3, messages = 2'000;
  std::vector<client> subscribers;
  for (int i = 0; i < 3; ++i) {
    subscribers.emplace_back(store.port());
    BOOST_TEST(subscribers.back()("SUBSCRIBE news") == "*3 subscribe news :1");
    BOOST_TEST(subscribers.back()("PSUBSCRIBE n*s") == "*3 psubscribe n*s :2");
  }
  std::vector<std::thread> threads;
  std::atomic<long> told{0};
  for (int p = 0; p < publishers; ++p) {
    threads.emplace_back([&, p] {
      client ask(store.port());
      for (int i = 0; i < messages; ++i) {
        told += std::stol(ask(text("PUBLISH news ", p, '.', i)).substr(1));
      }
    });
  }
  std::size_t wrong = 0;
  for (client& s : subscribers) {
    std::vector<int> next(publishers), next_by_pattern(publishers);
    for (int i = 0; i < 2 * publishers * messages; ++i) {
      const std::string got = s.reply();
      const bool by_pattern = got.starts_with("*4 pmessage n*s news ");
      const std::string what = got.substr(got.rfind(' ') + 1);
      const auto p = static_cast<std::size_t>(what[0] - '0');
      int& wanted = by_pattern ? next_by_pattern[p] : next[p];
      wrong += what.substr(2) != std::to_string(wanted++);
    }
  }
  for (std::thread& t : threads) {
    t.join();
  }
  BOOST_TEST(wrong == 0U);
  BOOST_TEST(told == 2L * publishers * messages * 3);
  BOOST_TEST(store.end());
}

BOOST_AUTO_TEST_CASE(a_subscriber_that_is_gone_is_not_counted) {
  running_store store;
  BOOST_REQUIRE(store.started());
  client ask(store.port());
  {
    client gone(store.port());
    BOOST_TEST(gone("SUBSCRIBE a") == "*3 subscribe a :1");
    BOOST_TEST(gone("PSUBSCRIBE a*") == "*3 psubscribe a* :2");
    BOOST_TEST(ask("PUBLISH a x") == ":2");
  }
  BOOST_TEST(becomes_true([&] { return ask("PUBLISH a x") == ":0"; }));
}

BOOST_AUTO_TEST_CASE(in_RESP2_a_subscriber_may_only_subscribe) {
  running_store store;
  BOOST_REQUIRE(store.started());
  client ask(store.port());
  BOOST_TEST(ask("SUBSCRIBE a") == "*3 subscribe a :1");
  BOOST_TEST(ask("GET k").starts_with("-ERR Can't execute 'get': only (P|S)SUBSCRIBE"));
  BOOST_TEST(ask("PING") == "*2 pong ");
  BOOST_TEST(ask("UNSUBSCRIBE") == "*3 unsubscribe a :0");
  BOOST_TEST(ask("GET k") == "$-1");
  BOOST_TEST(ask("HELLO 3").starts_with("%7"));
  for (int i = 0; i < 14; ++i) {
    (void)ask.reply();
  }
  ask.line().send("SUBSCRIBE a\r\n");
  BOOST_TEST(ask.reply() == ">3");
  BOOST_TEST(ask.reply() == "subscribe");
  BOOST_TEST(ask.reply() == "a");
  BOOST_TEST(ask.reply() == ":1");
  BOOST_TEST(ask("GET k") == "_");
  // What was allowed until now is not any more: it is RESP2 again.
  BOOST_TEST(ask("HELLO 2").starts_with("*14"));
  BOOST_TEST(ask("GET k").starts_with("-ERR Can't execute"));
}

BOOST_AUTO_TEST_CASE(who_is_told_of_a_change_sees_it) {
  running_store store;
  BOOST_REQUIRE(store.started());
  client hears(store.port()), sees(store.port());
  BOOST_TEST(hears("SUBSCRIBE done") == "*3 subscribe done :1");
  std::thread changes([&] {
    client ask(store.port());
    for (int i = 0; i < 500; ++i) {
      const std::string n = std::to_string(i);
      ask.line().send(
          text("SET a ", n, "\r\nSET b ", n, "\r\nSET c ", n, "\r\nPUBLISH done ", n, "\r\n"));
      for (int reply = 0; reply < 4; ++reply) {
        (void)ask.reply();
      }
    }
  });
  std::size_t wrong = 0;
  for (int i = 0; i < 500; ++i) {
    wrong += hears.reply() != text("*3 message done ", i);
    wrong += std::stoi(sees("GET c")) < i;
  }
  changes.join();
  BOOST_TEST(wrong == 0U);
}

BOOST_AUTO_TEST_CASE(a_transaction_is_seen_whole_or_not_at_all) {
  running_store store;
  BOOST_REQUIRE(store.started());
  const auto keys = keys_of_different_partitions(3);
  std::string set, get = "MULTI\r\n";
  for (const std::string& key : keys) {
    get += text("GET ", key, "\r\n");
  }
  get += "EXEC\r\n";
  std::atomic<bool> done{false};
  std::vector<std::thread> writers;
  std::atomic<std::size_t> wrong{0};
  for (int w = 0; w < 3; ++w) {
    writers.emplace_back([&, w] {
      client ask(store.port());
      for (int i = 0; !done; ++i) {
        std::string all = "MULTI\r\n";
        for (std::size_t k = 0; k < keys.size(); ++k) { // in another order each time
          all += text("SET ", keys[(k + static_cast<std::size_t>(i)) % keys.size()], ' ', w, '.', i,
                      "\r\n");
        }
        ask.line().send(all + "EXEC\r\n");
        for (std::size_t reply = 0; reply <= keys.size(); ++reply) {
          (void)ask.reply();
        }
        wrong += ask.reply() != "*3 +OK +OK +OK";
      }
    });
  }
  client ask(store.port());
  for (int i = 0; i < 500; ++i) {
    ask.line().send(get);
    for (std::size_t reply = 0; reply <= keys.size(); ++reply) {
      (void)ask.reply();
    }
    const std::string seen = ask.reply(); // "*3 x x x"
    const std::string one = seen.substr(seen.rfind(' '));
    wrong += seen != text("*3", one, one, one);
  }
  done = true;
  for (std::thread& t : writers) {
    t.join();
  }
  BOOST_TEST(wrong == 0U);
  BOOST_TEST(store.end());
}

BOOST_AUTO_TEST_CASE(in_a_partition_that_crashes_nothing_of_the_transaction_is_done) {
  const temporary_directory directory;
  running_store store(directory.path());
  BOOST_REQUIRE(store.started());
  client ask(store.port());
  const auto keys = keys_of_different_partitions(3);
  BOOST_TEST(ask(text("SET ", keys[0], " before")) == "+OK");
  BOOST_TEST(ask("MULTI") == "+OK");
  BOOST_TEST(ask(text("SET ", keys[0], " after")) == "+QUEUED");
  BOOST_TEST(ask(text("DEBUG CRASH ", keys[0])) == "+QUEUED");
  const std::string one = ask("EXEC");
  BOOST_TEST(one.starts_with("*2 -UNAVAILABLE"));
  BOOST_TEST(ask(text("GET ", keys[0])) == "before");
  // Of several the others have done their part, and are free again.
  BOOST_TEST(ask("MULTI") == "+OK");
  BOOST_TEST(ask(text("SET ", keys[0], " after")) == "+QUEUED");
  BOOST_TEST(ask(text("SET ", keys[1], " after")) == "+QUEUED");
  BOOST_TEST(ask(text("DEBUG CRASH ", keys[1])) == "+QUEUED");
  BOOST_TEST(ask(text("SET ", keys[2], " after")) == "+QUEUED");
  const std::string several = ask("EXEC");
  BOOST_TEST(several.starts_with("*4 +OK -UNAVAILABLE"));
  BOOST_TEST(several.ends_with("+OK"));
  client other(store.port());
  BOOST_TEST(other(text("MGET ", keys[0], ' ', keys[1], ' ', keys[2])) == "*3 after $-1 after");
  BOOST_TEST(store.end());
}

// Crashes in the middle of transactions across partitions: nothing hangs, and what EXEC has answered
// without an error is there.
BOOST_AUTO_TEST_CASE(transactions_survive_crashes) {
  const temporary_directory directory;
  running_store store(directory.path());
  BOOST_REQUIRE(store.started());
  const auto keys = keys_of_different_partitions(3);
  std::atomic<bool> done{false};
  std::atomic<std::size_t> wrong{0}, carried_out{0};
  std::vector<std::thread> clients;
  for (int c = 0; c < 3; ++c) {
    clients.emplace_back([&, c] {
      client ask(store.port());
      const std::string mine = text(".", c);
      long least = 0; // what there is at least
      while (!done) {
        std::string all = "MULTI\r\n";
        for (const std::string& key : keys) {
          all += text("INCR ", key, mine, "\r\n");
        }
        ask.line().send(all + "EXEC\r\n");
        for (std::size_t reply = 0; reply <= keys.size(); ++reply) {
          (void)ask.reply();
        }
        const std::string said = ask.reply();
        if (said.find("UNAVAILABLE") == std::string::npos) {
          ++least;
          ++carried_out;
        }
      }
      for (const std::string& key : keys) {
        wrong += std::stol(ask(text("GET ", key, mine))) < least;
      }
    });
  }
  client ask(store.port());
  for (int i = 0; i < 20; ++i) {
    BOOST_TEST(ask(text("DEBUG CRASH ", keys[static_cast<std::size_t>(i) % 3]))
                   .starts_with("-UNAVAILABLE"));
    const std::size_t before = carried_out;
    BOOST_TEST(becomes_true([&] { return carried_out > before; }));
  }
  done = true;
  for (std::thread& t : clients) {
    t.join();
  }
  BOOST_TEST(wrong == 0U);
  BOOST_TEST(store.end());
}

BOOST_AUTO_TEST_CASE(a_client_that_goes_in_the_middle_of_a_transaction_leaves_nothing_reserved) {
  running_store store;
  BOOST_REQUIRE(store.started());
  const auto keys = keys_of_different_partitions(3);
  for (int i = 0; i < 50; ++i) {
    client gone(store.port());
    gone.line().send("MULTI\r\nSET " + keys[0] + " 1\r\nSET " + keys[1] + " 1\r\nEXEC\r\n");
    gone.line().reset();
  }
  client ask(store.port());
  BOOST_TEST(ask(text("MSET ", keys[0], " 2 ", keys[1], " 2 ", keys[2], " 2")) == "+OK");
  BOOST_TEST(store.end());
}

BOOST_AUTO_TEST_CASE(who_does_not_read_is_closed_in_the_end) {
  running_store store({}, 2, kv::fsync_policy::no, [](kv::settings& how) {
    how.write_limit = 50ms;
    how.subscriber_output = {.hard = 1'000'000, .soft = 500'000, .soft_time = 0s};
  });
  BOOST_REQUIRE(store.started());
  client ask(store.port());
  const std::string value(1'000'000, 'x');
  ask.line().send("*3\r\n$3\r\nSET\r\n$5\r\nlarge\r\n$1000000\r\n");
  ask.line().send(value);
  ask.line().send("\r\n");
  BOOST_TEST(ask.reply() == "+OK");
  client slow(store.port());
  for (int i = 0; i < 100; ++i) {
    slow.line().send("GET large\r\n");
  }
  BOOST_TEST(becomes_true(
      [&] { return ask("INFO clients").find("connected_clients:1\r\n") != std::string::npos; }));
  client deaf(store.port());
  BOOST_TEST(deaf("SUBSCRIBE news") == "*3 subscribe news :1");
  BOOST_TEST(
      becomes_true([&] { return ask(text("PUBLISH news ", value.substr(0, 60'000))) == ":0"; }));
  BOOST_TEST(store.end());
}

BOOST_AUTO_TEST_CASE(clients_above_the_limit_are_told_so) {
  running_store store({}, 1, kv::fsync_policy::no,
                      [](kv::settings& how) { how.most_connections = 2; });
  BOOST_REQUIRE(store.started());
  client one(store.port());
  BOOST_TEST(one("PING") == "+PONG");
  {
    client two(store.port());
    BOOST_TEST(two("PING") == "+PONG");
    client three(store.port());
    BOOST_TEST(three.reply() == "-ERR max number of clients reached");
    BOOST_TEST(three.reply() == "closed");
  }
  BOOST_TEST(becomes_true([&] {
    client again(store.port());
    return again("PING") == "+PONG";
  }));
}

BOOST_AUTO_TEST_CASE(who_has_asked_is_answered_before_the_store_ends) {
  running_store store;
  BOOST_REQUIRE(store.started());
  std::vector<client> clients;
  for (int i = 0; i < 10; ++i) {
    clients.emplace_back(store.port());
    BOOST_TEST(clients.back()("SUBSCRIBE a") == "*3 subscribe a :1");
  }
  BOOST_TEST(store.end());
  for (client& c : clients) {
    BOOST_TEST(c.reply() == "closed");
  }
  BOOST_TEST(store.reports.size() == 0U);
}
