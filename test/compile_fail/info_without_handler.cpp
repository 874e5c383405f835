// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A channel of infos needs a handler for its type of message.
// expect: smarm: the server has no handle_info for this channel's type of message

#include <smarm/gen_server.hpp>

#include <chrono>

struct counter : smarm::gen_server<counter> {
  void init() { receive_info(smarm::receiver<int>()); }
};

void start() { (void)smarm::start_server<counter>(); }
