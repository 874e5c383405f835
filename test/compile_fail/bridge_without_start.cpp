// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What is bridged can be started.
// expect: smarm: what is bridged needs a public member void start\(smarm::bridge_end\)

#include <smarm/bridge.hpp>

struct engine {
  void stop() {}
};

smarm::child_start make() { return smarm::bridge<engine>(); }
