// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// State that actors and a plain thread share: a small queue with a bound, behind a mutex that may be
// held across waits, and a condition for each of its two ends.
//
// prints: ^took 1 from an actor$
// prints: ^took 3 from a thread$
// prints: ^6 pieces, none left$

//[mutex_program
#include <smarm.hpp>

#include <deque>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

class bounded_queue {
public:
  void put(std::string piece) {
    std::unique_lock lock(mutex_);
    has_room_.wait(lock, [this] { return pieces_.size() < 2; });
    pieces_.push_back(std::move(piece));
    has_pieces_.notify_one();
  }

  std::string take() {
    std::unique_lock lock(mutex_);
    has_pieces_.wait(lock, [this] { return !pieces_.empty(); });
    std::string piece = std::move(pieces_.front());
    pieces_.pop_front();
    has_room_.notify_one();
    return piece;
  }

  bool empty() {
    const std::scoped_lock lock(mutex_);
    return pieces_.empty();
  }

private:
  smarm::mutex mutex_;
  smarm::condition_variable has_room_;
  smarm::condition_variable has_pieces_;
  std::deque<std::string> pieces_;
};

int main() {
  bounded_queue queue;
  const auto put_three = [&queue](const std::string& who) {
    for (int i = 1; i <= 3; ++i) {
      queue.put(std::to_string(i) + " from " + who);
    }
  };

  std::thread thread([&] { put_three("a thread"); }); // blocks where an actor would be suspended
  smarm::run([&] {
    smarm::join_handle actor = smarm::spawn([&] { put_three("an actor"); });
    for (int i = 0; i < 6; ++i) {
      std::cout << "took " << queue.take() << '\n';
    }
    (void)actor.join();
    std::cout << "6 pieces, " << (queue.empty() ? "none" : "some") << " left\n";
  });
  thread.join();
}
//]
