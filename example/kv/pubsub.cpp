// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "pubsub.hpp"

#include "glob.hpp"
#include "resp_writer.hpp"

#include <smarm/process_group.hpp>
#include <smarm/registry.hpp>
#include <smarm/this_actor.hpp>

#include <boost/container_hash/hash.hpp>
#include <boost/system/system_error.hpp>

#include <chrono>
#include <initializer_list>
#include <utility>

namespace kv {

using namespace std::chrono_literals;

namespace {

constexpr smarm::group_scope channel_groups("kv/channels");
constexpr smarm::group_scope pattern_groups("kv/patterns");

// The runtime has a copy of the name, so this one may go again.
smarm::process_group<subscriber> group(topic kind, std::string_view name) {
  return smarm::process_group<subscriber>(name,
                                          kind == topic::channel ? channel_groups : pattern_groups);
}

// A subscriber's actor takes up what comes at once, so that there is more than this in its inbox only
// when others keep the schedulers from it.
constexpr std::size_t inbox_messages = 65'536;

// Of all that is in the inboxes. Written by who makes and destroys publications, read by publishers.
std::atomic<std::size_t> bytes_under_way{0};
constexpr std::size_t most_bytes_under_way = std::size_t{64} << 20;

struct counted_publication : publication {
  explicit counted_publication(publication p) : publication(std::move(p)) {
    bytes_under_way.fetch_add(frame.size(), std::memory_order_relaxed);
  }
  counted_publication(const counted_publication&) = delete;
  ~counted_publication() { bytes_under_way.fetch_sub(frame.size(), std::memory_order_relaxed); }
};

std::string frame(std::initializer_list<std::string_view> words) {
  std::string text;
  write_command(text, words);
  return text.substr(1);
}

// Subscribers that are held up hold up who publishes, but not for ever: the publisher may be one of them.
void wait_for_room() {
  const auto until = std::chrono::steady_clock::now() + 1s;
  while (bytes_under_way.load(std::memory_order_relaxed) > most_bytes_under_way &&
         std::chrono::steady_clock::now() < until) {
    smarm::this_actor::sleep_for(1ms);
  }
}

} // namespace

std::size_t publisher::publish(std::string_view channel, std::string_view payload) {
  if (bytes_under_way.load(std::memory_order_relaxed) > most_bytes_under_way) {
    wait_for_room();
  }
  const auto tell = [&](topic kind, const std::string& name, std::string_view word) {
    const auto to = group(kind, name);
    if (to.size() == 0) {
      return std::size_t{0};
    }
    const subscriber::message one = std::make_shared<const counted_publication>(
        publication{kind, name,
                    kind == topic::channel ? frame({word, channel, payload})
                                           : frame({word, name, channel, payload})});
    return to.broadcast(one);
  };
  std::size_t told = tell(topic::channel, std::string(channel), "message");
  if (const auto now = version_.now.load(std::memory_order_acquire); now != listed_at_) {
    patterns_ = pattern_groups.which_groups();
    listed_at_ = now;
  }
  for (const std::string& pattern : patterns_) {
    if (matches(pattern, channel)) {
      told += tell(topic::pattern, pattern, "pmessage");
    }
  }
  return told;
}

std::size_t subscriptions::hash::operator()(std::string_view text) const noexcept {
  return boost::hash<std::string_view>()(text);
}

bool subscriptions::add(topic kind, std::string_view name, inbox& made) {
  if (of(kind).contains(name)) {
    return false;
  }
  const bool first = self_ == smarm::typed_pid<subscriber>();
  if (first) {
    auto [to, from] = smarm::channel<subscriber::message>(
        {.capacity = inbox_messages, .when_full = smarm::overflow::drop_oldest});
    to_ = to;
    self_ = smarm::publish_as<subscriber>(std::move(to));
    made = std::move(from);
  }
  of(kind).emplace(name);
  group(kind, name).join(self_).value();
  if (kind == topic::pattern) {
    version_.now.fetch_add(1, std::memory_order_release);
  }
  return first;
}

void subscriptions::remove(topic kind, std::string_view name) {
  const auto found = of(kind).find(name);
  if (found == of(kind).end()) {
    return;
  }
  (void)group(kind, *found).leave(self_);
  of(kind).erase(found);
  if (kind == topic::pattern) {
    version_.now.fetch_add(1, std::memory_order_release);
  }
}

void subscriptions::clear() {
  for (const topic kind : {topic::channel, topic::pattern}) {
    for (const std::string& name : names(kind)) {
      remove(kind, name);
    }
  }
}

} // namespace kv
