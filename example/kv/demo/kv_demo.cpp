// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

//
// Shows what the library is for, in a few seconds: a store for keys and values with real connections is
// loaded with all that it can do, while its parts are killed. All of it must be answered, and nothing that
// was acknowledged may be lost. The exit status says whether that held.

#include "load.hpp"
#include "screen.hpp"
#include "service.hpp"

#include <smarm/runtime.hpp>
#include <smarm/signal_watch.hpp>
#include <smarm/spawn.hpp>
#include <smarm/this_actor.hpp>

#include <boost/program_options.hpp>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <list>
#include <string>
#include <vector>

namespace options = boost::program_options;
using namespace kv_demo;
using clock_type = std::chrono::steady_clock;

namespace {

struct plan {
  double seconds = 5;
  std::size_t connections = 16, pipeline = 16, partitions = 2;
  std::chrono::milliseconds between_kills{250};
  bool loses_writes = false;
};

std::atomic<int> interrupted{0}; // the signal's number; written by the watch's thread

class demonstration {
public:
  explicit demonstration(const plan& how)
      : plan_(how), service_(settings()), keys_of_partitions_(service_.a_key_of_each()) {
    for (std::size_t i = 0; i < plan_.connections; ++i) {
      clients_.emplace_back(i, plan_.pipeline);
    }
  }

  bool run() {
    introduce();
    // The clients have a runtime of their own, as if they were another program.
    smarm::runtime outside({.schedulers = 1, .thread_name = "clients"});
    outside.run([&] {
      load();
      // What is read from now on was in the log.
      kill_all();
      check();
      show_figures();
      screen_.heading("Supervision tree");
      service_.show_tree(screen_);
      for (load_client& c : clients_) {
        c.close();
      }
    });
    const bool in_order = service_.end();
    return judge(in_order);
  }

private:
  [[nodiscard]] kv::settings settings() {
    kv::settings how;
    how.partitions = plan_.partitions;
    how.fsync = kv::fsync_policy::everysec;
    how.rewrite_least_bytes = std::uint64_t{1} << 20; // so that it is seen in a few seconds
    if (plan_.loses_writes) {
      how.in_place_of = [this](kv::disk_step step) -> std::optional<boost::system::error_code> {
        if (step == kv::disk_step::write && disk_lies_) {
          return boost::system::error_code(); // it is said to be done, and is not
        }
        return std::nullopt;
      };
    }
    return how;
  }

  void introduce() {
    screen_.heading("kv, a key-value store that speaks the protocol of Redis, built with smarm");
    screen_.line(text_of(std::uint64_t{plan_.partitions}) +
                 " partitions, each a supervised server with a log of what was changed");
    screen_.line("listens on 127.0.0.1:" + std::to_string(service_.port()) + ", logs in " +
                 service_.directory());
    screen_.line(std::to_string(plan_.connections) + " connections with " +
                 std::to_string(plan_.pipeline) + " requests under way on each; every " +
                 std::to_string(plan_.between_kills.count()) + " ms a partition is killed");
  }

  void load() {
    screen_.heading("Load");
    std::atomic<bool> enough{false};
    std::vector<smarm::join_handle> working;
    for (load_client& c : clients_) {
      working.push_back(smarm::spawn([&] { c.run(service_.port(), enough); }));
    }
    working.push_back(smarm::spawn([&] { kill_now_and_then(enough); }));
    const auto begin = clock_type::now();
    const auto length = std::chrono::duration<double>(plan_.seconds);
    auto told = begin;
    std::uint64_t before = 0;
    for (auto now = begin; now - begin < length && interrupted == 0; now = clock_type::now()) {
      smarm::this_actor::sleep_for(std::min<std::chrono::duration<double>>(
          std::chrono::milliseconds(100), length - (now - begin)));
      now = clock_type::now();
      disk_lies_ = (now - begin) / length > 0.8;
      const std::uint64_t answered = answers();
      const double rate = static_cast<double>(answered - before) /
                          std::chrono::duration<double>(now - told).count();
      screen_.progress((now - begin) / length, text_of(static_cast<std::uint64_t>(rate)) +
                                                   " requests/s, " + std::to_string(kills_) +
                                                   " kills");
      before = answered;
      told = now;
    }
    enough = true;
    loaded_for_ = clock_type::now() - begin;
    for (smarm::join_handle& one : working) {
      (void)one.join();
    }
    answered_ = answers();
    screen_.line(
        text_of(answered_) + " requests in " + text_of(loaded_for_) + ": " +
        text_of(static_cast<std::uint64_t>(static_cast<double>(answered_) /
                                           std::chrono::duration<double>(loaded_for_).count())) +
        " requests/s");
  }

  void kill_now_and_then(const std::atomic<bool>& enough) {
    killer kills(service_.port());
    for (std::size_t next = 0;; next = (next + 1) % keys_of_partitions_.size()) {
      smarm::this_actor::sleep_for(plan_.between_kills);
      if (enough) {
        return;
      }
      kill(kills, keys_of_partitions_[next]);
    }
  }

