// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What supervision costs: how long a child that failed is away, and how long a tree takes to start and
// to end. erlang/supervisor_bench.erl has the same workloads with the same window.

#include "in_runtime.hpp"

#include <smarm/gen_server.hpp>
#include <smarm/server_name.hpp>
#include <smarm/supervisor.hpp>
#include <smarm/this_actor.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;
using smarm_bench::measure;
using smarm_bench::scaled;

class child : public smarm::gen_server<child> {
public:
  struct who {};
  struct fail {};
  smarm::pid handle_call(who) const { return smarm::this_actor::self(); }
  void handle_cast(fail) { stop(smarm::exit_reason::failed("told to")); }
};

smarm::supervisor_options options(smarm::strategy how) {
  return {.strategy = how, .intensity = 10'000'000, .period = 1s};
}

smarm::config silent() {
  smarm::config c = smarm_bench::runtime_settings();
  c.reports = [](const smarm::report&) {}; // what is measured is the restart, and no report of it
  return c;
}

// Ends with its time untaken.
struct tree {
  smarm::supervisor_ref root;

  explicit tree(smarm::supervisor_ref of) : root(std::move(of)) {}
  tree(const tree&) = delete;
  tree& operator=(const tree&) = delete;
  ~tree() { smarm_bench::require(root.shutdown(1min).has_value(), "shutdown"); }
};

// The next incarnation under that name.
smarm::pid ask(const smarm::server_name<child>& name, smarm::pid before) {
  for (;;) {
    const auto who = name.call(child::who{});
    if (who && *who != before) {
      return *who;
    }
    smarm::this_actor::yield();
  }
}

// The first child is told to fail; it counts as restarted when the last one's next incarnation answers
// under its name.
void restarts(const char* workload, smarm::strategy how, unsigned children) {
  const std::uint64_t n = scaled(500);
  std::vector<std::string> names;
  for (unsigned i = 1; i <= children; ++i) {
    names.push_back("child_" + std::to_string(i));
  }
  std::vector<smarm::child_spec> specs;
  for (const std::string& name : names) {
    specs.push_back({.id = name, .start = smarm::server(smarm::server_name<child>(name))});
  }
  const smarm::server_name<child> first(names.front()), last(names.back());
  measure(
      workload, "children=" + std::to_string(children) + ";n=500", static_cast<double>(n),
      [&] {
        const tree all(smarm::start_supervisor(options(how), specs).value());
        smarm::pid now = ask(last, smarm::pid());
        for (std::uint64_t i = 0; i < n; ++i) {
          smarm_bench::require(first.cast(child::fail{}).has_value(), workload);
          now = ask(last, now);
        }
      },
      silent());
}

void trees(unsigned children) {
  std::vector<smarm::child_spec> specs;
  for (unsigned i = 1; i <= children; ++i) {
    specs.push_back({.id = std::to_string(i), .start = smarm::server<child>()});
  }
  const std::string params = "children=" + std::to_string(children);
  measure("tree_start", params, children, [&] {
    return tree(smarm::start_supervisor(options(smarm::one_for_one), specs).value());
  });
  measure("tree_start_stop", params, children, [&] {
    const tree all(smarm::start_supervisor(options(smarm::one_for_one), specs).value());
  });
}

} // namespace

int main(int argc, char** argv) {
  smarm_bench::start_with_threads(argc, argv);
  restarts("restart", smarm::one_for_one, 1);
  restarts("restart_all", smarm::one_for_all, 10);
  trees(1000);
}
