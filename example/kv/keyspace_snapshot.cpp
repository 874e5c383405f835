// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "keyspace.hpp"

#include "resp_writer.hpp"

namespace kv {

void keyspace::begin_snapshot() {
  end_snapshot();
  in_snapshot_ = true;
  ++snapshot_;
  next_table_ = 0;
}

void keyspace::preserve(std::string_view key) {
  table& in = table_of(key);
  const auto found = in.find(key);
  if (found != in.end()) {
    put_into_snapshot(key, found->second, preserved_);
  }
}

void keyspace::put_into_snapshot(std::string_view key, entry& e, std::string& to) {
  if (e.snapshot == snapshot_) {
    return;
  }
  e.snapshot = snapshot_;
  if (e.deadline == never) {
    return write_command(to, {"SET", key, e.value});
  }
  std::string at;
  append_number(at, e.deadline);
  write_command(to, {"SET", key, e.value, "PXAT", at});
}

bool keyspace::snapshot_piece(std::size_t bytes, std::string& to) {
  const std::size_t enough = to.size() + bytes;
  to.append(preserved_);
  std::string().swap(preserved_);
  for (; next_table_ < tables && to.size() < enough; ++next_table_) {
    table& in = flushed_.empty() ? tables_[next_table_] : flushed_[next_table_];
    for (auto& [key, e] : in) {
      put_into_snapshot(key, e, to);
    }
    if (!flushed_.empty()) {
      table().swap(in);
    }
  }
  if (next_table_ < tables) {
    return true;
  }
  end_snapshot();
  return false;
}

void keyspace::end_snapshot() {
  in_snapshot_ = false;
  flushed_.clear();
  std::string().swap(preserved_);
}

} // namespace kv
