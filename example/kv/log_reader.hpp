// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

//
// Makes the changes that a file of records holds. A crash may leave a last record of a log that is not
// whole; nobody was told that what is in it was done. A record that is damaged, with something behind it,
// is no crash's doing; nor is a snapshot without its end, since it had no name before that was written.

#ifndef KV_LOG_READER_HPP
#define KV_LOG_READER_HPP

#include "keyspace.hpp"
#include "log_file.hpp"

#include <cstdint>

namespace kv {

enum class file_end : unsigned char {
  may_be_torn, // the log that was written when it crashed
  whole,       // a log that was made durable before the next one was begun
  marked,      // a snapshot
};

struct replayed {
  std::uint64_t commands = 0, bytes = 0, torn_bytes = 0;
};

// Leaves the file alone. Throws boost::system::system_error: what the system says, or bad_message for a
// file that is damaged, with a text that names it and the place.
[[nodiscard]] replayed replay(const log_file& from, keyspace& into, file_end end);

[[noreturn]] void throw_damaged(const std::string& path, std::uint64_t at, const char* how);

} // namespace kv

#endif
