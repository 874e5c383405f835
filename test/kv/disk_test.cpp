// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

//
// The store on a disk that is full, or fails: who would change something is told, the others are served,
// and when the disk is well again so is the store. And snapshots, as seen from outside.

#define BOOST_TEST_MODULE kv_disk
#include <boost/test/unit_test.hpp>

#include "running_store.hpp"

#include <boost/system/errc.hpp>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <thread>

using namespace kv_test;

namespace {

class bad_disk {
public:
  void fail(std::set<kv::disk_step> steps, boost::system::errc::errc_t how) {
    const std::lock_guard hold(lock_);
    steps_ = std::move(steps);
    how_ = how;
  }
  void heal() { fail({}, boost::system::errc::success); }
  std::function<void(kv::settings&)> adjust() {
    return [this](kv::settings& how) {
      how.in_place_of = [this](kv::disk_step step) -> std::optional<boost::system::error_code> {
        const std::lock_guard hold(lock_);
        if (steps_.count(step) != 0) {
          return make_error_code(how_);
        }
        return std::nullopt;
      };
    };
  }

private:
  std::mutex lock_;
  std::set<kv::disk_step> steps_;
  boost::system::errc::errc_t how_ = boost::system::errc::success;
};

// Asks until the reply begins so; who waits for ever fails by the test's limit.
std::string until(client& ask, const std::string& line, const std::string& wanted) {
  std::string reply;
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    reply = ask(line);
  } while (!reply.starts_with(wanted));
  return reply;
}

bool said(running_store& store, const std::string& what, std::size_t times = 1) {
  std::size_t found = 0;
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    found = 0;
    for (const std::string& line : store.lines.all()) {
      found += line.find(what) != line.npos ? 1 : 0;
    }
  } while (found < times);
  return true;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_full_disk_refuses_changes_and_nothing_else) {
  const temporary_directory directory;
  bad_disk disk;
  {
    running_store store(directory.path(), 2, kv::fsync_policy::no, disk.adjust());
    BOOST_REQUIRE(store.started());
    client ask(store.port());
    BOOST_TEST(ask("MSET a 1 b 1 c 1 d 1") == "+OK");
    BOOST_TEST(ask("SET short 1 PX 30") == "+OK");
    disk.fail({kv::disk_step::write}, boost::system::errc::no_space_on_device);
    for (int again = 0; again < 3; ++again) {
      for (const char* change : {"SET a 2", "INCR b", "DEL c", "APPEND d x", "EXPIRE a 10",
                                 "MSET a 2 b 2", "FLUSHALL", "GET none\r\nSET n 1"}) {
        BOOST_TEST_CONTEXT(change) {
          const std::string reply = ask(change);
          const std::string last = std::string(change).starts_with("GET") ? ask.reply() : reply;
          BOOST_TEST(last == "-MISCONF Errors writing to the append only file: No space left on "
                             "device");
        }
      }
      BOOST_TEST(ask("MGET a b c d n") == "*5 1 1 1 1 $-1");
      BOOST_TEST(ask("TTL a") == ":-1");
    }
    until(ask, "GET short", "$-1"); // its time comes all the same
    disk.heal();
    BOOST_TEST(until(ask, "SET a 3", "+OK") == "+OK");
    BOOST_TEST(until(ask, "SET b 3", "+OK") == "+OK");
    BOOST_TEST(until(ask, "MSET a 4 b 4 c 4 d 4", "+OK") == "+OK");
    BOOST_TEST(store.reports.size() == 0U); // nobody crashed
    BOOST_TEST(store.end());
  }
  running_store store(directory.path(), 2);
  client ask(store.port());
  BOOST_TEST(ask("MGET a b c d n short") == "*6 4 4 4 4 $-1 $-1");
}

BOOST_AUTO_TEST_CASE(what_could_not_be_made_durable_is_not_acknowledged) {
  const temporary_directory directory;
  bad_disk disk;
  running_store store(directory.path(), 1, kv::fsync_policy::always, disk.adjust());
  BOOST_REQUIRE(store.started());
  client ask(store.port());
  BOOST_TEST(ask("SET a 1") == "+OK");
  disk.fail({kv::disk_step::sync}, boost::system::errc::io_error);
  BOOST_TEST(ask("SET a 2").starts_with("-MISCONF "));
  BOOST_TEST(ask("GET a") == "1");
  disk.heal();
  BOOST_TEST(until(ask, "SET a 3", "+OK") == "+OK");
  BOOST_TEST(ask("DEBUG CRASH a").starts_with("-UNAVAILABLE"));
  BOOST_TEST(until(ask, "GET a", "3") == "3");
}

BOOST_AUTO_TEST_CASE(a_log_that_cannot_be_made_durable_any_more_is_replaced) {
  const temporary_directory directory;
  bad_disk disk;
  running_store store(directory.path(), 1, kv::fsync_policy::everysec, disk.adjust());
  BOOST_REQUIRE(store.started());
  client ask(store.port());
  disk.fail({kv::disk_step::sync, kv::disk_step::sync_snapshot}, boost::system::errc::io_error);
  BOOST_TEST(ask("SET a 1") == "+OK"); // a second later this is known to have been too much
  BOOST_TEST(until(ask, "SET b 1", "-MISCONF").starts_with("-MISCONF "));
  BOOST_TEST(ask("GET a") == "1");
  BOOST_TEST(said(store, "cannot compact its log"));
  disk.heal();
  BOOST_TEST(until(ask, "SET b 1", "+OK") == "+OK");
  BOOST_TEST(said(store, "compacted its log"));
  BOOST_TEST(ask("DEBUG CRASH a").starts_with("-UNAVAILABLE"));
  BOOST_TEST(until(ask, "MGET a b", "*2") == "*2 1 1");
}

