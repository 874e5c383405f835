// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What commands do with keys, in Redis's words, and that what they tell of it makes the same again.

#define BOOST_TEST_MODULE kv_keyspace
#include <boost/algorithm/string/replace.hpp>
#include <boost/test/unit_test.hpp>

#include "../../example/kv/glob.hpp"
#include "../../example/kv/keyspace.hpp"
#include "../../example/kv/resp_parser.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace {

struct store {
  kv::keyspace keys;
  std::int64_t now = 1'000'000;
  std::string changes; // all of them

  // The reply to a command of words between blanks, with a space for each line's end.
  std::string operator()(const std::string& line) {
    kv::resp_parser parser;
    (void)parser.parse(line + "\n");
    std::string reply;
    const kv::command* what = kv::find_command(parser.parsed().front());
    if (what == nullptr || !kv::takes(*what, parser.parsed().size())) {
      return "no such command";
    }
    keys.execute(*what, parser.parsed(), now, reply, changes);
    boost::algorithm::replace_all(reply, "\r\n", " ");
    if (reply.ends_with(' ')) {
      reply.pop_back();
    }
    return reply;
  }
};

// All keys with values and deadlines.
std::vector<std::string> content(store& s) {
  std::vector<std::string> all;
  std::string reply = s("KEYS *");
  kv::resp_parser parser;
  for (char& c : reply) {
    c = c == ' ' ? '\n' : c; // "*n" and "$n" lines and keys
  }
  std::size_t at = 0;
  while ((at = reply.find("\n", at)) != std::string::npos) {
    ++at;
    const std::string line = reply.substr(at, reply.find("\n", at) - at);
    if (!line.empty() && line.front() != '$') {
      all.push_back(line + ' ' + s("GET " + line) + ' ' + s("PTTL " + line));
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

constexpr const char* not_integer = "-ERR value is not an integer or out of range";

} // namespace

BOOST_AUTO_TEST_CASE(strings) {
  store s;
  BOOST_TEST(s("GET k") == "$-1");
  BOOST_TEST(s("set k v") == "+OK");
  BOOST_TEST(s("GET k") == "$1 v");
  BOOST_TEST(s("SET k w NX") == "$-1");
  BOOST_TEST(s("SET l w XX") == "$-1");
  BOOST_TEST(s("SET l w NX") == "+OK");
  BOOST_TEST(s("SET l x XX GET") == "$1 w");
  BOOST_TEST(s("SET m x GET") == "$-1");
  BOOST_TEST(s("SET m y NX GET") == "$1 x");
  BOOST_TEST(s("GET m") == "$1 x");
  BOOST_TEST(s("SET k v NX XX") == "-ERR syntax error");
  BOOST_TEST(s("SET k v EX") == "-ERR syntax error");
  BOOST_TEST(s("SET k v EX 1 PX 1") == "-ERR syntax error");
  BOOST_TEST(s("SET k v EX 1 KEEPTTL") == "-ERR syntax error");
  BOOST_TEST(s("SET k v WHAT") == "-ERR syntax error");
  BOOST_TEST(s("SET k v EX x") == not_integer);
  BOOST_TEST(s("SET k v EX 0") == "-ERR invalid expire time in 'set' command");
  BOOST_TEST(s("SET k v EX 9223372036854775") == "-ERR invalid expire time in 'set' command");
  BOOST_TEST(s("APPEND k w") == ":2");
  BOOST_TEST(s("APPEND n w") == ":1");
  BOOST_TEST(s("STRLEN k") == ":2");
  BOOST_TEST(s("STRLEN none") == ":0");
  BOOST_TEST(s("DEL k") == ":1");
  BOOST_TEST(s("DEL k") == ":0");
  BOOST_TEST(s("EXISTS l") == ":1");
  BOOST_TEST(s("EXISTS k") == ":0");
  BOOST_TEST(s("DBSIZE") == ":3");
  BOOST_TEST(s("FLUSHALL") == "+OK");
  BOOST_TEST(s("DBSIZE") == ":0");
}

BOOST_AUTO_TEST_CASE(numbers) {
  store s;
  BOOST_TEST(s("INCR n") == ":1");
  BOOST_TEST(s("INCRBY n 41") == ":42");
  BOOST_TEST(s("DECR n") == ":41");
  BOOST_TEST(s("DECRBY n 41") == ":0");
  BOOST_TEST(s("INCRBY n x") == not_integer);
  BOOST_TEST(s("DECRBY n -9223372036854775808") == "-ERR decrement would overflow");
  for (const std::string text : {"a", "\"\"", "\" 1\"", "01", "-0", "+1", "9223372036854775808"}) {
    BOOST_TEST_CONTEXT(text) {
      (void)s("SET t " + text);
      BOOST_TEST(s("INCR t") == not_integer);
    }
  }
  (void)s("SET t 9223372036854775807");
  BOOST_TEST(s("INCR t") == "-ERR increment or decrement would overflow");
  (void)s("SET t -9223372036854775808");
  BOOST_TEST(s("DECR t") == "-ERR increment or decrement would overflow");
}

BOOST_AUTO_TEST_CASE(deadlines) {
  store s;
  BOOST_TEST(s("TTL k") == ":-2");
  (void)s("SET k v");
  BOOST_TEST(s("TTL k") == ":-1");
  BOOST_TEST(s("EXPIRE k 10") == ":1");
  BOOST_TEST(s("PTTL k") == ":10000");
  BOOST_TEST(s("INCRBY n 1") == ":1");
  s.now += 9'999;
  BOOST_TEST(s("GET k") == "$1 v");
  BOOST_TEST(s("PERSIST k") == ":1");
  BOOST_TEST(s("PERSIST k") == ":0");
  BOOST_TEST(s("PEXPIRE k 1") == ":1");
  s.now += 1;
  BOOST_TEST(s("GET k") == "$-1");
  BOOST_TEST(s("EXPIRE k 1") == ":0");
  BOOST_TEST(s("EXPIRE n x") == not_integer);
  BOOST_TEST(s("EXPIRE n 9223372036854775807") == "-ERR invalid expire time in 'expire' command");
  BOOST_TEST(s("EXPIRE n -1") == ":1");
  BOOST_TEST(s("EXISTS n") == ":0");

  (void)s("SET k v PX 100");
  (void)s("SET k w KEEPTTL");
  BOOST_TEST(s("PTTL k") == ":100");
  (void)s("SET k w");
  BOOST_TEST(s("PTTL k") == ":-1");
}

BOOST_AUTO_TEST_CASE(expired_keys_go_without_being_asked_for) {
  store s;
  for (int i = 0; i < 100; ++i) {
    (void)s("SET k" + std::to_string(i) + " v PX " + std::to_string(i + 1));
  }
  (void)s("PERSIST k0");
  s.now += 50;
  BOOST_TEST(s.keys.expire(s.now, 10, s.changes));
  BOOST_TEST(!s.keys.expire(s.now, 100, s.changes));
  BOOST_TEST(s.keys.size() == 51U);
  BOOST_TEST(s.keys.next_deadline() == s.now + 1);
}

BOOST_AUTO_TEST_CASE(replaced_deadlines_are_forgotten) {
  store s;
  for (int i = 0; i < 10'000; ++i) {
    (void)s("SET k v PX " + std::to_string(10'000 + i));
  }
  // All but the last of them lie before: where they were kept, that many would have to be passed over.
  BOOST_TEST(s.keys.next_deadline() > s.now + 10'000);
}

BOOST_AUTO_TEST_CASE(a_scan_meets_every_key_that_stays) {
  store s;
  for (int i = 0; i < 3'000; ++i) {
    (void)s("SET k" + std::to_string(i) + " v");
  }
  std::set<std::string> seen;
  std::string cursor = "0";
  int added = 0;
  do {
    std::string reply = s("SCAN " + cursor + " COUNT 50 MATCH k*");
    std::vector<std::string> words;
    for (std::size_t at = 0; at < reply.size();) {
      const std::size_t end = std::min(reply.find(' ', at), reply.size());
      words.push_back(reply.substr(at, end - at));
      at = end + 1;
    }
    cursor = words.at(2);
    for (std::size_t i = 5; i < words.size(); i += 2) {
      seen.insert(words[i]);
    }
    for (int i = 0; i < 100; ++i) { // so that tables grow meanwhile
      (void)s("SET other" + std::to_string(added++) + " v");
    }
  } while (cursor != "0");
  BOOST_TEST(seen.size() == 3'000U);
  BOOST_TEST(s("SCAN x") == "-ERR invalid cursor");
  BOOST_TEST(s("SCAN 0 COUNT 0") == "-ERR syntax error");
  BOOST_TEST(s("SCAN 0 COUNT x") == not_integer);
  BOOST_TEST(s("SCAN 0 MATCH") == "-ERR syntax error");
}

BOOST_AUTO_TEST_CASE(patterns) {
  // asserts on the main thread
  const auto check = [](const char* pattern, const char* text, bool fits) {
    BOOST_TEST_CONTEXT(pattern << " and " << text) {
      BOOST_TEST(kv::matches(pattern, text) == fits);
    }
  };
  check("*", "", true);
  check("", "", true);
  check("", "a", false);
  check("h?llo", "hello", true);
  check("h?llo", "hllo", false);
  check("h*llo", "heeeello", true);
  check("h[ae]llo", "hallo", true);
  check("h[^e]llo", "hello", false);
  check("h[a-c]llo", "hbllo", true);
  check("h[c-a]llo", "hbllo", true);
  check("a\\*b", "a*b", true);
  check("a\\*b", "axb", false);
  check("[", "[", false);
  check("*a*b*c*", "xaxbxcx", true);
  check("*a*b*c*", "xaxbx", false);
  check("a*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false);
}

BOOST_AUTO_TEST_CASE(what_was_changed_is_told) {
  store s;
  for (const char* line : {"SET a 1", "INCR a", "SET b x PX 100", "APPEND b y", "SET c 1 EX 100",
                           "EXPIRE a 50", "SET d 1 PX 5", "SET e 1 EX 7", "PERSIST e", "DEL c",
                           "GET a", "DEL nothing", "INCRBY c 7", "SET f 1 PX 3"}) {
    (void)s(line);
  }
  s.now += 5;
  (void)s("APPEND d new");
  (void)s.keys.expire(s.now, 100, s.changes);
  (void)s("SET b z XX GET KEEPTTL");

  store again;
  again.now = s.now;
  std::string_view rest = s.changes;
  kv::resp_parser parser;
  while (!rest.empty()) {
    BOOST_REQUIRE((parser.parse(rest) == kv::resp_parser::outcome::command));
    again.keys.replay(*kv::find_command(parser.parsed()[0]), parser.parsed());
    rest.remove_prefix(parser.consumed());
  }
  BOOST_TEST(content(again) == content(s), boost::test_tools::per_element());
  BOOST_TEST(again("GET d") == "$3 new");

  s.changes.clear();
  for (const char* line : {"GET a", "DEL nothing", "SET a x NX", "EXPIRE nothing 1", "PERSIST d",
                           "INCR b", "TTL a", "SCAN 0", "KEYS *", "DBSIZE"}) {
    (void)s(line);
  }
  BOOST_TEST(s.changes == "");
}
