// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The store as its clients see it, also when parts of it crash.

#define BOOST_TEST_MODULE kv_store
#include <boost/test/unit_test.hpp>

#include "running_store.hpp"

#include <atomic>
#include <fstream>
#include <thread>
#include <vector>

using namespace kv_test;

BOOST_AUTO_TEST_CASE(commands_are_answered) {
  running_store store;
  BOOST_REQUIRE(store.started());
  client ask(store.port());
  BOOST_TEST(ask("PING") == "+PONG");
  BOOST_TEST(ask("PING hello") == "hello");
  BOOST_TEST(ask("ECHO hello") == "hello");
  BOOST_TEST(ask("SELECT 0") == "+OK");
  BOOST_TEST(ask("SELECT 1") == "-ERR DB index is out of range");
  BOOST_TEST(ask("HELLO 4") == "-NOPROTO unsupported protocol version");
  BOOST_TEST(ask("HELLO 2") ==
             "*14 server kv version 1.0.0 proto :2 id :1 mode standalone role master modules *0");
  BOOST_TEST(ask("CONFIG GET save nothing") == "*2 save ");
  BOOST_TEST(ask("CLIENT SETNAME me") == "+OK");
  BOOST_TEST(ask("INFO").find("connected_clients:1\r\n") != std::string::npos);
  BOOST_TEST(ask("what is it") ==
             "-ERR unknown command 'what', with args beginning with: 'is' 'it' ");
  BOOST_TEST(ask("GET") == "-ERR wrong number of arguments for 'get' command");
  BOOST_TEST(ask("MSET a") == "-ERR wrong number of arguments for 'mset' command");
  BOOST_TEST(ask("MSET a 1 b") == "-ERR wrong number of arguments for 'mset' command");
  BOOST_TEST(ask("QUIT") == "+OK");
  BOOST_TEST(ask("PING") == "closed");
  BOOST_TEST(store.end());
}

BOOST_AUTO_TEST_CASE(many_keys_are_one_reply) {
  running_store store;
  BOOST_REQUIRE(store.started());
  client ask(store.port());
  std::string set = "MSET", get = "MGET", wanted = "*101";
  for (int i = 0; i < 100; ++i) {
    const std::string n = std::to_string(i);
    set += " key" + n + ' ' + n;
    get += " key" + n;
    wanted += ' ' + n;
  }
  BOOST_TEST(ask(set) == "+OK");
  BOOST_TEST(ask(get + " none") == wanted + " $-1");
  BOOST_TEST(ask("DBSIZE") == ":100");
  BOOST_TEST(ask("EXISTS key1 key2 none key1") == ":3");
  BOOST_TEST(ask("DEL key1 key2 none key1") == ":2");
  const std::string all = ask("KEYS *");
  BOOST_TEST(all.starts_with("*98 "));
  std::string cursor = "0";
  std::size_t seen = 0;
  do {
    const std::string some = ask("SCAN " + cursor); // "*2 cursor *n keys..."
    cursor = some.substr(3, some.find(' ', 3) - 3);
    seen += std::stoul(some.substr(some.find('*', 3) + 1));
  } while (cursor != "0");
  BOOST_TEST(seen == 98U);
  BOOST_TEST(ask("SCAN x") == "-ERR invalid cursor");
  BOOST_TEST(ask("FLUSHALL") == "+OK");
  BOOST_TEST(ask("DBSIZE") == ":0");
}

BOOST_AUTO_TEST_CASE(what_is_sent_together_is_answered_in_order) {
  running_store store;
  BOOST_REQUIRE(store.started());
  client ask(store.port());
  std::string sent;
  for (int i = 0; i < 5'000; ++i) {
    sent += "INCR n\r\nSET k" + std::to_string(i) + ' ' + std::to_string(i) + "\r\nGET k" +
            std::to_string(i) + "\r\nPING\r\n";
  }
  std::thread sender([&] { ask.line().send(sent); });
  std::size_t wrong = 0;
  for (int i = 0; i < 5'000; ++i) {
    wrong += ask.reply() != ':' + std::to_string(i + 1);
    wrong += ask.reply() != "+OK";
    wrong += ask.reply() != std::to_string(i);
    wrong += ask.reply() != "+PONG";
  }
  sender.join();
  BOOST_TEST(wrong == 0U);
}

