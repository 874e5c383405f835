// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The commands between MULTI and EXEC.

#ifndef KV_TRANSACTION_HPP
#define KV_TRANSACTION_HPP

#include "command.hpp"
#include "resp_parser.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace kv {

class transaction {
public:
  static constexpr std::size_t most_bytes = std::size_t{1} << 30;

  // False: there are too many.
  [[nodiscard]] bool add(const command& what, const arguments& words) {
    for (const std::string_view word : words) {
      bytes_ += word.size() + sizeof(std::string);
    }
    if (bytes_ > most_bytes) {
      return false;
    }
    commands_.push_back({&what, {words.begin(), words.end()}});
    return true;
  }
  // One could not be queued: none will be carried out.
  void refuse() noexcept { refused_ = true; }
  [[nodiscard]] bool refused() const noexcept { return refused_; }
  [[nodiscard]] std::size_t size() const noexcept { return commands_.size(); }

  // f(command, words) for each in order.
  template <class F>
  void each(F f) const {
    for (const queued& q : commands_) {
      f(*q.what, arguments(q.words.begin(), q.words.end()));
    }
  }

private:
  struct queued {
    const command* what;
    std::vector<std::string> words;
  };
  std::vector<queued> commands_;
  std::size_t bytes_ = 0;
  bool refused_ = false;
};

} // namespace kv

#endif
