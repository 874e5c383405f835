// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Each member gets a copy of what is broadcast.
// expect: smarm: each member gets a copy of the message

#include <smarm/process_group.hpp>

#include <memory>

struct worker {
  using message = std::unique_ptr<int>;
  void run(smarm::receiver<std::unique_ptr<int>>&);
};

inline constexpr smarm::process_group<worker> pool("pool");

void start() { (void)pool.broadcast(std::make_unique<int>(1)); }
