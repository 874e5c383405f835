// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Commands on their way to a partition, and their replies on the way back. A connection sends all that it
// has read for a partition in one message, and uses what comes back for the next: in a steady state it
// takes nothing from the heap.

#ifndef KV_BATCH_HPP
#define KV_BATCH_HPP

#include "command.hpp"
#include "kept_memory.hpp"
#include "resp_parser.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

class batch {
public:
  void add(const command& what, std::span<const std::string_view> words) {
    items_.push_back({&what, words.size()});
    for (const std::string_view word : words) {
      text_.append(word);
      lengths_.push_back(word.size());
    }
  }
  // f(command, words) for each in order, after which its reply is complete.
  template <class F>
  void each(F f) {
    arguments words;
    std::size_t at = 0, length = 0;
    for (const item& i : items_) {
      words.clear();
      for (std::size_t n = 0; n < i.words; ++n) {
        words.push_back(std::string_view(text_).substr(at, lengths_[length]));
        at += lengths_[length++];
      }
      f(*i.what, words);
      ends_.push_back(replies.size());
    }
  }
  // In place of what was replied.
  void answer_all(std::string_view reply) {
    replies.clear();
    ends_.clear();
    for (std::size_t n = 0; n < items_.size(); ++n) {
      replies.append(reply);
      ends_.push_back(replies.size());
    }
  }
  [[nodiscard]] std::string_view reply(std::size_t index) const {
    const std::size_t from = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(replies).substr(from, ends_[index] - from);
  }
  [[nodiscard]] bool empty() const noexcept { return items_.empty(); }

  void clear() {
    constexpr std::size_t kept = std::size_t{64} << 10;
    clear_and_keep(text_, kept);
    clear_and_keep(replies, kept);
    clear_and_keep(lengths_, kept);
    clear_and_keep(items_, kept);
    clear_and_keep(ends_, kept);
  }

  std::string replies;

private:
  struct item {
    const command* what;
    std::size_t words;
  };

  std::string text_; // all words, one behind the other
  std::vector<std::size_t> lengths_;
  std::vector<item> items_;
  std::vector<std::size_t> ends_; // of the replies
};

} // namespace kv

#endif
