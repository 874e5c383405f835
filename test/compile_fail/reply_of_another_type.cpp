// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The answer is of the type that the handler has promised.
// expect: (no matching function|no matching member function).*reply

#include <smarm/gen_server.hpp>

#include <string>

struct counter : smarm::gen_server<counter> {
  struct get {};
  void handle_call(get, smarm::reply_to<std::string> r) { r.reply(get{}); }
};
