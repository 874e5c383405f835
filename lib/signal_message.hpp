// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A text put together without memory or locks, and written to standard error at once.

#ifndef SMARM_LIB_SIGNAL_MESSAGE_HPP
#define SMARM_LIB_SIGNAL_MESSAGE_HPP

#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace smarm::detail {

class signal_message {
public:
  signal_message& operator<<(const char* text) noexcept {
    while (*text != '\0') put(*text++);
    return *this;
  }

  signal_message& operator<<(std::uint64_t number) noexcept {
    char digits[20];
    std::size_t count = 0;
    do {
      digits[count++] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    while (count > 0) put(digits[--count]);
    return *this;
  }

  // The end of the line. What standard error does not take is lost.
  void send() noexcept {
    text_[size_] = '\n';
    const char* from = text_;
    std::size_t left = size_ + 1;
    while (left > 0) {
      const ssize_t written = ::write(STDERR_FILENO, from, left);
      if (written <= 0) return;
      from += written;
      left -= static_cast<std::size_t>(written);
    }
  }

private:
  void put(char c) noexcept {
    if (size_ < sizeof text_ - 1) text_[size_++] = c;
  }

  char text_[512];
  std::size_t size_ = 0;
};

} // namespace smarm::detail

#endif
