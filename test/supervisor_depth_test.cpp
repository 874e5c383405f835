// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How long a child that always fails is tried again, through several levels of supervisors. The manual has
// a table of it, doc/supervisors_depth.qbk; here each of its rows is found out, by real supervisors whose
// clock is the test's: a child's life is the only time that passes.

#define BOOST_TEST_MODULE supervisor_depth
#include <boost/test/unit_test.hpp>

#include "messages.hpp"

#include <smarm/channel.hpp>
#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/select.hpp>
#include <smarm/supervisor.hpp>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;

namespace {

struct window {
  unsigned intensity;
  nanoseconds period;
};
constexpr window windows[] = {{1, 5s}, {3, 5s}, {10, 5s}, {5, 60s}};
constexpr nanoseconds lives[] = {10ms, 1s};
constexpr int depths = 4;
// Who has not given up by then will not: failures come at even intervals, and this is many windows.
constexpr nanoseconds never = 10min;

nanoseconds time_to_give_up(int depth, window w, nanoseconds life) {
  std::atomic<std::int64_t> now{0}; // the supervisors and the child run one after the other
  nanoseconds given_up{};
  smarm::runtime(quiet(1)).run([&] {
    auto [immortal, is_immortal] = smarm::channel<int>();
    auto [stay, leave] = smarm::channel<int>();
    const auto options = [&] {
      return smarm::supervisor_options{
          .intensity = w.intensity, .period = w.period, .clock = [&now] {
            return std::chrono::steady_clock::time_point(nanoseconds(now.load()));
          }};
    };
    std::vector<smarm::child_spec> specs{
        {.id = "child", .start = [&now, life, immortal = immortal] {
           if (now > never.count()) {
             (void)immortal.send(1);
             auto [to, from] = smarm::channel<int>();
             (void)from.recv(); // until it is ended
           }
           now += life.count();
           throw std::runtime_error("as always");
         }}};
    for (int level = 1; level < depth; ++level) {
      auto tree = smarm::supervision_tree(options(), std::move(specs));
      specs = {{.id = "tree", .start = std::move(tree)}};
    }
    auto root = smarm::start_supervisor(options(), std::move(specs)).value();
    auto end = smarm::monitor(root.id());
    if (smarm::select(end.inbox(), is_immortal) == 1) {
      given_up = never;
      (void)root.shutdown(10min).value();
    } else {
      given_up = nanoseconds(now.load());
    }
  });
  return given_up;
}

std::string text_of(nanoseconds t) {
  std::ostringstream text;
  if (t == never) {
    text << "never";
  } else if (t < 1s) {
    text << t.count() / 1'000'000 << " ms";
  } else if (t < 60s) {
    text << static_cast<double>(t.count()) / 1e9 << " s";
  } else {
    text << t / 60s << " min " << (t % 60s) / 1s << " s";
  }
  return std::move(text).str();
}

std::string manual() {
  const auto tree = std::filesystem::path(__FILE__).parent_path().parent_path();
  std::ifstream in(tree / "doc" / "supervisors_depth.qbk");
  return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

BOOST_AUTO_TEST_CASE(the_table_in_the_manual_is_what_supervisors_do) {
  const std::string text = manual();
  BOOST_REQUIRE(!text.empty());
  std::size_t from = 0;
  for (const nanoseconds life : lives) {
    for (int depth = 1; depth <= depths; ++depth) {
      std::string row = "    [[" + std::to_string(depth) + ']';
      for (const window w : windows) {
        row += " [" + text_of(time_to_give_up(depth, w, life)) + ']';
      }
      row += "]\n";
      const std::size_t found = text.find(row, from);
      BOOST_TEST(found != std::string::npos, "not there, or not in this order: " << row);
      if (found != std::string::npos) {
        from = found + row.size();
      }
    }
  }
}

// As long as each window holds, each level multiplies.
BOOST_AUTO_TEST_CASE(levels_multiply) {
  nanoseconds expected = 1ms;
  for (int depth = 1; depth <= 3; ++depth) {
    expected *= 4;
    BOOST_TEST(time_to_give_up(depth, {3, 5s}, 1ms).count() == expected.count());
  }
}
