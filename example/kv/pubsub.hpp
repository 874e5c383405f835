// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What clients publish and subscribe to. A channel is a process group of those who listen to it, and so is
// a pattern, in a scope of its own; which groups there are is known to nobody but the runtime. A group is
// told by one broadcast, so that what one client publishes comes to each subscriber in its order.

#ifndef KV_PUBSUB_HPP
#define KV_PUBSUB_HPP

#include <smarm/channel.hpp>
#include <smarm/group_scope.hpp>
#include <smarm/typed_pid.hpp>

#include <boost/unordered/unordered_flat_set.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

enum class topic : unsigned char { channel, pattern };

// The same object for all who get it.
struct publication {
  topic kind;
  std::string name;  // the channel's, or the pattern's
  std::string frame; // as it is sent, but for the first character, which is * or >
};

// Who is in the groups.
struct subscriber {
  using message = std::shared_ptr<const publication>;
};

// What clients that publish share: whether the list of patterns that one of them has made is good still.
// Written, after the groups have changed, by who joins and leaves them; who publishes reads it before it
// lists them. So a pattern is known to whatever is published after its subscriber was told.
struct pattern_version {
  std::atomic<std::uint64_t> now{0};
};

// Of one client, in whose actor it is used.
class publisher {
public:
  explicit publisher(const pattern_version& patterns) noexcept : version_(patterns) {}
  // How many have got it, one who has it by two patterns counted twice. Throws std::bad_alloc. While much
  // that was published has not been taken up by its subscribers it waits for them, for a moment.
  std::size_t publish(std::string_view channel, std::string_view payload);

private:
  const pattern_version& version_;
  std::uint64_t listed_at_ = ~std::uint64_t{0}; // never
  std::vector<std::string> patterns_;
};

// Of one client, in whose actor it is used. Its inbox is made with the first subscription.
class subscriptions {
public:
  using inbox = smarm::receiver<subscriber::message>;

  explicit subscriptions(pattern_version& patterns) noexcept : version_(patterns) {}
  subscriptions(const subscriptions&) = delete;
  ~subscriptions() { clear(); }

  // Nothing, if it is there already. True: `made` is where the messages come from now on.
  bool add(topic kind, std::string_view name, inbox& made);
  void remove(topic kind, std::string_view name);
  void clear();

  [[nodiscard]] bool contains(const publication& p) const { return of(p.kind).contains(p.name); }
  [[nodiscard]] std::vector<std::string> names(topic kind) const {
    return {of(kind).begin(), of(kind).end()};
  }
  [[nodiscard]] std::size_t count(topic kind) const noexcept { return of(kind).size(); }
  [[nodiscard]] std::size_t size() const noexcept { return channels_.size() + patterns_.size(); }
  // The inbox was full: something is missing.
  [[nodiscard]] bool has_missed() const noexcept { return to_.overflows().dropped_oldest != 0; }

private:
  struct hash {
    using is_transparent = void;
    [[nodiscard]] std::size_t operator()(std::string_view text) const noexcept;
  };
  using names_type = boost::unordered_flat_set<std::string, hash, std::equal_to<>>;
  [[nodiscard]] names_type& of(topic kind) noexcept {
    return kind == topic::channel ? channels_ : patterns_;
  }
  [[nodiscard]] const names_type& of(topic kind) const noexcept {
    return kind == topic::channel ? channels_ : patterns_;
  }

  pattern_version& version_;
  names_type channels_, patterns_;
  smarm::sender<subscriber::message> to_;
  smarm::typed_pid<subscriber> self_;
};

} // namespace kv

#endif
