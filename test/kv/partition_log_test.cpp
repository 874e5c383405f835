// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

//
// A crash between any two steps of a compaction loses nothing, and what no crash leaves is refused.

#define BOOST_TEST_MODULE kv_partition_log
#include <boost/test/unit_test.hpp>

#include "../../example/kv/partition_log.hpp"
#include "keys.hpp"
#include "running_store.hpp"

#include <boost/system/errc.hpp>
#include <boost/system/system_error.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>

using namespace kv_test;
namespace fs = std::filesystem;
using boost::system::error_code;

namespace {

// A partition without an actor, whose directory is copied before each step to the disk: so a crash at
// that moment would have left it.
class crashed_everywhere {
public:
  std::map<kv::disk_step, int> seen;
  std::optional<kv::disk_step> fails; // the next one of these, once
  int wrong = 0;

  crashed_everywhere()
      : log_(directory_.path(), 0, [this](kv::disk_step step) { return at(step); }) {
    (void)log_.recover(keys_);
    running_ = true;
  }

  void change(const std::string& line) {
    under_way_ = kv_test::change(keys_, line);
    if (!under_way_.empty() && !log_.write(under_way_, random_() % 8 == 0)) {
      acknowledged_.append(under_way_);
    }
    under_way_.clear();
  }
  void some_changes() {
    for (int i = 0; i < 3; ++i) {
      const std::string key = std::string("k").append(std::to_string(random_() % 50));
      if (random_() % 4 == 0) {
        change(std::string("DEL ").append(key));
      } else {
        change(std::string("SET ").append(key).append(" ").append(std::to_string(random_())));
      }
      change("APPEND appended x"); // seen if it is made twice
    }
  }
  // False: a step has failed.
  bool compact() {
    std::shared_ptr<kv::snapshot_file> file;
    if (log_.begin_snapshot(false, file)) {
      return false;
    }
    keys_.begin_snapshot();
    for (bool more = true; more;) {
      std::string piece;
      more = keys_.snapshot_piece(300, piece);
      some_changes();
      if (!piece.empty() && file->write(piece)) {
        keys_.end_snapshot();
        return false;
      }
    }
    if (file->finish()) {
      return false;
    }
    some_changes();
    std::vector<std::string> replaced;
    if (log_.publish(*file, replaced)) {
      return false;
    }
    some_changes();
    return kv::remove_files(replaced, hook());
  }
  void check() { crash(); }
  [[nodiscard]] std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory_.path())) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