BOOST_AUTO_TEST_CASE(large_values_come_whole) {
  running_store store;
  BOOST_REQUIRE(store.started());
  client ask(store.port());
  const std::string value(20'000'000, 'x');
  std::thread sender(
      [&] { ask.line().send("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$20000000\r\n" + value + "\r\n"); });
  BOOST_TEST(ask.reply() == "+OK");
  sender.join();
  BOOST_TEST((ask("GET k") == value));
}

BOOST_AUTO_TEST_CASE(who_breaks_the_protocol_is_told_and_closed) {
  running_store store;
  BOOST_REQUIRE(store.started());
  client ask(store.port());
  ask.line().send("PING\r\n*1\r\nPING\r\n");
  BOOST_TEST(ask.reply() == "+PONG");
  BOOST_TEST(ask.reply() == "-ERR Protocol error: expected '$', got 'P'");
  BOOST_TEST(ask.reply() == "closed");
}

BOOST_AUTO_TEST_CASE(keys_outlive_the_store) {
  for (const auto fsync :
       {kv::fsync_policy::always, kv::fsync_policy::everysec, kv::fsync_policy::no}) {
    const temporary_directory directory;
    {
      running_store store(directory.path(), 3, fsync);
      BOOST_REQUIRE(store.started());
      client ask(store.port());
      BOOST_TEST(ask("MSET a 1 b 2 c 3 d 4") == "+OK");
      BOOST_TEST(ask("DEL a") == ":1");
      BOOST_TEST(ask("INCR b") == ":3");
      BOOST_TEST(ask("EXPIRE c 1000") == ":1");
      BOOST_TEST(store.end());
    }
    running_store store(directory.path(), 3, fsync);
    BOOST_REQUIRE(store.started());
    client ask(store.port());
    BOOST_TEST(ask("MGET a b c d") == "*4 $-1 3 3 4");
    BOOST_TEST(ask("TTL c") != ":-1");
    BOOST_TEST(store.reports.size() == 0U);
  }
}

BOOST_AUTO_TEST_CASE(the_directory_belongs_to_one_store_of_one_size) {
  const temporary_directory directory;
  running_store store(directory.path(), 3);
  BOOST_CHECK_THROW(running_store(directory.path(), 3), std::runtime_error);
  BOOST_TEST(store.end());
}

BOOST_AUTO_TEST_CASE(a_crashed_partition_comes_back_with_all_that_was_acknowledged) {
  const temporary_directory directory;
  running_store store(directory.path());
  BOOST_REQUIRE(store.started());
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0}, refused{0};
  std::vector<std::thread> clients;
  for (int c = 0; c < 4; ++c) {
    clients.emplace_back([&, c] {
      client ask(store.port());
      long acknowledged = 0;
      const std::string key = "counter" + std::to_string(c);
      while (!done) {
        const std::string reply = ask("INCR " + key);
        if (reply.starts_with("-UNAVAILABLE")) {
          ++refused; // done or not
          acknowledged = std::stol('0' + ask("GET " + key));
        } else if (reply != ':' + std::to_string(++acknowledged)) {
          ++wrong;
          return;
        }
      }
    });
  }
  client ask(store.port());
  for (int i = 0; i < 20; ++i) {
    BOOST_TEST(ask("DEBUG CRASH counter" + std::to_string(i % 4)).starts_with("-UNAVAILABLE"));
    BOOST_TEST(ask("INCR counter" + std::to_string(i % 4) + "x").starts_with(":"));
  }
  done = true;
  for (std::thread& t : clients) {
    t.join();
  }
  BOOST_TEST(wrong == 0);
  BOOST_TEST(store.reports.size() >= 20U); // that it crashed is no secret
  BOOST_TEST(store.end());
}
