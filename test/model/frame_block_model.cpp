// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// An actor's frame has memory of an operation in it. It goes once, after the handler was called and the
// memory given back, whichever comes first.

#include "suite.hpp"

#include <smarm/detail/frame_block_word.hpp>

namespace {

using std::memory_order_relaxed;

using right = smarm::detail::basic_frame_block_word<mc::atomics>;

// ---- words with one thing wrong

struct lets_go_with_the_handler : right {
  bool handler_called() noexcept { return true; }
};

struct lets_go_with_the_memory : right {
  bool give_back() noexcept {
    (void)right::give_back();
    return true;
  }
};

struct gives_back_in_two_steps : right {
  bool give_back() noexcept {
    const bool mine = word_.load() == outlives;
    word_.store(vacant);
    return mine;
  }
};

struct handler_leaves_no_trace : right {
  bool handler_called() noexcept { return word_.load() == vacant; }
};

struct handler_marks_by_store : right {
  bool handler_called() noexcept {
    if (word_.load() == vacant) {
      return true;
    }
    word_.store(outlives);
    return false;
  }
};

// ---- the frame

template <class Word>
struct frame {
  Word word;
  mc::atomic<int> block{0}; // what the operation writes there
  mc::atomic<int> gone{0};

  void let_go() {
    mc::require(gone.load() == 0, "the frame goes once");
    gone.store(1);
  }
  void call_handler() {
    mc::require(gone.load() == 0, "the handler's frame is there");
    if (word.handler_called()) {
      let_go();
    }
  }
  void give_back() {
    block.store(1, memory_order_relaxed);
    mc::require(gone.load() == 0, "the memory's frame is there");
    if (word.give_back()) {
      let_go();
    }
  }
};

template <class Word>
void both_come(mc::world& world) {
  auto& f = world.make<frame<Word>>();
  mc::require(f.word.take(), "the block is free at first");
  world.thread([&f] { f.call_handler(); });
  world.thread([&f] { f.give_back(); });
  world.finally([&f] { mc::require(f.gone.load() == 1, "the frame goes"); });
}

template <class Word>
void no_memory_was_needed(mc::world& world) {
  auto& f = world.make<frame<Word>>();
  world.thread([&f] { f.call_handler(); });
  world.finally([&f] { mc::require(f.gone.load() == 1, "the frame goes"); });
}

} // namespace

int main(int argc, char** argv) {
  const mc::options all{.store_buffers = true, .reduced = true};
  mc::suite suite("frame_block", argc, argv);

  suite.model("both_come", all, &both_come<right>);
  suite.mutation("lets_go_with_the_handler", all, &both_come<lets_go_with_the_handler>);
  suite.mutation("lets_go_with_the_memory", all, &both_come<lets_go_with_the_memory>);
  suite.mutation("gives_back_in_two_steps", all, &both_come<gives_back_in_two_steps>);
  suite.mutation("handler_leaves_no_trace", all, &both_come<handler_leaves_no_trace>);
  suite.mutation("handler_marks_by_store", all, &both_come<handler_marks_by_store>);

  suite.model("no_memory_was_needed", all, &no_memory_was_needed<right>);
  return suite.result();
}