BOOST_AUTO_TEST_CASE(a_snapshot_that_fails_harms_nobody) {
  for (const auto step : {kv::disk_step::create, kv::disk_step::write_snapshot,
                          kv::disk_step::sync_snapshot, kv::disk_step::publish}) {
    const temporary_directory directory;
    bad_disk disk;
    running_store store(directory.path(), 1, kv::fsync_policy::no, disk.adjust());
    BOOST_REQUIRE(store.started());
    client ask(store.port());
    BOOST_TEST(ask("SET a 1") == "+OK");
    disk.fail({step}, boost::system::errc::no_space_on_device);
    BOOST_TEST(ask("BGREWRITEAOF") == "+Background append only file rewriting started");
    BOOST_TEST(said(store, "cannot compact its log: No space left on device"));
    BOOST_TEST(ask("INCR a") == ":2");
    BOOST_TEST(ask("DEBUG CRASH a").starts_with("-UNAVAILABLE"));
    BOOST_TEST(until(ask, "GET a", "2") == "2");
    disk.heal();
    BOOST_TEST(ask("BGSAVE") == "+Background saving started");
    BOOST_TEST(said(store, "compacted its log"));
    BOOST_TEST(ask("INCR a") == ":3");
    BOOST_TEST(store.end());
  }
}

BOOST_AUTO_TEST_CASE(logs_that_have_grown_are_replaced_while_clients_go_on) {
  const temporary_directory directory;
  const auto adjust = [](kv::settings& how) { how.rewrite_least_bytes = 20'000; };
  {
    running_store store(directory.path(), 2, kv::fsync_policy::everysec, adjust);
    BOOST_REQUIRE(store.started());
    client ask(store.port());
    std::string many = "MSET";
    for (int i = 0; i < 1000; ++i) {
      many.append(" key").append(std::to_string(i)).append(" value");
    }
    BOOST_TEST(ask(many) == "+OK");
    int wrong = 0;
    for (int i = 1; i <= 20'000; ++i) {
      wrong += ask("INCR n") != std::string(":").append(std::to_string(i));
      if (i % 5000 == 0) {
        wrong += !ask("DEBUG CRASH n").starts_with("-UNAVAILABLE");
      }
    }
    BOOST_TEST(wrong == 0);
    BOOST_TEST(said(store, "compacted its log", 4));
    BOOST_TEST(store.end());
  }
  std::uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory.path())) {
    bytes += entry.file_size();
  }
  BOOST_TEST(bytes < 400'000U); // of more than a million that were written
  running_store store(directory.path(), 2);
  client ask(store.port());
  BOOST_TEST(ask("GET n") == "20000");
  BOOST_TEST(ask("DBSIZE") == ":1001");
}

BOOST_AUTO_TEST_CASE(without_a_directory_there_is_no_snapshot) {
  running_store store;
  client ask(store.port());
  BOOST_TEST(ask("BGSAVE").starts_with("-ERR nothing is kept"));
  BOOST_TEST(ask("SET a 1") == "+OK");
}

BOOST_AUTO_TEST_CASE(another_number_of_partitions_is_refused) {
  const temporary_directory directory;
  {
    running_store store(directory.path(), 3);
    BOOST_TEST(store.end());
  }
  BOOST_CHECK_EXCEPTION(running_store(directory.path(), 2), std::runtime_error,
                        [&](const std::runtime_error& refused) {
                          return refused.what() ==
                                 directory.path() + " was made with --partitions 3";
                        });
}

BOOST_AUTO_TEST_CASE(info_tells_how_the_disk_gets_on) {
  const temporary_directory directory;
  bad_disk disk;
  running_store store(directory.path(), 2, kv::fsync_policy::no, disk.adjust());
  BOOST_REQUIRE(store.started());
  client ask(store.port());
  const auto has = [&](const std::string& line) {
    return ask("INFO persistence").find("\r\n" + line + "\r\n") != std::string::npos;
  };
  // Who waits for ever fails by the test's limit.
  const auto comes_to = [&](const std::string& line) {
    while (!has(line)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
  };
  BOOST_TEST(has("aof_enabled:1"));
  BOOST_TEST(has("aof_last_write_status:ok"));
  BOOST_TEST(has("rdb_changes_since_last_save:0"));
  BOOST_TEST(has("aof_base_size:0"));
  BOOST_TEST(ask("MSET a 1 b 1") == "+OK");
  BOOST_TEST(ask("INCR a") == ":2");
  BOOST_TEST(ask("GET a") == "2");
  BOOST_TEST(has("rdb_changes_since_last_save:3"));

  disk.fail({kv::disk_step::write}, boost::system::errc::no_space_on_device);
  BOOST_TEST(ask("SET a 3").starts_with("-MISCONF"));
  BOOST_TEST(has("aof_last_write_status:err"));
  BOOST_TEST(has("rdb_changes_since_last_save:3")); // it was not made
  disk.heal();
  BOOST_TEST(comes_to("aof_last_write_status:ok"));

  disk.fail({kv::disk_step::write_snapshot}, boost::system::errc::no_space_on_device);
  (void)ask("BGREWRITEAOF");
  BOOST_TEST(comes_to("aof_last_bgrewrite_status:err"));
  BOOST_TEST(comes_to("aof_rewrite_in_progress:0"));
  BOOST_TEST(has("rdb_changes_since_last_save:3"));
  disk.heal();
  (void)ask("BGSAVE");
  BOOST_TEST(comes_to("rdb_last_bgsave_status:ok"));
  BOOST_TEST(comes_to("rdb_bgsave_in_progress:0"));
  BOOST_TEST(has("rdb_changes_since_last_save:0"));
  BOOST_TEST(store.end());
}
