// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "ledger.hpp"

#include "../number.hpp"
#include "../resp_writer.hpp"

namespace kv_demo {

ledger::ledger(std::size_t client, std::size_t keys) : client_(client), known_(keys) {}

std::string ledger::key(std::size_t number) const {
  return std::string("client")
      .append(std::to_string(client_))
      .append(":")
      .append(std::to_string(number));
}

void ledger::ask(operation what, std::size_t number, std::string& requests) {
  const std::string name = key(number);
  if (what == operation::get) {
    return kv::write_command(requests, {"GET", name});
  }
  if (counts(number)) {
    return kv::write_command(requests, {"INCR", name});
  }
  entry& e = known_[number];
  e.sent.push_back(++e.next);
  kv::write_command(requests, {"SET", name, std::to_string(e.next)});
}

void ledger::seen(std::size_t number, std::int64_t value, std::int64_t least, std::int64_t most) {
  entry& e = known_[number];
  if (value < least || value > most) {
    ++(value < least ? lost : invented);
    if (first_trouble.empty()) {
      first_trouble = key(number) + " is " + std::to_string(value) + " and was at least " +
                      std::to_string(least) + ", at most " + std::to_string(most);
    }
  }
  e.least = e.most = value;
}

void ledger::answered(operation what, std::size_t number, const reply& r) {
  entry& e = known_[number];
  std::int64_t wrote = 0;
  if (what == operation::write && !counts(number)) {
    wrote = e.sent[e.first_sent++];
    if (e.first_sent == e.sent.size()) {
      e.sent.clear();
      e.first_sent = 0;
    }
  }
  if (r.kind == '-') {
    const bool not_known = r.text.starts_with("UNAVAILABLE");
    ++(not_known ? uncertain : refused);
    if (not_known && what == operation::write) {
      e.most = counts(number) ? e.most + 1 : wrote;
    }
    return;
  }
  const std::int64_t value = r.null ? 0 : kv::number<std::int64_t>(r.text).value_or(-1);
  if (what == operation::get) {
    return seen(number, value, e.least, e.most);
  }
  ++acknowledged;
  if (counts(number)) {
    seen(number, value, e.least + 1, e.most + 1);
  } else {
    e.least = e.most = wrote;
  }
}

} // namespace kv_demo
