// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a pool is asked is for its workers to handle.
// expect: smarm: the server has no handle_call for this type of request

#include <smarm/worker_pool.hpp>

struct worker : smarm::gen_server<worker> {
  struct get {};
};

void ask(const smarm::worker_pool<worker>& pool) { (void)pool.call(worker::get{}); }
