// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A server that cannot keep up: its inbox has a limit, and what happens to one message more is chosen
// with it.
//
// prints: ^a job too many: the queue is full
// prints: ^refused 2 of 12$
// prints: ^the newest positions: 8 9$

//[server_limit_program
#include <smarm.hpp>

#include <iostream>
#include <vector>

// Works for ever on its first job, until it is let go.
class worker : public smarm::gen_server<worker> {
public:
  struct job {
    int number;
  };
  struct busy {
    smarm::receiver<int> until;
  };
  struct seen {};

  void handle_cast(busy b) { (void)b.until.recv(); }
  void handle_cast(job j) { seen_.push_back(j.number); }
  std::vector<int> handle_call(seen) const { return seen_; }

private:
  std::vector<int> seen_;
};

int main() {
  smarm::run([] {
    //[server_limit_fail
    auto jobs = smarm::start_server<worker>(
                    {.actor = {.label = "jobs"}, .inbox = {10, smarm::overflow::fail}})
                    .value();
    //]
    auto [release, until] = smarm::channel<int>();
    (void)jobs.cast(worker::busy{std::move(until)});
    smarm::this_actor::yield(); // it has begun
    //[server_limit_use
    for (int i = 0; i < 12; ++i) {
      if (auto sent = jobs.cast(worker::job{i}); !sent && i == 10) {
        std::cout << "a job too many: " << sent.error().message() << '\n';
      }
    }
    std::cout << "refused " << jobs.overflows().refused << " of 12\n";
    //]
    (void)release.send(1);

    //[server_limit_drop
    auto positions = smarm::start_server<worker>(
                         smarm::server_options{.inbox = {2, smarm::overflow::drop_oldest}})
                         .value();
    //]
    auto [go_on, hold] = smarm::channel<int>();
    (void)positions.cast(worker::busy{std::move(hold)});
    smarm::this_actor::yield();
    for (int i = 0; i < 10; ++i) {
      (void)positions.cast(worker::job{i});
    }
    (void)go_on.send(1);
    smarm::this_actor::yield(); // a call would take a place, too
    std::cout << "the newest positions:";
    for (const int i : positions.call(worker::seen{}).value()) {
      std::cout << ' ' << i;
    }
    std::cout << '\n';
  });
}
//]
