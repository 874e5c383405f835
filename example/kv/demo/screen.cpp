// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "screen.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <sstream>

namespace kv_demo {

namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool says_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) { // the first one that is set counts
    const std::string_view value = variable(name);
    if (!value.empty()) {
      return value.find("UTF-8") != value.npos || value.find("utf8") != value.npos;
    }
  }
  return false;
}

std::string fixed(double number, int digits) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << number;
  return text.str();
}

} // namespace

screen::screen()
    : terminal_(::isatty(STDOUT_FILENO) != 0 && variable("TERM") != "dumb"),
      colour_(terminal_ && variable("NO_COLOR").empty()), utf8_(says_utf8()) {}

void screen::begin_line() {
  if (overwrite_) {
    std::cout << "\r\033[K";
    overwrite_ = false;
  }
}

void screen::heading(std::string_view text) {
  begin_line();
  std::cout << '\n'
            << (colour_ ? "\033[1m" : "") << text << (colour_ ? "\033[0m" : "") << std::endl;
}

void screen::line(std::string_view text) {
  begin_line();
  std::cout << "  " << text << std::endl;
}

void screen::verdict(bool holds, std::string_view text) {
  begin_line();
  std::cout << "  " << (colour_ ? (holds ? "\033[32m" : "\033[1;31m") : "")
            << (holds ? (utf8_ ? "✓ " : "ok   ") : (utf8_ ? "✗ " : "NOT  "))
            << (colour_ ? "\033[0m" : "") << text << std::endl;
}

void screen::progress(double part, std::string_view text) {
  if (!terminal_) {
    const auto now = std::chrono::steady_clock::now();
    if (now - told_ >= std::chrono::seconds(1)) {
      told_ = now;
      line(text);
    }
    return;
  }
  begin_line();
  constexpr int width = 24;
  std::string bar = blocks(part, width);
  std::cout << "  " << (colour_ ? "\033[36m" : "") << bar << (colour_ ? "\033[0m" : "") << text
            << std::flush;
  overwrite_ = true;
}

// Padded to the width, in eighths of a character where the terminal can show them.
std::string screen::blocks(double length, int width) const {
  constexpr std::array<const char*, 8> parts{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int eighths = static_cast<int>(std::ceil(std::clamp(length, 0.0, 1.0) * width * 8));
  const int full = utf8_ ? eighths / 8 : (eighths + 7) / 8;
  std::string text;
  for (int i = 0; i < full; ++i) {
    text += utf8_ ? "█" : "#";
  }
  const int part = utf8_ ? eighths % 8 : 0;
  text += parts[static_cast<std::size_t>(part)];
  text.append(static_cast<std::size_t>(width - full - (part != 0 ? 1 : 0) + 1), ' ');
  return text;
}

void screen::bar(const std::string& label, double length, double share) {
  begin_line();
  std::cout << "  " << std::setw(8) << label << ' ' << (utf8_ ? "▕" : "|")
            << (colour_ ? "\033[36m" : "") << blocks(length, 40) << (colour_ ? "\033[0m" : "")
            << std::setw(7)
            << (share == 0 || share >= 0.0005 ? fixed(share * 100, 1) : std::string("<0.1")) << " %"
            << std::endl;
}

std::string text_of(std::chrono::nanoseconds time) {
  const auto count = static_cast<double>(time.count());
  const auto text = [](double number, const char* unit) {
    return fixed(number, number < 9.95 ? 1 : 0) + unit;
  };
  return count < 999.5e3   ? text(count / 1e3, " us")
         : count < 999.5e6 ? text(count / 1e6, " ms")
                           : text(count / 1e9, " s");
}

std::string text_of(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, 1, ' ');
  }
  return text;
}

} // namespace kv_demo
