// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "config_table.hpp"

#include "glob.hpp"
#include "resp_parser.hpp"

#include <algorithm>

namespace kv {

namespace {

const char* to_string(fsync_policy p) noexcept {
  switch (p) {
  case fsync_policy::always: return "always";
  case fsync_policy::everysec: return "everysec";
  case fsync_policy::no: break;
  }
  return "no";
}

std::string small_letters(std::string_view text) {
  std::string to(text);
  std::transform(to.begin(), to.end(), to.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return to;
}

} // namespace

std::vector<std::pair<std::string, std::string>>
find_config(const settings& how, std::uint16_t port, std::span<const std::string_view> patterns) {
  const parser_limits limits;
  const output_limit& out = how.subscriber_output;
  std::vector<std::pair<std::string, std::string>> all = {
      {"appendfsync", to_string(how.fsync)},
      {"appendonly", how.directory.empty() ? "no" : "yes"},
      {"bind", "127.0.0.1"},
      {"client-output-buffer-limit", "normal 0 0 0 slave 0 0 0 pubsub " + std::to_string(out.hard) +
                                         ' ' + std::to_string(out.soft) + ' ' +
                                         std::to_string(out.soft_time.count())},
      {"databases", "1"},
      {"dir", how.directory},
      {"maxclients", std::to_string(how.most_connections)},
      {"maxmemory", "0"},
      {"port", std::to_string(port)},
      {"proto-max-bulk-len", std::to_string(limits.bulk_bytes)},
      {"save", ""},
      {"timeout", "0"}};
  std::erase_if(all, [&](const auto& parameter) {
    return std::none_of(patterns.begin(), patterns.end(), [&](std::string_view p) {
      return matches(small_letters(p), parameter.first);
    });
  });
  // Who asks by name gets it as it was written.
  for (auto& [name, value] : all) {
    const auto asked =
        std::find_if(patterns.begin(), patterns.end(),
                     [&n = name](std::string_view p) { return small_letters(p) == n; });
    if (asked != patterns.end()) {
      name = *asked;
    }
  }
  return all;
}

} // namespace kv
