// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "resp_parser.hpp"

#include "inline_words.hpp"
#include "kept_memory.hpp"
#include "number.hpp"

#include <string>

namespace kv {

namespace {
constexpr std::size_t kept = std::size_t{16} << 10; // for the words of a command
} // namespace

resp_parser::outcome resp_parser::fail(std::string_view text) {
  failed_ = true;
  error_ = "Protocol error: ";
  error_.append(text);
  return outcome::failed;
}

resp_parser::outcome resp_parser::wait_for(std::size_t bytes) noexcept {
  needed_ = bytes;
  return outcome::incomplete;
}

resp_parser::outcome resp_parser::done(outcome what) noexcept {
  consumed_ = next_;
  next_ = searched_ = 0;
  step_ = step::start;
  clear_and_keep(pieces_, kept);
  return what;
}

bool resp_parser::line(std::string_view input, std::string_view& text, const char* too_long) {
  const std::size_t end = input.find('\r', searched_);
  if (end == std::string_view::npos || end + 1 >= input.size()) {
    searched_ = end == std::string_view::npos ? input.size() : end;
    if (input.size() - next_ > limits_.line_bytes) {
      (void)fail(too_long);
    }
    needed_ = input.size() + 1;
    return false;
  }
  // As Redis, which does not look at what stands in place of the line feed.
  text = input.substr(next_, end - next_);
  next_ = searched_ = end + 2;
  return true;
}

resp_parser::outcome resp_parser::parse(std::string_view input) {
  if (failed_) {
    return outcome::failed;
  }
  if (step_ == step::start) {
    if (input.empty()) {
      return wait_for(1);
    }
    if (input.front() != '*') {
      return parse_inline(input);
    }
    std::string_view text;
    if (!line(input, text, "too big mbulk count string")) {
      return failed_ ? outcome::failed : outcome::incomplete;
    }
    const auto count = number<long long>(text.substr(1));
    if (!count || (*count > 0 && static_cast<unsigned long long>(*count) > limits_.arguments)) {
      return fail("invalid multibulk length");
    }
    if (*count <= 0) {
      return done(outcome::nothing);
    }
    left_ = static_cast<std::size_t>(*count);
    step_ = step::bulk_header;
  }
  while (left_ != 0) {
    if (step_ == step::bulk_header) {
      if (next_ >= input.size()) {
        return wait_for(next_ + 1);
      }
      if (input[next_] != '$') {
        return fail(std::string("expected '$', got '") + input[next_] + '\'');
      }
      std::string_view text;
      if (!line(input, text, "too big bulk count string")) {
        return failed_ ? outcome::failed : outcome::incomplete;
      }
      const auto length = number<long long>(text.substr(1));
      if (!length || *length < 0 || static_cast<unsigned long long>(*length) > limits_.bulk_bytes) {
        return fail("invalid bulk length");
      }
      bulk_ = static_cast<std::size_t>(*length);
      step_ = step::bulk;
    }
    if (input.size() < next_ + bulk_ + 2) {
      return wait_for(next_ + bulk_ + 2);
    }
    pieces_.push_back({next_, bulk_});
    next_ += bulk_ + 2;
    searched_ = next_;
    --left_;
    step_ = step::bulk_header;
  }
  clear_and_keep(parsed_, kept);
  for (const piece& p : pieces_) {
    parsed_.push_back(input.substr(p.offset, p.length));
  }
  return done(outcome::command);
}

resp_parser::outcome resp_parser::parse_inline(std::string_view input) {
  const std::size_t end = input.find('\n', searched_);
  if (end == std::string_view::npos) {
    searched_ = input.size();
    return input.size() > limits_.line_bytes ? fail("too big inline request")
                                             : wait_for(input.size() + 1);
  }
  const std::string_view text = input.substr(0, end != 0 && input[end - 1] == '\r' ? end - 1 : end);
  if (!split_words(text, words_)) {
    return fail("unbalanced quotes in request");
  }
  next_ = end + 1;
  parsed_.assign(words_.begin(), words_.end());
  return done(words_.empty() ? outcome::nothing : outcome::command);
}

} // namespace kv
