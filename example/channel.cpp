// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Channels: actors that send each other values, and a receiver that picks what it needs next.
//
// prints: ^plan: 3 rooms$
// prints: ^painted kitchen$
// prints: ^painted hall$
// prints: ^painted attic$
// prints: ^nobody sends any more: closed

//[channel_program
#include <smarm.hpp>

#include <iostream>
#include <string>

struct note {
  enum { plan, room } kind;
  std::string text;
};

int main() {
  smarm::run([] {
    auto [to_painter, notes] = smarm::channel<note>();

    // One sender each; the channel closes when the last of them is gone.
    auto owner = smarm::spawn([tx = to_painter] {
      for (const char* name : {"kitchen", "hall", "attic"}) {
        (void)tx.send({note::room, name});
      }
    });
    auto architect = smarm::spawn([tx = std::move(to_painter)] {
      (void)tx.send({note::plan, "3 rooms"});
    });

    // The plan first, wherever it stands; what is passed over stays queued, in its order.
    const auto plan = notes.recv_match([](const note& n) { return n.kind == note::plan; });
    std::cout << "plan: " << plan->text << '\n';

    auto next = notes.recv();
    for (; next; next = notes.recv()) {
      std::cout << "painted " << next->text << '\n';
    }
    std::cout << "nobody sends any more: " << next.error().message() << '\n';
    (void)owner.join();
    (void)architect.join();
  });
}
//]
