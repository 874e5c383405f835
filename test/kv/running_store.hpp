// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A store that runs in the test's process, and a client that asks it.

#ifndef KV_TEST_RUNNING_STORE_HPP
#define KV_TEST_RUNNING_STORE_HPP

#include "../../example/kv/store.hpp"
#include "../plain_client.hpp"
#include "../recorder.hpp"

#include <smarm/runtime.hpp>

#include <stdlib.h>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>

namespace kv_test {

// Made empty, and removed at the end.
class temporary_directory {
public:
  temporary_directory() {
    std::string name = (std::filesystem::temp_directory_path() / "kv_test.XXXXXX").string();
    path_ = ::mkdtemp(name.data()) != nullptr ? name : std::string();
  }
  temporary_directory(const temporary_directory&) = delete;
  ~temporary_directory() { std::filesystem::remove_all(path_); }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
  std::string path_;
};

class running_store {
public:
  explicit running_store(std::string directory = {}, std::size_t partitions = 3,
                         kv::fsync_policy fsync = kv::fsync_policy::no,
                         const std::function<void(kv::settings&)>& adjust = {})
      : how_(settings(std::move(directory), partitions, fsync, adjust)), directory_(how_),
        runtime_(
            {.schedulers = 2, .reports = [this](const smarm::report& r) { reports.note(r.text); }}),
        store_(
            {.name = "kv", .log = [this](std::string_view line) { lines.note(std::string(line)); }},
            kv::roots(how_)),
        started_((runtime_.start(), store_.start(runtime_.handle()).has_value())) {}
  ~running_store() { (void)end(); }

  [[nodiscard]] bool started() const noexcept { return started_; }
  // Ends it in good order, once. True: it was in good order.
  bool end() {
    if (!std::exchange(started_, false)) {
      return false;
    }
    store_.request_stop();
    return store_.wait().clean();
  }
  [[nodiscard]] unsigned short port() const noexcept { return port_; }

  smarm_test::basic_recorder<std::string> lines, reports;

private:
  kv::settings settings(std::string directory, std::size_t partitions, kv::fsync_policy fsync,
                        const std::function<void(kv::settings&)>& adjust) {
    kv::settings how;
    how.port = 0;
    how.directory = std::move(directory);
    how.partitions = partitions;
    how.fsync = fsync;
    how.log = [this](std::string_view line) { lines.note(std::string(line)); };
    how.on_listening = [this](std::uint16_t port) { port_ = port; };
    if (adjust) {
      adjust(how);
    }
    return how;
  }

  unsigned short port_ = 0; // written before start() returns
  kv::settings how_;
  kv::store_directory directory_;
  smarm::runtime runtime_;
  smarm::application store_;
  bool started_;
};

// Sends a command as people type it, and has the reply, with a blank for each line's end.
class client {
public:
  explicit client(unsigned short port) : to_(port) {}

  std::string operator()(const std::string& line) {
    to_.send(line + "\r\n");
    return reply();
  }
  std::string reply() {
    std::string text = one_line();
    if (text.empty()) {
      return "closed";
    }
    const char kind = text[0];
    const long count = kind == '$' || kind == '*' ? std::stol(text.substr(1)) : 0;
    if (kind == '$' && count >= 0) {
      const std::string bulk = to_.receive(static_cast<std::size_t>(count) + 2);
      return bulk.substr(0, bulk.size() - 2);
    }
    for (long i = 0; kind == '*' && i < count; ++i) {
      text += ' ' + reply();
    }
    return text;
  }
  [[nodiscard]] smarm_test::plain_client& line() noexcept { return to_; }

private:
  std::string one_line() {
    std::string text;
    for (;;) {
      const std::string c = to_.receive(1);
      if (c.empty() || c == "\n") {
        return text;
      }
      if (c != "\r") {
        text += c;
      }
    }
  }

  smarm_test::plain_client to_;
};

} // namespace kv_test

#endif
