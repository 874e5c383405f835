// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// An answer that is awaited needs a handler for its tag and its type.
// expect: smarm: the server has no handle_reply for this tag and this answer

#include <smarm/gen_server.hpp>

#include <boost/system/result.hpp>

#include <string>

struct counter : smarm::gen_server<counter> {
  struct get {};
  int handle_call(get) { return 1; }
  void init() { expect(self().send_request(get{}).value(), 1); }
  void handle_reply(int, boost::system::result<std::string>) {}
};

void start() { (void)smarm::start_server<counter>(); }
