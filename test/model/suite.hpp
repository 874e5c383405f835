// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a model's main() is made of: scenarios that must hold in every schedule, and mutations of
// them that must fail in one. A scenario that fails is printed operation by operation.
//
//   int main(int argc, char** argv) {
//     mc::suite suite("slot_word", argc, argv);
//     suite.model("park_against_wake", {}, &park_against_wake<right>);
//     suite.mutation("wake_forgets_the_epoch", {}, &park_against_wake<wrong>);
//     return suite.result();
//   }
//
// Arguments: a name runs only what contains it; `--trace` prints the schedule that killed each
// mutation; `--replay 0,1,0` runs that one schedule of what the name selects.

#ifndef SMARM_TEST_MODEL_SUITE_HPP
#define SMARM_TEST_MODEL_SUITE_HPP

#include "explorer.hpp"
#include "mc_atomic.hpp"

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace mc {

class suite {
public:
  suite(std::string name, int argc, char** argv) : name_(std::move(name)) {
    for (int i = 1; i < argc; ++i) {
      const std::string_view argument = argv[i];
      if (argument == "--trace") {
        trace_ = true;
      } else if (argument == "--replay" && i + 1 < argc) {
        replay_ = argv[++i];
      } else {
        only_ = argument;
      }
    }
  }

  // Holds in every schedule within the bound on preemptions, if there is one.
  void model(const std::string& scenario_name, const options& how, const scenario& setup) {
    if (!selected(scenario_name, how, setup)) {
      return;
    }
    const outcome seen = world_.explore(how, setup);
    std::printf("model %s/%s: %ld schedules", name_.c_str(), scenario_name.c_str(), seen.schedules);
    if (how.preemptions != unbounded) {
      std::printf(", at most %d preemptions", how.preemptions);
    }
    if (!seen.error.empty()) {
      std::printf(" FAILED: %s\n", seen.error.c_str());
      print(how, setup, seen.choices);
    } else {
      std::printf(seen.exhausted ? "\n" : " NOT EXHAUSTED\n");
    }
    failures_ += !seen.error.empty() || !seen.exhausted;
    std::fflush(stdout);
  }

  // Fails in some schedule; a reason given must be part of what it fails with.
  void mutation(const std::string& mutation_name, const options& how, const scenario& setup,
                std::string_view reason = {}) {
    if (!selected(mutation_name, how, setup)) {
      return;
    }
    const outcome seen = world_.explore(how, setup);
    const bool killed = seen.error.find(reason) != std::string::npos && !seen.error.empty();
    std::printf("mutation %s/%s: %s after %ld schedules (%s)\n", name_.c_str(),
                mutation_name.c_str(), killed ? "killed" : "SURVIVED", seen.schedules,
                seen.error.empty() ? "nothing failed" : seen.error.c_str());
    if (trace_ && killed) {
      print(how, setup, seen.choices);
    }
    failures_ += !killed;
    std::fflush(stdout);
  }

  [[nodiscard]] int result() const { return failures_ == 0 ? EXIT_SUCCESS : EXIT_FAILURE; }

private:
  bool selected(const std::string& what, const options& how, const scenario& setup) {
    if (what.find(only_) == std::string::npos) {
      return false;
    }
    if (replay_.empty()) {
      return true;
    }
    std::vector<int> choices;
    for (const char* at = replay_.c_str(); *at != '\0'; at += *at == ',') {
      choices.push_back(static_cast<int>(std::strtol(at, const_cast<char**>(&at), 10)));
    }
    print(how, setup, choices);
    return false;
  }

  void print(const options& how, const scenario& setup, const std::vector<int>& choices) {
    std::string list;
    for (const int c : choices) {
      list += (list.empty() ? "" : ",") + std::to_string(c);
    }
    std::printf("  --replay %s\n", list.empty() ? "-" : list.c_str());
    world_.replay(how, setup, choices);
  }

  std::string name_;
  std::string only_;
  std::string replay_;
  bool trace_ = false;
  int failures_ = 0;
  world world_;
};

} // namespace mc

#endif