private:
  kv::disk_hook hook() {
    return [this](kv::disk_step step) { return at(step); };
  }
  std::optional<error_code> at(kv::disk_step step) {
    if (!running_) {
      return std::nullopt;
    }
    ++seen[step];
    crash();
    if (fails == step) {
      fails.reset();
      return make_error_code(boost::system::errc::io_error);
    }
    return std::nullopt;
  }
  void crash() {
    const temporary_directory copy;
    fs::copy(directory_.path(), copy.path());
    kv::keyspace wanted, more;
    replay(acknowledged_, wanted);
    replay(acknowledged_ + under_way_, more);
    for (int again = 0; again < 2; ++again) { // a recovery leaves what can be recovered
      kv::keyspace found;
      kv::partition_log log(copy.path(), 0);
      (void)log.recover(found);
      const contents all = contents_of(found);
      wrong += all != contents_of(wanted) && all != contents_of(more);
    }
  }
  static void replay(std::string_view changes, kv::keyspace& into) {
    kv::resp_parser parser;
    while (parser.parse(changes) == kv::resp_parser::outcome::command) {
      into.replay(*kv::find_command(parser.parsed().front()), parser.parsed());
      changes.remove_prefix(parser.consumed());
    }
  }

  temporary_directory directory_;
  kv::keyspace keys_;
  std::string acknowledged_, under_way_;
  std::mt19937 random_{1};
  bool running_ = false;
  kv::partition_log log_;
};

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void put(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

// A snapshot of two generations back, and three logs: what failed compactions leave.
struct four_files {
  temporary_directory directory;
  std::string base = directory.path() + "/partition-0.";

  four_files() {
    kv::keyspace keys;
    kv::partition_log log(directory.path(), 0);
    (void)log.recover(keys);
    BOOST_TEST(!log.write(change(keys, "SET a 1"), false));
    std::shared_ptr<kv::snapshot_file> file;
    std::vector<std::string> replaced;
    BOOST_TEST(!log.begin_snapshot(false, file));
    keys.begin_snapshot();
    std::string piece;
    BOOST_TEST(!keys.snapshot_piece(1000, piece));
    BOOST_TEST(!file->write(piece));
    BOOST_TEST(!file->finish());
    BOOST_TEST(!log.publish(*file, replaced));
    BOOST_TEST(kv::remove_files(replaced, {}));
    for (const char* key : {"b", "c", "d"}) {
      BOOST_TEST(!log.write(change(keys, std::string("SET ") + key + " 1"), false));
      if (*key != 'd') {
        BOOST_TEST(!log.begin_snapshot(false, file));
      }
    }
  }
  // What it says if it refuses; else how many keys there are.
  std::string recovered() {
    kv::keyspace into;
    try {
      kv::partition_log log(directory.path(), 0);
      (void)log.recover(into);
    } catch (const boost::system::system_error& refused) {
      return refused.what();
    }
    return std::to_string(into.size());
  }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_crash_before_any_step_loses_nothing) {
  crashed_everywhere part;
  part.some_changes();
  for (int i = 0; i < 3; ++i) {
    BOOST_TEST(part.compact());
    part.some_changes();
  }
  part.check();
  BOOST_TEST(part.wrong == 0);
  BOOST_TEST(part.seen.size() == 8U); // all steps that there are
  BOOST_TEST(
      (part.files() == std::set<std::string>{"partition-0.3.log", "partition-0.3.snapshot"}));
}

BOOST_AUTO_TEST_CASE(a_step_that_fails_loses_nothing_and_the_next_compaction_tidies_up) {
  for (const auto step : {kv::disk_step::sync, kv::disk_step::create, kv::disk_step::write_snapshot,
                          kv::disk_step::sync_snapshot, kv::disk_step::publish,
                          kv::disk_step::sync_directory, kv::disk_step::remove}) {
    for (const int before : {0, 1}) {
      BOOST_TEST_CONTEXT("step " << static_cast<int>(step) << " after " << before) {
        crashed_everywhere part;
        part.some_changes();
        for (int i = 0; i < before; ++i) {
          BOOST_TEST(part.compact());
        }
        part.fails = step;
        BOOST_TEST(!part.compact());
        BOOST_TEST(!part.fails);
        part.some_changes();
        part.check();
        BOOST_TEST(part.compact());
        part.some_changes();
        part.check();
        BOOST_TEST(part.wrong == 0);
        BOOST_TEST(part.files().size() == 2U);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(only_the_last_log_may_be_torn) {
  four_files part;
  BOOST_TEST(part.recovered() == "4");
  const std::string last = part.base + "3.log";
  put(last, content(last).substr(0, 20));
  BOOST_TEST(part.recovered() == "3");
  BOOST_TEST(content(last).empty());
  for (const char* name : {"1.log", "2.log", "1.snapshot"}) {
    BOOST_TEST_CONTEXT(name) {
      const std::string path = part.base + name, whole = content(path);
      for (std::size_t size = name[0] == '1' && name[2] == 's' ? 0 : 1; size < whole.size();
           ++size) {
        put(path, whole.substr(0, size));
        const std::string said = part.recovered();
        BOOST_TEST(said.find(path + " is damaged at byte ") != said.npos);
        BOOST_TEST(content(path).size() == size); // it is left as it is
      }
      put(path, whole);
    }
  }
  BOOST_TEST(part.recovered() == "3");
}

BOOST_AUTO_TEST_CASE(a_flipped_bit_is_refused_with_file_and_place) {
  four_files part;
  for (const char* name : {"1.snapshot", "1.log", "2.log"}) {
    BOOST_TEST_CONTEXT(name) {
      const std::string path = part.base + name, whole = content(path);
      for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 4);
        put(path, damaged);
        const std::string said = part.recovered();
        BOOST_TEST(said.find(path + " is damaged at byte ") != said.npos);
      }
      put(path, whole);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_log_that_is_gone_is_missed) {
  for (const char* name : {"1.log", "2.log"}) {
    four_files part;
    fs::remove(part.base + name);
    const std::string said = part.recovered();
    BOOST_TEST(said.find(part.base + name + " is missing") != said.npos);
  }
}
