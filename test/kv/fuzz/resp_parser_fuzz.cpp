// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the parser makes of any bytes at all: the same, whether they come at once or in pieces.

#include "../../../example/kv/resp_parser.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr kv::parser_limits limits{.arguments = 64, .bulk_bytes = 4096, .line_bytes = 256};

// The commands, and how it ended. The first byte of each piece is at the front of a block of its own.
std::string understood(std::string_view text, std::size_t piece) {
  kv::resp_parser parser(limits);
  std::string seen;
  std::vector<char> buffer;
  while (!text.empty()) {
    const std::string_view some = text.substr(0, piece);
    text.remove_prefix(some.size());
    std::vector<char> fresh(buffer);
    fresh.insert(fresh.end(), some.begin(), some.end());
    buffer.swap(fresh);
    for (;;) {
      const auto what = parser.parse({buffer.data(), buffer.size()});
      if (what == kv::resp_parser::outcome::failed) {
        return seen + parser.error();
      }
      if (what == kv::resp_parser::outcome::incomplete) {
        if (parser.needed() <= buffer.size()) {
          std::abort();
        }
        break;
      }
      if (what == kv::resp_parser::outcome::command) {
        for (const std::string_view word : parser.parsed()) {
          seen.append(std::to_string(word.size())).append(1, ':').append(word);
        }
        seen += '\n';
      }
      if (parser.consumed() == 0 || parser.consumed() > buffer.size()) {
        std::abort();
      }
      buffer.erase(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(parser.consumed()));
    }
  }
  return seen;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // Where a line is too long is seen earlier or later, so only what is short must come out the same.
  const std::string whole = understood(text, size != 0 ? size : 1);
  if (size <= limits.line_bytes) {
    for (const std::size_t piece : {1, 2, 3, 7}) {
      if (understood(text, piece) != whole) {
        std::abort();
      }
    }
  } else {
    (void)understood(text, 13);
  }
  return 0;
}
