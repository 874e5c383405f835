// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a connection has read at once: commands of one client, in their order. Each is answered here, or
// by partitions; all that the partitions have to do is on its way to them at the same time. Their replies
// are put together in the order of the commands.

#ifndef KV_ROUND_HPP
#define KV_ROUND_HPP

#include "batch.hpp"
#include "command.hpp"
#include "partition.hpp"
#include "resp_writer.hpp"

#include <smarm/partition_supervisor.hpp>
#include <smarm/pending_reply.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

using partitions = smarm::partition_supervisor<partition>;

class round {
public:
  explicit round(const partitions& stores) : stores_(stores), places_(stores.size()) {}

  // One more command that partitions answer, with a number of arguments that it takes.
  void add(const command& what, std::span<const std::string_view> words);
  // One more reply that is known.
  void add_reply(std::string_view reply);

  [[nodiscard]] std::size_t size() const noexcept { return steps_.size(); }

  // Some of it is for partitions.
  [[nodiscard]] bool asks_partitions() const noexcept { return !asked_.empty(); }

  // Sends what there is to do, waits until it is done, and appends the replies. Begins anew then. A
  // partition that is being restarted is waited for; what one had taken when it crashed gets an error,
  // since nobody knows whether it was done.
  void finish(std::string& replies, protocol form);

  // The same for commands that belong together: nobody sees some of them done and others not. What one
  // partition has to do of them is done whole or, if it crashes, not at all. If there are several each is
  // reserved first, in their order; when one of them crashes the others' part is done nevertheless. Where
  // one cannot be reserved nothing is done: then false, with no replies. later(n, replies) appends the
  // reply that was left for it, its n-th, when the partitions have done all.
  using later_reply = std::function<void(std::size_t, std::string&)>;
  [[nodiscard]] bool finish_together(std::string& replies, protocol form, const later_reply& later);
  void add_later();

private:
  // A command: its replies come from the partitions asked_[first...], in this order; or, if it has no
  // partition, from known_, so many characters, or none yet.
  struct step {
    spread how;
    std::size_t first, count;
  };
  struct place {
    partition::work work;
    smarm::pending_reply<partition::work> answer;
    smarm::server_ref<partition> reserved; // by this round
    std::size_t taken = 0;                 // replies
    bool sent = false, failed = false;
  };

  void ask(std::size_t place, const command& what, std::span<const std::string_view> words);
  void send(std::size_t index);
  [[nodiscard]] bool reserve(std::size_t index);
  void release_all();
  void send_all();
  void begin_anew();
  void receive(std::size_t index);
  [[nodiscard]] std::string_view next_reply(std::size_t place);
  void append_all(std::string& replies, const later_reply& later);
  void append_reply(std::string_view reply, std::string& replies) const;
  void append(const step& of, std::string& replies);
  void append_joined(const step& of, std::string& replies);

  partitions stores_;
  std::vector<place> places_;
  std::vector<step> steps_;
  std::vector<std::size_t> asked_;
  std::string known_; // replies that need no partition
  std::size_t later_ = 0;
  protocol form_ = protocol::resp2;
};

} // namespace kv

#endif
