// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The words of a line that a person has typed, with quotes as Redis has them: "a\n\x41" and 'it\'s'.

#ifndef KV_INLINE_WORDS_HPP
#define KV_INLINE_WORDS_HPP

#include <string>
#include <string_view>
#include <vector>

namespace kv {

// Replaces the words. False, and they mean nothing, if a quote is not closed, or is closed in a word's
// middle.
[[nodiscard]] bool split_words(std::string_view line, std::vector<std::string>& words);

} // namespace kv

#endif
