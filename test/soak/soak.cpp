// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Everything at once for a long time: servers that crash, timers, sockets, spawns, stops, channels, monitors,
// names, plain threads and blocking calls. Fails if a count is wrong, if something does not get on for a
// minute, if memory grows, or if a descriptor is left open.
//
//     soak --seconds 1800 --schedulers 8 --seed 7

#include "../descriptors_of_process.hpp"
#include "workload.hpp"

#include <smarm/dump_stacks.hpp>
#include <smarm/report.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/this_actor.hpp>

#include <boost/program_options.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>
#include <thread>

namespace {

namespace options = boost::program_options;
using namespace std::chrono_literals;
using clock_type = std::chrono::steady_clock;

struct settings {
  unsigned seconds = 10, schedulers = 2;
  std::uint64_t seed = 1;
};

std::uint64_t resident_kib() {
  std::uint64_t whole = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> whole >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) / 1024;
}

[[noreturn]] void give_up(const std::string& why) {
  std::cout << "FAILED: " << why << std::endl;
  smarm::dump_stacks(std::cout);
  std::cout.flush();
  ::_exit(EXIT_FAILURE);
}

// From a thread of its own, so that it looks even if no scheduler gets on.
void look_on(const soak::workloads& all, const settings& how, std::vector<std::uint64_t>& memory) {
  struct seen {
    std::uint64_t rounds = 0;
    clock_type::time_point since = clock_type::now();
  };
  std::vector<seen> last(all.size());
  const auto begin = clock_type::now();
  const auto every = std::chrono::milliseconds(std::max(200U, how.seconds * 1000 / 60));
  while (clock_type::now() - begin < std::chrono::seconds(how.seconds)) {
    std::this_thread::sleep_for(every);
    memory.push_back(resident_kib());
    std::cout << std::chrono::duration_cast<std::chrono::seconds>(clock_type::now() - begin).count()
              << " s, " << memory.back() << " KiB:";
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::uint64_t now = all[i]->rounds();
      if (now != last[i].rounds) {
        last[i] = {now, clock_type::now()};
      } else if (clock_type::now() - last[i].since > 1min) {
        give_up(all[i]->name() + " has not got on for a minute");
      }
      std::cout << ' ' << all[i]->name() << ' ' << now;
    }
    std::cout << std::endl;
  }
}

// What it had after the first third is what it needs; the last third may not need half as much again.
std::string growth(const std::vector<std::uint64_t>& memory) {
  if (memory.size() < 9) {
    return {};
  }
  const auto third = static_cast<std::ptrdiff_t>(memory.size() / 3);
  const std::uint64_t early = *std::max_element(memory.begin(), memory.begin() + 2 * third);
  const std::uint64_t late = *std::max_element(memory.end() - third, memory.end());
  return late <= early + early / 2 ? std::string()
                                   : "memory grew from " + std::to_string(early) + " KiB to " +
                                         std::to_string(late);
}

int soak_all(const settings& how) {
  soak::workloads all;
  all.push_back(soak::make_accounts(how.seed));
  all.push_back(soak::make_crowds(how.seed));
  all.push_back(soak::make_echoes(how.seed));
  all.push_back(soak::make_observers(how.seed));
  all.push_back(soak::make_outsiders(how.seed));
  all.push_back(soak::make_pipes(how.seed));
  all.push_back(soak::make_reminders(how.seed));

  const std::set<int> open_before = smarm_test::open_descriptors();
  std::vector<std::uint64_t> memory;
  std::atomic<bool> ended{false};
  std::thread watcher([&] {
    look_on(all, how, memory);
    for (const auto& one : all) {
      one->end();
    }
    const auto limit = clock_type::now() + 2min;
    while (!ended) {
      std::this_thread::sleep_for(50ms);
      if (clock_type::now() > limit) {
        give_up("the end takes more than two minutes");
      }
    }
  });
  {
    smarm::runtime rt({.schedulers = how.schedulers, .reports = [](const smarm::report&) {}});
    rt.run([&] {
      std::vector<smarm::join_handle> running;
      for (const auto& one : all) {
        running.push_back(smarm::spawn({.label = one->name()}, [&one] { one->run(); }));
      }
      for (std::size_t i = 0; i < all.size(); ++i) {
        const auto end = running[i].join();
        if (end.kind() != smarm::exit_kind::normal) {
          give_up(all[i]->name() + " has ended: " + end.text());
        }
      }
    });
  }
  ended = true;
  watcher.join();

  int status = EXIT_SUCCESS;
  const auto check = [&](const std::string& name, const std::string& broken) {
    if (!broken.empty()) {
      std::cout << "FAILED: " << name << ": " << broken << '\n';
      status = EXIT_FAILURE;
    }
  };
  for (const auto& one : all) {
    check(one->name(), one->broken());
  }
  check("memory", growth(memory));
  check("descriptors", smarm_test::none_open_but(open_before) ? "" : "some were left open");
  std::cout << (status == EXIT_SUCCESS ? "all of it held" : "it did not hold") << ", seed " << how.seed
            << '\n';
  return status;
}

} // namespace

int main(int argc, char** argv) {
  settings how;
  options::options_description known("soak, everything at once");
  known.add_options()("help", "this");
  auto add = known.add_options();
  add("seconds", options::value(&how.seconds)->default_value(how.seconds), "how long");
  add("schedulers", options::value(&how.schedulers)->default_value(how.schedulers), "1 to 64");
  add("seed", options::value(&how.seed)->default_value(how.seed), "what chance begins with");
  try {
    options::variables_map given;
    options::store(options::parse_command_line(argc, argv, known), given);
    options::notify(given);
    if (given.count("help") != 0) {
      std::cout << known;
      return EXIT_SUCCESS;
    }
    return soak_all(how);
  } catch (const std::exception& wrong) {
    std::cerr << "soak: " << wrong.what() << '\n';
    return 2;
  }
}
