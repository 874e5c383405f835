// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "command.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <array>

namespace kv {

namespace {

constexpr std::array<command, 43> commands{{
    {"GET", verb::get, spread::one_key, 2},
    {"SET", verb::set, spread::one_key, -3},
    {"INCR", verb::incr, spread::one_key, 2},
    {"DECR", verb::decr, spread::one_key, 2},
    {"INCRBY", verb::incrby, spread::one_key, 3},
    {"DECRBY", verb::decrby, spread::one_key, 3},
    {"APPEND", verb::append, spread::one_key, 3},
    {"STRLEN", verb::strlen, spread::one_key, 2},
    {"EXPIRE", verb::expire, spread::one_key, -3},
    {"PEXPIRE", verb::pexpire, spread::one_key, -3},
    {"PEXPIREAT", verb::pexpireat, spread::one_key, -3},
    {"TTL", verb::ttl, spread::one_key, 2},
    {"PTTL", verb::pttl, spread::one_key, 2},
    {"PERSIST", verb::persist, spread::one_key, 2},
    {"DEL", verb::del, spread::sum, -2},
    {"EXISTS", verb::exists, spread::sum, -2},
    {"MGET", verb::mget, spread::each, -2},
    {"MSET", verb::mset, spread::pairs, -3},
    {"KEYS", verb::keys, spread::all_join, 2},
    {"SCAN", verb::scan, spread::cursor, -2},
    {"DBSIZE", verb::dbsize, spread::all_sum, 1},
    {"FLUSHALL", verb::flushall, spread::all_ok, -1},
    {"BGREWRITEAOF", verb::bgrewriteaof, spread::all_same, 1},
    {"BGSAVE", verb::bgsave, spread::all_same, -1},
    {"PING", verb::ping, spread::none, -1},
    {"ECHO", verb::echo, spread::none, 2},
    {"HELLO", verb::hello, spread::none, -1},
    {"SELECT", verb::select, spread::none, 2},
    {"QUIT", verb::quit, spread::none, -1},
    {"COMMAND", verb::command, spread::none, -1},
    {"CLIENT", verb::client, spread::none, -2},
    {"INFO", verb::info, spread::none, -1},
    {"CONFIG", verb::config, spread::none, -2},
    {"DEBUG", verb::debug, spread::none, -2},
    {"RESET", verb::reset, spread::none, 1},
    {"PUBLISH", verb::publish, spread::none, 3},
    {"SUBSCRIBE", verb::subscribe, spread::none, -2},
    {"PSUBSCRIBE", verb::psubscribe, spread::none, -2},
    {"UNSUBSCRIBE", verb::unsubscribe, spread::none, -1},
    {"PUNSUBSCRIBE", verb::punsubscribe, spread::none, -1},
    {"MULTI", verb::multi, spread::none, 1},
    {"EXEC", verb::exec, spread::none, 1},
    {"DISCARD", verb::discard, spread::none, 1},
}};

constexpr std::size_t longest = 12;

constexpr char capital(char c) noexcept {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

using table = boost::unordered_flat_map<std::string_view, const command*>;

const table& by_name() {
  static const table names = [] {
    table all;
    for (const command& c : commands) {
      all.emplace(c.name, &c);
    }
    return all;
  }();
  return names;
}

} // namespace

const command* find_command(std::string_view name) noexcept {
  if (name.size() > longest) {
    return nullptr;
  }
  std::array<char, longest> capitals{};
  std::transform(name.begin(), name.end(), capitals.begin(), capital);
  const auto found = by_name().find(std::string_view(capitals.data(), name.size()));
  return found != by_name().end() ? found->second : nullptr;
}

std::size_t command_count() noexcept { return commands.size(); }

bool is_word(std::string_view text, std::string_view capitals) noexcept {
  return std::equal(text.begin(), text.end(), capitals.begin(), capitals.end(),
                    [](char a, char b) { return capital(a) == b; });
}

bool is_crash(const command& what, std::span<const std::string_view> words) noexcept {
  return what.what == verb::debug && words.size() == 3 && is_word(words[1], "CRASH");
}

} // namespace kv
