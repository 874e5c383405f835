// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
//     word_count [FILE or DIRECTORY]...
//
// The most frequent words in all text files below the places named, or below the current directory.
// Each file is counted by an actor of its own. One that cannot be read fails alone: it is reported,
// and the others go on. Ctrl-C asks all actors to shut down and shows what has been counted so far;
// the program then ends with status 130.

//[word_count_program
#include <smarm.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace fs = std::filesystem;
using namespace std::chrono_literals;

using word_counts = boost::unordered_flat_map<std::string, std::uint64_t>;

struct file_counts {
  word_counts words;
  std::uint64_t bytes = 0;
  bool is_text = true;
};

// A word is a run of letters; bytes beyond ASCII belong to letters, so UTF-8 stays whole.
void count_words(std::string_view line, word_counts& counts) {
  std::string word;
  for (const unsigned char c : line) {
    if ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') {
      word += static_cast<char>(c | 0x20);
    } else if (c >= 0x80) {
      word += static_cast<char>(c);
    } else if (!word.empty()) {
      ++counts[word];
      word.clear();
    }
  }
  if (!word.empty()) {
    ++counts[word];
  }
}

// What the actor of a file does. The reads are plain ones and block the scheduler's thread for the
// moment that a disk takes; a pool for calls that block for long comes with a later version.
void count_file(const fs::path& path, file_counts& counts) {
  std::ifstream file(path);
  if (!file) {
    throw std::system_error(errno, std::generic_category(), "cannot open");
  }
  for (std::string line; std::getline(file, line);) {
    smarm::this_actor::checkpoint(); // lets others run, and ends this actor if it is told to stop
    counts.bytes += line.size() + 1;
    if (line.find('\0') != line.npos) {
      counts = {.words = {}, .bytes = 0, .is_text = false};
      return;
    }
    count_words(line, counts.words);
  }
}

// A file, its counts, and the actor that writes them.
struct counted_file {
  explicit counted_file(fs::path p)
      : path(std::move(p)), actor(smarm::spawn({.label = path.native()},
                                               [this] { count_file(path, counts); })) {}

  fs::path path;
  file_counts counts;
  smarm::join_handle actor;
};

class census {
public:
  // The root of all actors: walks over the places and starts a counter for each file.
  void take(const std::vector<fs::path>& places) {
    for (const fs::path& place : places) {
      if (!fs::is_directory(place)) {
        count(place);
        continue;
      }
      const auto options = fs::directory_options::skip_permission_denied;
      for (fs::recursive_directory_iterator at(place, options), end; at != end; ++at) {
        std::error_code unknown;
        if (at->path().filename().native().starts_with('.')) {
          at.disable_recursion_pending();
        } else if (at->is_regular_file(unknown)) {
          count(at->path());
        }
      }
    }
    finish();
  }

  // Waits for the counters that are still in flight.
  void finish() {
    while (!in_flight_.empty()) {
      collect_oldest();
    }
  }

  void show_progress() const {
    // To the start of the line, so that the next one covers it; a log file gets lines.
    std::cerr << text_files_ << " files, " << words_ << " words"
              << (::isatty(STDERR_FILENO) != 0 ? "     \r" : "\n") << std::flush;
  }

  void show_top(std::size_t n) const {
    std::vector<std::pair<std::string_view, std::uint64_t>> top(totals_.begin(), totals_.end());
    n = std::min(n, top.size());
    const auto more_frequent = [](const auto& a, const auto& b) {
      return std::pair(b.second, a.first) < std::pair(a.second, b.first);
    };
    std::partial_sort(top.begin(), top.begin() + static_cast<std::ptrdiff_t>(n), top.end(),
                      more_frequent);
    for (const auto& [word, times] : std::span(top).first(n)) {
      std::cout << std::setw(9) << times << "  " << word << '\n';
    }
  }

  void show_summary(std::chrono::duration<double> time, const smarm::runtime_stats& stats) const {
    const double files = static_cast<double>(text_files_ + other_files_);
    const double megabytes = static_cast<double>(bytes_) / 1e6;
    std::cout << std::fixed << std::setprecision(1) << '\n'
              << text_files_ << " text files, " << other_files_ << " others, " << failed_
              << " failed, " << unfinished_ << " unfinished\n"
              << words_ << " words in " << megabytes << " MB\n"
              << stats.spawned << " actors on " << stats.schedulers << " schedulers in "
              << time.count() << " s: " << std::setprecision(0) << files / time.count()
              << " files and " << megabytes / time.count() << " MB a second\n";
  }

private:
  static constexpr std::size_t most_in_flight = 64;

  void count(const fs::path& file) {
    if (in_flight_.size() == most_in_flight) {
      collect_oldest();
    }
    in_flight_.emplace_back(file);
  }

  // An actor's end is a value: nothing that happened to it can harm whoever waits for it.
  void collect_oldest() {
    counted_file& oldest = in_flight_.front();
    const smarm::exit_status ended = oldest.actor.join();
    if (ended == smarm::exit_kind::failed) {
      ++failed_; // the runtime has reported it
    } else if (ended == smarm::exit_kind::shutdown) {
      ++unfinished_;
    } else {
      text_files_ += oldest.counts.is_text;
      other_files_ += !oldest.counts.is_text;
      bytes_ += oldest.counts.bytes;
      for (const auto& [word, times] : oldest.counts.words) {
        totals_[word] += times;
        words_ += times;
      }
    }
    in_flight_.pop_front();
  }

  std::deque<counted_file> in_flight_; // adding and removing at the ends moves no element
  word_counts totals_;
  // Written by whoever collects, read by the progress line.
  std::atomic<std::uint64_t> text_files_{0}, words_{0};
  std::uint64_t other_files_ = 0, failed_ = 0, unfinished_ = 0, bytes_ = 0;
};

std::atomic<bool> interrupted{false};

extern "C" void on_interrupt(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL); // the second Ctrl-C kills
}

int main(int argc, char** argv) {
  std::vector<fs::path> places(argv + 1, argv + argc);
  if (places.empty()) {
    places.emplace_back(".");
  }
  std::signal(SIGINT, on_interrupt);
  const auto begin = std::chrono::steady_clock::now();

  census words;      // made first: what actors write to must outlive them
  smarm::runtime rt; // as many schedulers as processors
  rt.start();
  smarm::join_handle all = rt.handle().spawn({.label = "census"}, [&] { words.take(places); });
  while (!interrupted && !all.join_for(200ms)) {
    words.show_progress();
  }

  // After Ctrl-C this asks every actor to shut down, and each ends at its next checkpoint or wait,
  // with its destructors. Without one there is nobody left to ask.
  const std::vector<smarm::survivor> left = rt.shutdown(10s);
  for (const smarm::survivor& actor : left) {
    std::cerr << actor << '\n';
  }
  if (!left.empty()) {
    std::_Exit(130); // they still use what this function owns
  }
  words.finish();
  words.show_top(15);
  words.show_summary(std::chrono::steady_clock::now() - begin, rt.stats());
  return interrupted ? 130 : EXIT_SUCCESS;
}
//]

// test-arguments: @/word_count_input no_such_file
// prints: ^smarm: actor <.*> "no_such_file": failed: .*cannot open: No such file or directory$
// prints: ^ *4  the$
// prints: ^ *2  actor$
// prints: ^ *2  zwölf$
// prints: ^3 text files, 1 others, 1 failed, 0 unfinished$
// prints: ^18 words in
// prints: ^6 actors
