// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

//
// What the demonstration shows: lines with a little colour and one that is overwritten while it waits, if
// a person looks at a terminal; plain lines else.

#ifndef KV_DEMO_SCREEN_HPP
#define KV_DEMO_SCREEN_HPP

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace kv_demo {

class screen {
public:
  // Looks at standard output, TERM, NO_COLOR, and what the locale says of characters.
  screen();

  void heading(std::string_view text);
  void line(std::string_view text);
  // Of a thing that must hold.
  void verdict(bool holds, std::string_view text);
  // Overwritten by the next line; where there is no terminal, a line for each second.
  void progress(double part, std::string_view text);
  // "label |######     share": the bar is so long a part of the longest one.
  void bar(const std::string& label, double length, double share);
  // The lines of a tree lead to its nodes by these.
  [[nodiscard]] std::string_view branch(bool last) const {
    return utf8_ ? (last ? "└─ " : "├─ ") : "- ";
  }
  [[nodiscard]] std::string_view trunk(bool last) const { return utf8_ && !last ? "│  " : "   "; }

private:
  void begin_line();
  [[nodiscard]] std::string blocks(double length, int width) const;

  bool terminal_, colour_, utf8_;
  bool overwrite_ = false;
  std::chrono::steady_clock::time_point told_{};
};

// "850 us", "1.4 ms", "2.1 s"
[[nodiscard]] std::string text_of(std::chrono::nanoseconds time);
// "1 234 567"
[[nodiscard]] std::string text_of(std::uint64_t number);

} // namespace kv_demo

#endif
