// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Commands as clients of Redis send them: arrays of bulk strings, and lines for people at a terminal.
//
// It looks at the bytes where they were received, and the arguments are views of them. What it has seen of
// an incomplete command it does not look at again, so that a value which comes in a thousand pieces costs
// no more than one that comes in one.

#ifndef KV_RESP_PARSER_HPP
#define KV_RESP_PARSER_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

using arguments = std::vector<std::string_view>;

struct parser_limits {
  std::size_t arguments = 1'048'576;
  std::size_t bulk_bytes = std::size_t{512} << 20;
  std::size_t line_bytes = std::size_t{64} << 10;
};

class resp_parser {
public:
  enum class outcome : unsigned char {
    command,    // arguments() are those of one; consumed() bytes of the input were its
    nothing,    // consumed() bytes meant nothing: an empty line, an array of none
    incomplete, // call again with the same bytes and more
    failed,     // error() is what to tell the client before the connection is closed
  };

  explicit resp_parser(parser_limits limits = {}) noexcept : limits_(limits) {}

  // After `incomplete` the input must begin with the bytes that it had; where they lie may differ. After
  // `command` and `nothing` it begins behind what was consumed.
  [[nodiscard]] outcome parse(std::string_view input);

  // Of the last command: into the input, or into the parser, until the next call.
  [[nodiscard]] const arguments& parsed() const noexcept { return parsed_; }
  [[nodiscard]] std::size_t consumed() const noexcept { return consumed_; }
  // While incomplete: how long the input must be at least for parse() to get further.
  [[nodiscard]] std::size_t needed() const noexcept { return needed_; }
  // "Protocol error: ...".
  [[nodiscard]] const std::string& error() const noexcept { return error_; }

private:
  struct piece {
    std::size_t offset, length;
  };
  enum class step : unsigned char { start, bulk_header, bulk };

  [[nodiscard]] outcome parse_inline(std::string_view input);
  // The line at next_, without its end; false if it has not come, or is too long.
  [[nodiscard]] bool line(std::string_view input, std::string_view& text, const char* too_long);
  [[nodiscard]] outcome fail(std::string_view text);
  [[nodiscard]] outcome wait_for(std::size_t bytes) noexcept;
  outcome done(outcome what) noexcept;

  parser_limits limits_;
  step step_ = step::start;
  bool failed_ = false;
  std::size_t next_ = 0;     // what is before it was understood
  std::size_t searched_ = 0; // before it there is no end of the present line
  std::size_t left_ = 0;     // arguments that are still to come
  std::size_t bulk_ = 0;     // length of the present one
  std::size_t consumed_ = 0, needed_ = 0;
  std::vector<piece> pieces_;
  arguments parsed_;
  std::vector<std::string> words_; // of a line: quotes may be in it
  std::string error_;
};

} // namespace kv

#endif
