// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A program to be looked at: a small tree with a child that crashes now and then, a server with a long
// inbox, an actor with a strange label, and many that do nothing. Prints its URL, and ends when its
// input does.

#include <smarm/channel.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/observer_http.hpp>
#include <smarm/registry.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/server_name.hpp>
#include <smarm/stop.hpp>
#include <smarm/supervisor.hpp>
#include <smarm/this_actor.hpp>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace std::chrono_literals;

namespace {

struct slow : smarm::gen_server<slow> {
  struct job {};
  struct hold {};
  explicit slow(smarm::receiver<int> until) : until_(std::move(until)) {}
  void handle_cast(job) {}
  void handle_cast(hold) { (void)until_.recv(); }

private:
  smarm::receiver<int> until_;
};

inline constexpr smarm::server_name<slow> the_slow{"a \"quoted\" \\ name\n"};

// Fails three times, then stays.
void fragile(const std::shared_ptr<int>& failures) {
  if (*failures < 3) {
    ++*failures;
    throw std::runtime_error("as expected");
  }
  smarm::this_actor::sleep_for(24h);
}

// Fails for good: nobody starts it anew.
void goner() { throw std::runtime_error("gone for good"); }

void live(smarm::receiver<int>& end, std::size_t crowd) {
  const auto failures = std::make_shared<int>(0);
  auto sup = smarm::start_supervisor({.intensity = 10, .period = 1h},
                                     {{.id = "steady", .start = [] { smarm::this_actor::sleep_for(24h); }},
                                      {.id = "fragile", .start = [failures] { fragile(failures); }},
                                      {.id = "goner",
                                       .start = [] { goner(); },
                                       .restart = smarm::restart::temporary},
                                      {.id = "hopeless",
                                       .start = smarm::supervision_tree(
                                           {.intensity = 0, .label = "gives up"},
                                           {{.id = "again", .start = [] { goner(); }}}),
                                       .restart = smarm::restart::temporary}})
                 .value();
  auto [open, until] = smarm::channel<int>();
  auto server = the_slow.start(std::move(until)).value();
  (void)server.cast(slow::hold{});
  for (int i = 0; i < 42; ++i) {
    (void)server.cast(slow::job{});
  }
  auto strange = smarm::spawn({.label = "<b>bold</b> & \xff\xfe"},
                              [] { smarm::this_actor::sleep_for(24h); });
  auto many = smarm::spawn({.label = "crowd"}, [crowd] {
    std::vector<smarm::join_handle> all;
    for (std::size_t i = 0; i < crowd; ++i) {
      all.push_back(smarm::spawn([] { smarm::this_actor::sleep_for(24h); }));
    }
    smarm::this_actor::sleep_for(24h);
  });
  (void)end.recv();
  (void)open.send(1);
  (void)sup.shutdown(10s);
  strange.detach();
  many.detach();
}

} // namespace

int main(int argc, char** argv) {
  const std::size_t crowd = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 250;
  smarm::runtime rt({.schedulers = 2, .reports = [](const smarm::report&) {}});
  rt.start();
  auto [tell, end] = smarm::channel<int>();
  auto root = rt.handle().spawn({.label = "root"}, [in = std::move(end), crowd]() mutable {
    live(in, crowd);
  });
  {
    const smarm::observer_http page(rt.handle(), {.sample_interval = 200ms});
    std::cout << page.url() << std::endl;
    for (std::string line; std::getline(std::cin, line);) {
    }
  }
  (void)tell.send(1);
  root.detach();
  return rt.shutdown(20s).empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}
