// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a crash may leave in a log is cut off; what no crash leaves is refused.

#define BOOST_TEST_MODULE kv_append_log
#include <boost/test/unit_test.hpp>

#include "../../example/kv/append_log.hpp"
#include "../../example/kv/checksum.hpp"
#include "../../example/kv/resp_writer.hpp"
#include "running_store.hpp"

#include <boost/crc.hpp>
#include <boost/system/system_error.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace {

std::string set(const std::string& key) {
  std::string text;
  kv::write_command(text, {"SET", key, "value"});
  return text;
}

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void replace(const std::string& path, const std::string& by) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << by;
}

struct written {
  kv_test::temporary_directory directory;
  std::string path = directory.path() + "/log";
  std::string whole; // three records
  std::size_t second = 0, third = 0;

  written() {
    kv::append_log log(path);
    kv::keyspace none;
    (void)log.recover(none);
    for (const char* key : {"a", "b", "c"}) {
      second = third;
      third = std::filesystem::file_size(path);
      BOOST_TEST(!log.write(set(key), true));
    }
    whole = content(path);
  }
  // How many keys, or -1 if it is refused.
  int keys() {
    kv::keyspace into;
    try {
      kv::append_log log(path);
      (void)log.recover(into);
    } catch (const boost::system::system_error&) {
      return -1;
    }
    return static_cast<int>(into.size());
  }
};

} // namespace

BOOST_AUTO_TEST_CASE(the_checksum_is_that_of_boost_crc) {
  std::string bytes;
  for (unsigned n = 0; n < 200; ++n) {
    bytes += static_cast<char>(n * n + n / 7);
  }
  for (std::size_t from = 0; from < 9; ++from) {
    for (std::size_t size = 0; from + size <= bytes.size(); ++size) {
      boost::crc_32_type wanted;
      wanted.process_bytes(bytes.data() + from, size);
      if (kv::checksum(std::string_view(bytes).substr(from, size)) != wanted.checksum()) {
        BOOST_ERROR("from " << from << ", " << size << " bytes");
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_torn_tail_is_cut_off_wherever_it_is_torn) {
  written log;
  for (std::size_t size = 0; size <= log.whole.size(); ++size) {
    BOOST_TEST_CONTEXT("cut at " << size) {
      replace(log.path, log.whole.substr(0, size));
      const int wanted = size == log.whole.size() ? 3
                         : size >= log.third      ? 2
                         : size >= log.second     ? 1
                                                  : 0;
      BOOST_TEST(log.keys() == wanted);
      // And there is no trace of it.
      const std::size_t whole = wanted == 3   ? log.whole.size()
                                : wanted == 2 ? log.third
                                : wanted == 1 ? log.second
                                              : 0;
      BOOST_TEST(content(log.path) == log.whole.substr(0, whole));
    }
  }
}

BOOST_AUTO_TEST_CASE(zeros_at_the_end_are_a_torn_tail) {
  written log;
  for (const std::size_t size : {log.whole.size(), log.third, log.third + 7, log.third + 20}) {
    BOOST_TEST_CONTEXT("zeros from " << size) {
      replace(log.path, log.whole.substr(0, size) + std::string(100'000, '\0'));
      BOOST_TEST(log.keys() == (size == log.whole.size() ? 3 : 2));
    }
  }
}

BOOST_AUTO_TEST_CASE(damage_before_the_end_is_refused_and_leaves_the_file_alone) {
  written log;
  for (std::size_t at = 0; at < log.third; ++at) {
    std::string damaged = log.whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    replace(log.path, damaged);
    BOOST_TEST_CONTEXT("byte " << at) {
      BOOST_TEST(log.keys() == -1);
      BOOST_TEST(content(log.path) == damaged);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_written_after_a_recovery_is_found) {
  written log;
  replace(log.path, log.whole.substr(0, log.whole.size() - 1));
  {
    kv::append_log again(log.path);
    kv::keyspace into;
    BOOST_TEST(again.recover(into).torn_bytes == log.whole.size() - 1 - log.third);
    BOOST_TEST(!again.write(set("d"), false));
  }
  BOOST_TEST(log.keys() == 3);
}
