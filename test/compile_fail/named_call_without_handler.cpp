// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A name knows what its server takes.
// expect: smarm: the server has no handle_call for this type of request
// expect: smarm: the server has no handle_cast for this type of message

#include <smarm/gen_server.hpp>
#include <smarm/server_name.hpp>

struct counter : smarm::gen_server<counter> {
  struct get {};
};
constexpr smarm::server_name<counter> the_counter{"counter"};

void use() {
  (void)the_counter.call(counter::get{});
  (void)the_counter.cast(counter::get{});
}
