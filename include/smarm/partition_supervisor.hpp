// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Several servers of one class, each for its part of the keys: where one server would be the one that
// everybody waits for. A key always leads to the same place, also when the server there was started
// anew.
//
//     smarm::partition_supervisor<session_store> stores({.partitions = 8}, max_age);
//     auto sup = stores.start().value();       // or as a child: {.id = "stores", .start = stores.as_child()}
//     session s = stores.for_key(user).call(session_store::find{user}, 1s).value();

#ifndef SMARM_PARTITION_SUPERVISOR_HPP
#define SMARM_PARTITION_SUPERVISOR_HPP

#include <smarm/any_server.hpp>
#include <smarm/child_spec.hpp>
#include <smarm/child_start.hpp>
#include <smarm/detail/noting_launcher.hpp>
#include <smarm/detail/partition_of.hpp>
#include <smarm/detail/partition_places.hpp>
#include <smarm/detail/partition_specs.hpp>
#include <smarm/detail/tree_plan.hpp>
#include <smarm/runtime.hpp>
#include <smarm/server_ref.hpp>
#include <smarm/supervisor.hpp>
#include <smarm/supervisor_options.hpp>

#include <boost/system/result.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace smarm {

//[partition_options_outline
struct partition_options {
  // How many servers, 1 to 65536. 0: one for each scheduler of the caller's runtime; on a plain thread
  // as many as a runtime has by default.
  std::size_t partitions = 0;

  // For each of them; `start` is not used. Its id is this id, if it has one, else the supervisor's name,
  // with a number from 0: "stores/3".
  child_spec child = {};

  // With a name, the servers are named after their ids, too. One server's trouble is no other one's, so
  // the strategy is one_for_one unless something else is asked for.
  supervisor_options supervisor = {};
};
//]

// The way to the servers, for whoever has a copy: cheap to copy, from any thread, before they run and
// after they have ended. It does not keep them running. They run once at a time: started in a second
// place it leads there.
template <class S>
class partition_supervisor {
public:
  // Servers made of copies of these arguments, as by smarm::server, options first. Throws
  // boost::system::system_error, errc::invalid_config, and std::bad_alloc.
  template <class... Arguments>
  explicit partition_supervisor(const partition_options& options, const Arguments&... arguments)
      : partition_supervisor(by_index(), options, [&](std::size_t, std::string name) {
          return detail::named_server<S>(std::move(name), arguments...);
        }) {}

  // Each as make(index) says, which returns what smarm::server<S> returns. They have no other names than
  // those that it gives them.
  template <class Make>
  [[nodiscard]] static partition_supervisor with_index(const partition_options& options,
                                                       Make make) {
    return partition_supervisor(by_index(), options, [&](std::size_t index, const std::string&) {
      return child_start(std::invoke(make, index));
    });
  }

  // ---- running them; as start_supervisor and supervision_tree, which see

  [[nodiscard]] boost::system::result<supervisor_ref> start() const { return plan_->start(); }
  [[nodiscard]] boost::system::result<supervisor_ref> start(const runtime_handle& runtime) const {
    return plan_->start(runtime);
  }
  [[nodiscard]] child_start as_child() const { return plan_->as_child(); }

  // ---- finding them: constant time; do not suspend

  // The server that keys like this one belong to, as it is now; calls of the ref give server_down if it
  // has just ended, or does not run. The hash is boost::hash, or what hash(key) says; texts of all kinds
  // have that of their characters.
  template <class Key>
  [[nodiscard]] server_ref<S> for_key(const Key& key) const {
    return (*this)[index_of(key)];
  }
  template <class Key, class Hash>
  [[nodiscard]] server_ref<S> for_key(const Key& key, const Hash& hash) const {
    return (*this)[index_of(key, hash)];
  }
  template <class Key, class Hash = detail::key_hash>
  [[nodiscard]] std::size_t index_of(const Key& key, const Hash& hash = Hash()) const {
    return detail::partition_of(hash(key), size());
  }

  [[nodiscard]] std::size_t size() const noexcept { return places_->size(); }
  // The one of that number, which is less than size().
  [[nodiscard]] server_ref<S> operator[](std::size_t index) const noexcept {
    return (*places_)[index];
  }
  // f(index, ref) for each of them in order.
  template <class F>
  void each(F&& f) const {
    for (std::size_t i = 0; i < size(); ++i) {
      std::invoke(f, i, (*this)[i]);
    }
  }

  // ---- waiting for one

  // The server that such keys belong to, as soon as it takes requests: at once if it does now, else when
  // it has been started again, but for no longer than that, errc::timed_out. It may have ended again when
  // it is called. Suspends if there is none. A stop point then. Throws boost::system::system_error:
  // would_block_scheduler in scheduler context, if it would have to wait.
  template <class Key, class Rep, class Period>
  [[nodiscard]] boost::system::result<server_ref<S>>
  wait_for_key(const Key& key, const std::chrono::duration<Rep, Period>& limit) const {
    return wait_for_index(index_of(key), limit);
  }
  // The same for the one of that number, which is less than size().
  template <class Rep, class Period>
  [[nodiscard]] boost::system::result<server_ref<S>>
  wait_for_index(std::size_t index, const std::chrono::duration<Rep, Period>& limit) const {
    return places_->wait(index, limit);
  }

private:
  using places = detail::partition_places<S>;
  struct by_index {};

  template <class Start>
  partition_supervisor(by_index, const partition_options& options, Start start)
      : places_(std::make_shared<places>(detail::partition_count(options.partitions))) {
    auto plan = std::make_shared<detail::tree_plan>();
    plan->supervisor = options.supervisor;
    for (std::size_t i = 0; i < size(); ++i) {
      child_spec spec = options.child;
      spec.id = detail::partition_id(spec.id, options.supervisor.name, i);
      child_start server = start(i, options.supervisor.name.empty() ? std::string() : spec.id);
      detail::check_partition(server, detail::key_of<S>(), spec.id);
      spec.start = detail::noting(std::move(server), [at = places_, i](const any_server& fresh) {
        at->set(i, detail::typed<S>(fresh));
        return true;
      });
      plan->children.push_back(std::move(spec));
    }
    check_child_specs(plan->supervisor, plan->children);
    plan_ = std::move(plan);
  }

  std::shared_ptr<places> places_;
  std::shared_ptr<const detail::tree_plan> plan_;
};

} // namespace smarm

#endif
