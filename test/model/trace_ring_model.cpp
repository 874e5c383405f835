// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The ring of a trace: who reads while it is being written gets whole records, in order, up to the
// newest that was complete when the reading began.

#include "suite.hpp"

#include <smarm/detail/trace_ring.hpp>

#include <algorithm>
#include <vector>

namespace {

using right = smarm::detail::basic_trace_ring<mc::atomics, 2>;
using std::memory_order_acquire;
using std::memory_order_release;

// ---- rings with one thing wrong

struct announces_first : right {
  using right::right;
  void add(const record& r) {
    const std::uint64_t number = next_.load();
    next_.store(number + 1, memory_order_release);
    place_of(number)[0].store(r[0], memory_order_release);
    place_of(number)[1].store(r[1], memory_order_release);
  }
};

struct looks_once : right {
  using right::right;
  std::uint64_t read(std::vector<record>& out) const {
    const std::uint64_t end = next_.load(memory_order_acquire);
    const std::uint64_t first = end > capacity_ ? end - capacity_ : 0;
    copy(first, end, out);
    return first;
  }
};

// Only what is complete is in its way, it believes.
struct forgets_the_one_on_its_way : right {
  using right::right;
  std::uint64_t read(std::vector<record>& out) const {
    const std::uint64_t end = next_.load(memory_order_acquire);
    const std::uint64_t first = end > capacity_ ? end - capacity_ : 0;
    copy(first, end, out);
    const std::uint64_t now = next_.load(memory_order_acquire);
    const std::uint64_t whole = std::clamp(now > capacity_ ? now - capacity_ : 0, first, end);
    drop(out, 0, whole - first);
    return whole;
  }
};

template <class Ring>
void written_while_read(mc::world& world) {
  constexpr std::uint64_t records = 4;
  struct state {
    Ring ring{2};
    std::vector<typename Ring::record> seen;
    std::uint64_t lost = 0;
  };
  auto& s = world.make<state>();
  world.thread([&s] {
    for (std::uint64_t i = 1; i <= records; ++i) {
      s.ring.add({i, i});
    }
  });
  world.thread([&s] { s.lost = s.ring.read(s.seen); });
  world.finally([&s] {
    std::uint64_t next = s.lost + 1;
    for (const auto& r : s.seen) {
      mc::require(r[0] == r[1], "a record is whole");
      mc::require(r[0] == next, "records come in order, after those that were lost");
      ++next;
    }
    mc::require(s.seen.size() <= 2, "no more than there is room for");
    std::vector<typename Ring::record> rest;
    const std::uint64_t lost = s.ring.read(rest);
    mc::require(lost + rest.size() == records, "what is not lost is there");
    mc::require(!rest.empty() && rest.back()[0] == records, "the newest is there");
  });
}

} // namespace

int main(int argc, char** argv) {
  mc::suite suite("trace_ring", argc, argv);
  const mc::options how{.store_buffers = true, .reduced = true};
  suite.model("written_while_read", how, &written_while_read<right>);
  suite.mutation("announces_first", how, &written_while_read<announces_first>, "record");
  suite.mutation("looks_once", how, &written_while_read<looks_once>, "record");
  suite.mutation("forgets_the_one_on_its_way", how,
                 &written_while_read<forgets_the_one_on_its_way>, "record");
  return suite.result();
}
