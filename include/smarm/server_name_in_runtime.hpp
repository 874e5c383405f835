// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A server's name in the runtime of a handle, for plain threads and for actors of other runtimes:
//
//     long n = the_counter.in(rt.handle()).call(counter::get{}, 1s).value();

#ifndef SMARM_SERVER_NAME_IN_RUNTIME_HPP
#define SMARM_SERVER_NAME_IN_RUNTIME_HPP

#include <smarm/detail/named_server_calls.hpp>
#include <smarm/error.hpp>
#include <smarm/runtime.hpp>
#include <smarm/server_name.hpp>
#include <smarm/server_options.hpp>
#include <smarm/server_ref.hpp>
#include <smarm/spawn_options.hpp>

#include <boost/system/result.hpp>

#include <memory>
#include <utility>

namespace smarm {

// As server_name's members of the same names. When the runtime is gone nobody has the name: whereis
// finds nothing, and all else fails with errc::runtime_down. What waits blocks a plain thread. Cheap to
// copy; keeps no runtime alive.
template <class S>
class server_name_in_runtime : public detail::named_server_calls<S, server_name_in_runtime<S>> {
public:
  // The server is nobody's child.
  template <class... Arguments>
  [[nodiscard]] boost::system::result<server_ref<S>> start(const spawn_options& options,
                                                           Arguments&&... arguments) const {
    return detail::start_in<S>(runtime_.lock(), &options, name_.text(),
                               std::forward<Arguments>(arguments)...);
  }
  template <class... Arguments>
  [[nodiscard]] boost::system::result<server_ref<S>> start(const server_options& options,
                                                           Arguments&&... arguments) const {
    return detail::start_in<S>(runtime_.lock(), &options, name_.text(),
                               std::forward<Arguments>(arguments)...);
  }
  template <class... Arguments>
    requires(!detail::begins_with_options<Arguments...>)
  [[nodiscard]] boost::system::result<server_ref<S>> start(Arguments&&... arguments) const {
    return detail::start_in<S>(runtime_.lock(), nullptr, name_.text(),
                               std::forward<Arguments>(arguments)...);
  }

private:
  friend server_name<S>;
  friend detail::named_server_calls<S, server_name_in_runtime>;

  server_name_in_runtime(const server_name<S>& name, const runtime_handle& runtime) noexcept
      : name_(name), runtime_(detail::runtime_access::state(runtime)) {}

  [[nodiscard]] errc find(const char*, server_ref<S>& to) const noexcept {
    const auto runtime = runtime_.lock();
    return runtime != nullptr ? detail::find_named_server(*runtime, name_.text(), to)
                              : errc::runtime_down;
  }

  server_name<S> name_;
  std::weak_ptr<detail::runtime_state> runtime_;
};

template <class S>
server_name_in_runtime<S> server_name<S>::in(const runtime_handle& runtime) const {
  return server_name_in_runtime<S>(*this, runtime);
}

} // namespace smarm

#endif