  void kill_all() {
    killer kills(service_.port());
    for (const std::string& key : keys_of_partitions_) {
      kill(kills, key);
    }
  }

  void kill(killer& by, const std::string& key) {
    if (const auto time = by.kill_owner_of(key)) {
      ++kills_;
      until_back_.push_back(*time);
    } else {
      ++failed_kills_;
      trouble_ = "a killed partition did not come back: " + time.error().message();
    }
  }

  void check() {
    std::vector<smarm::join_handle> working;
    for (load_client& c : clients_) {
      working.push_back(smarm::spawn([&] { c.check(); }));
    }
    for (smarm::join_handle& one : working) {
      (void)one.join();
    }
  }

  void show_figures() {
    latencies all;
    for (const load_client& c : clients_) {
      all += c.times();
    }
    screen_.heading("Latency: half below " + text_of(all.quantile(0.5)) + ", 99 % below " +
                    text_of(all.quantile(0.99)) + ", 99.9 % below " + text_of(all.quantile(0.999)) +
                    ", all below " + text_of(all.longest()));
    all.draw(screen_);
  }

  bool judge(bool in_order) {
    std::uint64_t acknowledged = 0, uncertain = 0, lost = 0, invented = 0, refused = 0,
                  unanswered = 0;
    for (const load_client& c : clients_) {
      acknowledged += c.keys().acknowledged;
      uncertain += c.keys().uncertain;
      lost += c.keys().lost;
      invented += c.keys().invented;
      refused += c.keys().refused;
      unanswered += c.unanswered();
      for (const std::string* what : {&c.keys().first_trouble, &c.trouble()}) {
        trouble_ = trouble_.empty() ? *what : trouble_;
      }
    }
    std::ranges::sort(until_back_);
    const auto back =
        until_back_.empty() ? std::chrono::nanoseconds(0) : until_back_[until_back_.size() / 2];
    screen_.heading("Kept its word");
    screen_.verdict(lost == 0 && acknowledged != 0,
                    text_of(acknowledged) + " acknowledged writes, " + text_of(lost) + " lost");
    screen_.verdict(invented == 0 && refused == 0,
                    text_of(invented) + " wrong values, " + text_of(refused) + " refused");
    screen_.verdict(unanswered == 0, text_of(answered_) + " requests, " + text_of(unanswered) +
                                         " without an answer; " + text_of(uncertain) +
                                         " were told that a crash had come between");
    screen_.verdict(failed_kills_ == 0 && kills_ != 0,
                    text_of(kills_) + " partitions killed, back after " + text_of(back) +
                        ", half of them earlier; " + text_of(service_.compactions()) +
                        " logs compacted meanwhile");
    screen_.verdict(in_order, "ended in good order");
    if (!trouble_.empty()) {
      screen_.line(trouble_);
    }
    return lost == 0 && invented == 0 && refused == 0 && unanswered == 0 && acknowledged != 0 &&
           failed_kills_ == 0 && kills_ != 0 && in_order;
  }

  [[nodiscard]] std::uint64_t answers() const {
    std::uint64_t all = 0;
    for (const load_client& c : clients_) {
      all += c.answered();
    }
    return all;
  }

  plan plan_;
  // Written by the load, read by the store: with --lose-writes nothing is written from then on.
  std::atomic<bool> disk_lies_{false};
  screen screen_;
  service service_;
  std::vector<std::string> keys_of_partitions_;
  std::list<load_client> clients_;
  std::vector<std::chrono::nanoseconds> until_back_;
  std::uint64_t kills_ = 0, failed_kills_ = 0, answered_ = 0;
  std::chrono::nanoseconds loaded_for_{0};
  std::string trouble_;
};

} // namespace

int main(int argc, char** argv) {
  plan how;
  options::options_description known("kv_demo: a store under load, and its parts are killed");
  auto add = known.add_options();
  add("help", "this");
  add("seconds", options::value(&how.seconds)->default_value(how.seconds), "how long");
  add("connections", options::value(&how.connections)->default_value(how.connections), "1 to 1000");
  add("pipeline", options::value(&how.pipeline)->default_value(how.pipeline),
      "requests under way on each, 1 to 1000");
  add("partitions", options::value(&how.partitions)->default_value(how.partitions), "1 to 64");
  add("lose-writes", options::bool_switch(&how.loses_writes),
      "a disk that drops the last writes, to see that it is noticed");
  try {
    options::variables_map given;
    options::store(options::command_line_parser(argc, argv)
                       .options(known)
                       .positional(options::positional_options_description()) // none
                       .run(),
                   given);
    options::notify(given);
    if (given.count("help") != 0) {
      std::cout << known;
      return EXIT_SUCCESS;
    }
    const smarm::signal_watch watch({SIGINT, SIGTERM}, [](int signal, unsigned count) {
      if (count > 1) {
        smarm::end_by_signal(signal);
      }
      interrupted = signal;
    });
    const bool held = demonstration(how).run();
    return interrupted != 0 ? 128 + interrupted : held ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& wrong) {
    std::cerr << "kv_demo: " << wrong.what() << '\n';
    return 2;
  }
}
