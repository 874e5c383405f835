// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Publishing and subscribing without sockets, and what commands about the connection are answered with.

#define BOOST_TEST_MODULE kv_pubsub
#include <boost/test/unit_test.hpp>

#include "../../example/kv/answer.hpp"
#include "../../example/kv/config_table.hpp"
#include "../../example/kv/pubsub.hpp"
#include "../../example/kv/transaction.hpp"

#include <smarm/runtime.hpp>

#include <algorithm>
#include <string>
#include <vector>

using kv::publisher;
using kv::subscriptions;
using kv::topic;

namespace {

using strings = std::vector<std::string>;

// What is there, without waiting.
strings received(subscriptions::inbox& from) {
  strings all;
  while (auto one = from.try_recv()) {
    all.push_back((*one)->frame);
  }
  return all;
}

strings split(const std::string& line) {
  strings words;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

std::string greeted(const std::string& line, kv::session& client) {
  const strings words = split(line);
  return kv::greet({words.begin(), words.end()}, client);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_message_comes_once_for_each_subscription) {
  strings got;
  std::vector<std::size_t> told;
  smarm::run([&] {
    kv::pattern_version version;
    publisher p(version);
    subscriptions s(version);
    subscriptions::inbox inbox;
    told.push_back(p.publish("news", "nobody"));
    (void)s.add(topic::channel, "news", inbox);
    subscriptions::inbox second;
    (void)s.add(topic::channel, "news", second);
    (void)s.add(topic::pattern, "n*", second);
    (void)s.add(topic::pattern, "*s", second);
    told.push_back(p.publish("news", "x"));
    s.remove(topic::pattern, "n*");
    told.push_back(p.publish("news", "y"));
    told.push_back(p.publish("other", "z"));
    s.clear();
    told.push_back(p.publish("news", "nobody"));
    got = received(inbox);
  });
  BOOST_TEST((told == std::vector<std::size_t>{0, 3, 2, 0, 0}));
  BOOST_REQUIRE(got.size() == 5U);
  BOOST_TEST(got[0] == "3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$1\r\nx\r\n");
  BOOST_TEST(got[1] == "4\r\n$8\r\npmessage\r\n$2\r\n*s\r\n$4\r\nnews\r\n$1\r\nx\r\n");
  BOOST_TEST(got[2] == "4\r\n$8\r\npmessage\r\n$2\r\nn*\r\n$4\r\nnews\r\n$1\r\nx\r\n");
  BOOST_TEST(got[3] == "3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$1\r\ny\r\n");
}

// Each of two publishers has its own list of patterns.
BOOST_AUTO_TEST_CASE(a_pattern_is_known_to_all_publishers_at_once) {
  std::vector<std::size_t> told;
  smarm::run([&] {
    kv::pattern_version version;
    publisher p(version), q(version);
    subscriptions s(version);
    subscriptions::inbox inbox;
    for (int i = 0; i < 3; ++i) {
      told.push_back(p.publish("a", "x") + q.publish("a", "x"));
      (void)s.add(topic::pattern, "a", inbox);
      told.push_back(p.publish("a", "x") + q.publish("a", "x"));
      s.remove(topic::pattern, "a");
    }
  });
  BOOST_TEST((told == std::vector<std::size_t>{0, 2, 0, 2, 0, 2}));
}

BOOST_AUTO_TEST_CASE(who_takes_nothing_up_misses_something_and_knows_it) {
  bool missed_at_first = true, missed = false;
  std::size_t waiting = 0;
  smarm::run([&] {
    kv::pattern_version version;
    publisher p(version);
    subscriptions s(version);
    subscriptions::inbox inbox;
    (void)s.add(topic::channel, "a", inbox);
    for (int i = 0; i < 65'536; ++i) {
      (void)p.publish("a", "x");
    }
    missed_at_first = s.has_missed();
    for (int i = 0; i < 10; ++i) {
      (void)p.publish("a", "x");
    }
    missed = s.has_missed();
    waiting = received(inbox).size();
  });
  BOOST_TEST(!missed_at_first);
  BOOST_TEST(missed);
  BOOST_TEST(waiting == 65'536U);
}

BOOST_AUTO_TEST_CASE(a_greeting_that_is_wrong_changes_nothing) {
  kv::session client;
  BOOST_TEST(greeted("HELLO 3 SETNAME me", client).empty());
  BOOST_TEST((client.form == kv::protocol::resp3));
  BOOST_TEST(client.name == "me");
  for (const char* wrong :
       {"HELLO 4", "HELLO x", "HELLO 2 what", "HELLO 2 SETNAME you AUTH nobody x",
        "HELLO 2 AUTH default", "HELLO 2 SETNAME"}) {
    BOOST_TEST_CONTEXT(wrong) {
      BOOST_TEST(!greeted(wrong, client).empty());
      BOOST_TEST((client.form == kv::protocol::resp3));
      BOOST_TEST(client.name == "me");
    }
  }
  BOOST_TEST(greeted("hello 2 auth default any setname you", client).empty());
  BOOST_TEST((client.form == kv::protocol::resp2));
  BOOST_TEST(client.name == "you");
}

BOOST_AUTO_TEST_CASE(the_configuration_is_found_by_patterns) {
  const kv::settings how;
  const std::string_view all[] = {"*"}, two[] = {"po?t", "MAXclients", "port", "none"};
  BOOST_TEST(kv::find_config(how, 7, all).size() == 12U);
  const auto found = kv::find_config(how, 7, two);
  BOOST_REQUIRE(found.size() == 2U);
  BOOST_TEST(found[0].first == "MAXclients");
  BOOST_TEST(found[1].second == "7");
}

BOOST_AUTO_TEST_CASE(a_transaction_has_the_commands_in_their_order_and_a_bound) {
  kv::transaction t;
  const kv::command& get = *kv::find_command("get");
  {
    const std::string a = "GET", b = "key"; // copied: the buffer that they came in is used again
    BOOST_TEST(t.add(get, {a, b}));
  }
  BOOST_TEST(t.add(get, {"GET", "other"}));
  strings keys;
  t.each([&](const kv::command&, const kv::arguments& words) { keys.emplace_back(words[1]); });
  BOOST_TEST((keys == strings{"key", "other"}));
  const std::string large(kv::transaction::most_bytes / 2, 'x');
  BOOST_TEST(!t.add(get, {"GET", large, large}));
  BOOST_TEST(t.size() == 2U);
}
