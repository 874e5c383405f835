// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What clients may send: however it comes in pieces, it means the same.

#define BOOST_TEST_MODULE kv_resp_parser
#include <boost/test/unit_test.hpp>

#include "../../example/kv/resp_parser.hpp"

#include <string>
#include <vector>

using kv::resp_parser;
using outcome = kv::resp_parser::outcome;

namespace {

// All commands of what is received in these pieces, one a line, words in brackets; then what went wrong.
std::string understood(const std::vector<std::string>& received, kv::parser_limits limits = {}) {
  resp_parser parser(limits);
  std::string text, buffer;
  for (const std::string& piece : received) {
    // In a block of its own each time, so that a view of the old one is seen by the address sanitizer.
    buffer = std::string(buffer) + piece;
    for (;;) {
      const outcome what = parser.parse(buffer);
      if (what == outcome::failed) {
        return text + parser.error();
      }
      if (what == outcome::incomplete) {
        if (parser.needed() <= buffer.size()) {
          return text + "needs what it has";
        }
        break;
      }
      if (what == outcome::command) {
        for (const std::string_view word : parser.parsed()) {
          text.append("[").append(word).append("]");
        }
        text += '\n';
      }
      buffer.erase(0, parser.consumed());
    }
  }
  return buffer.empty() ? text : text + "incomplete";
}

const std::string three = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$4\r\na\r\nb\r\n*1\r\n$4\r\nPING\r\n"
                          "GET \"a \\x41\\n\" 'it\\'s'\r\n*0\r\n\r\n*2\r\n$3\r\nGET\r\n$0\r\n\r\n";
const std::string three_read = "[SET][k][a\r\nb]\n[PING]\n[GET][a A\n][it's]\n[GET][]\n";

} // namespace

BOOST_AUTO_TEST_CASE(commands_are_read_whole) {
  BOOST_TEST(understood({three}) == three_read);
  BOOST_TEST(understood({"PING\n"}) == "[PING]\n");
  BOOST_TEST(understood({"*-1\r\n*1\r\n$4\r\nPING\r\n"}) == "[PING]\n");
  BOOST_TEST(understood({std::string("*1\r\n$3\r\n\0\xff\n\r\n", 13)}) ==
             std::string("[\0\xff\n]\n", 6));
}

BOOST_AUTO_TEST_CASE(every_split_gives_the_same_commands) {
  for (std::size_t a = 0; a <= three.size(); ++a) {
    for (std::size_t b = a; b <= three.size(); ++b) {
      BOOST_TEST_CONTEXT("split at " << a << " and " << b) {
        BOOST_TEST(understood({three.substr(0, a), three.substr(a, b - a), three.substr(b)}) ==
                   three_read);
      }
    }
  }
  std::vector<std::string> bytes;
  for (const char c : three) {
    bytes.emplace_back(1, c);
  }
  BOOST_TEST(understood(bytes) == three_read);
}

BOOST_AUTO_TEST_CASE(what_is_cut_off_is_incomplete) {
  for (const std::string text :
       {"*", "*1", "*1\r", "*1\r\n", "*1\r\n$", "*1\r\n$4\r\nPIN", "*1\r\n$4\r\nPING\r", "PING"}) {
    BOOST_TEST_CONTEXT(text) { BOOST_TEST(understood({text}) == "incomplete"); }
  }
}

BOOST_AUTO_TEST_CASE(what_breaks_the_protocol_is_named_in_Redis_words) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"*x\r\n", "invalid multibulk length"},
      {"*1048577\r\n", "invalid multibulk length"},
      {"*99999999999999999999\r\n", "invalid multibulk length"},
      {"*+1\r\n", "invalid multibulk length"},
      {"*\r\n", "invalid multibulk length"},
      {"*1\r\nPING\r\n", "expected '$', got 'P'"},
      {"*1\r\n$x\r\n", "invalid bulk length"},
      {"*1\r\n$-1\r\n", "invalid bulk length"},
      {"*1\r\n$536870913\r\n", "invalid bulk length"},
      {"*" + std::string(70'000, '1'), "too big mbulk count string"},
      {"*1\r\n$" + std::string(70'000, '1'), "too big bulk count string"},
      {std::string(70'000, 'a'), "too big inline request"},
      {"GET \"a\r\n", "unbalanced quotes in request"},
      {"GET 'a\r\n", "unbalanced quotes in request"},
      {"GET \"a\"b\r\n", "unbalanced quotes in request"},
  };
  for (const auto& [text, error] : cases) {
    BOOST_TEST_CONTEXT(text.substr(0, 20)) {
      BOOST_TEST(understood({text}) == "Protocol error: " + error);
      BOOST_TEST(understood({"PING\r\n", text, "PING\r\n"}) == "[PING]\nProtocol error: " + error);
    }
  }
}

BOOST_AUTO_TEST_CASE(limits_are_those_that_were_given) {
  const kv::parser_limits small{.arguments = 2, .bulk_bytes = 3, .line_bytes = 10};
  BOOST_TEST(understood({"*2\r\n$3\r\nGET\r\n$1\r\nk\r\n"}, small) == "[GET][k]\n");
  BOOST_TEST(understood({"*3\r\n"}, small) == "Protocol error: invalid multibulk length");
  BOOST_TEST(understood({"*1\r\n$4\r\n"}, small) == "Protocol error: invalid bulk length");
  BOOST_TEST(understood({"GET abcdefg"}, small) == "Protocol error: too big inline request");
}
