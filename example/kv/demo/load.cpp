// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "load.hpp"

#include "../resp_writer.hpp"

#include <smarm/this_actor.hpp>

#include <boost/system/system_error.hpp>

namespace kv_demo {

using clock = std::chrono::steady_clock;

// A linear congruential generator, so that a run can be repeated.
std::size_t load_client::any(std::size_t below) noexcept {
  random_ = random_ * 6364136223846793005 + 1442695040888963407;
  return static_cast<std::size_t>(random_ >> 33) % below;
}

bool load_client::ask() {
  text_.clear();
  for (const request& r : requests_) {
    keys_.ask(r.what, r.key, text_);
  }
  const auto begin = clock::now();
  std::size_t done = 0;
  auto sent = line_->send(text_);
  boost::system::error_code wrong = sent ? boost::system::error_code() : sent.error();
  for (; !wrong && done < requests_.size(); ++done) {
    const auto got = line_->receive();
    if (!got) {
      wrong = got.error();
      break;
    }
    times_.add(clock::now() - begin);
    keys_.answered(requests_[done].what, requests_[done].key, *got);
    answered_.fetch_add(1, std::memory_order_relaxed);
  }
  if (wrong) {
    unanswered_ += requests_.size() - done;
    trouble_ = wrong.message();
  }
  requests_.clear();
  return !wrong;
}

void load_client::run(std::uint16_t port, const std::atomic<bool>& enough) {
  try {
    line_.emplace(port);
  } catch (const boost::system::system_error& failed) {
    ++unanswered_;
    trouble_ = failed.what();
    return;
  }
  do {
    for (std::size_t i = 0; i < pipeline_; ++i) {
      requests_.push_back({any(2) == 0 ? operation::get : operation::write, any(keys_.keys())});
    }
  } while (ask() && !enough.load(std::memory_order_relaxed));
}

void load_client::check() {
  if (!line_ || unanswered_ != 0) {
    return;
  }
  for (std::size_t key = 0; key < keys_.keys(); ++key) {
    requests_.push_back({operation::get, key});
  }
  (void)ask();
}

boost::system::result<std::chrono::nanoseconds> killer::kill_owner_of(const std::string& key) {
  std::string kill, look;
  kv::write_command(kill, {"DEBUG", "CRASH", key});
  kv::write_command(look, {"EXISTS", key});
  const auto begin = clock::now();
  for (const std::string* request : {&kill, &look}) {
    if (const auto sent = line_.send(*request); !sent) {
      return sent.error();
    }
    // The look goes to what was started in place of what was killed; the store waits for it.
    const auto got = line_.receive();
    if (!got) {
      return got.error();
    }
    if ((got->kind == '-') != (request == &kill)) {
      return make_error_code(boost::system::errc::protocol_error);
    }
  }
  return clock::now() - begin;
}

} // namespace kv_demo
