// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "service.hpp"

#include "../round.hpp"

#include <smarm/introspect.hpp>

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace kv_demo {

temporary_directory::temporary_directory() {
  path_ = (std::filesystem::temp_directory_path() / "kv-demo.XXXXXX").string();
  if (::mkdtemp(path_.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), path_);
  }
}

temporary_directory::~temporary_directory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

kv::settings service::completed(kv::settings how) {
  how.port = 0;
  how.directory = directory_.path();
  how.log = [this](std::string_view line) {
    if (line.find("compacted") != line.npos) {
      ++compactions_;
    }
  };
  how.on_listening = [this](std::uint16_t port) { port_ = port; };
  return how;
}

service::service(kv::settings how)
    : how_(completed(std::move(how))), held_(how_),
      // That actors crash is what is shown here, so nobody has to be told each time.
      runtime_({.reports =
                    [this](const smarm::report& r) {
                      crashes_ += r.kind == smarm::report_kind::actor_failed ? 1 : 0;
                    }}),
      store_({.name = "kv", .log = [](std::string_view) {}}, kv::roots(how_)) {
  runtime_.start();
  if (const auto started = store_.start(runtime_.handle()); !started) {
    throw std::runtime_error("the store does not start: " + started.error().message());
  }
  runs_ = true;
}

bool service::end() {
  if (!std::exchange(runs_, false)) {
    return false;
  }
  store_.request_stop();
  return store_.wait().clean();
}

std::vector<std::string> service::a_key_of_each() const {
  // The same sort of table as the store has; nothing is started.
  const auto places =
      kv::partitions::with_index({.partitions = how_.partitions}, [&](std::size_t index) {
        return smarm::server<kv::partition>(how_, index);
      });
  std::vector<std::string> keys(places.size());
  for (std::size_t found = 0, n = 0; found < keys.size(); ++n) {
    std::string key = "victim" + std::to_string(n);
    std::string& of = keys[places.index_of(std::string_view(key))];
    if (of.empty()) {
      of = std::move(key);
      ++found;
    }
  }
  return keys;
}

void service::show_tree(screen& to) const {
  smarm::runtime_snapshot now = smarm::introspect::snapshot(runtime_);
  std::erase_if(now.actors,
                [](const smarm::actor_info& a) { return a.state == smarm::actor_state::ended; });
  const smarm::actor_tree tree = smarm::introspect::tree_of(std::move(now));
  const auto show = [&](const std::string& lead, const smarm::actor_info& a, std::size_t alike) {
    std::string text = lead + (a.label.empty() ? "(an actor)" : a.label);
    if (alike > 1) {
      text += " x " + std::to_string(alike);
    }
    if (a.behaviour == smarm::behaviour_kind::supervisor) {
      text += "  (supervisor)";
    }
    if (a.restarts != 0) {
      text += "  " + std::to_string(a.restarts) + (a.restarts == 1 ? " restart" : " restarts");
    }
    to.line(text);
  };
  std::string lead;
  const auto walk = [&](const auto& self, const std::vector<std::size_t>& places,
                        std::string_view trunks, bool root) -> void {
    for (std::size_t i = 0; i < places.size();) {
      const smarm::actor_info& a = tree.nodes[places[i]].info;
      std::size_t end = i + 1;
      while (end < places.size() && tree.nodes[places[end]].children.empty() && a.restarts == 0 &&
             tree.nodes[places[i]].children.empty() &&
             tree.nodes[places[end]].info.label == a.label) {
        ++end;
      }
      const bool last = end == places.size();
      show(std::string(trunks).append(root ? "" : to.branch(last)), a, end - i);
      self(self, tree.nodes[places[i]].children,
           std::string(trunks).append(root ? "" : to.trunk(last)), false);
      i = end;
    }
  };
  walk(walk, tree.roots, "", true);
}

} // namespace kv_demo
