// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The tutorial's third step: the store in parts, which a supervisor starts again when they fail.
//
// prints: ^SET colour blue -> ok$
// prints: ^GET colour -> blue$
// prints: ^CRASH colour -> error: the server ended before it answered
// prints: ^GET colour -> none$
// prints: ^SET colour green -> ok$
// prints: ^GET colour -> green$

//[tutorial_supervised_program
#include "lines.hpp"

#include <smarm.hpp>
#include <smarm/asio.hpp>

#include <chrono>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

using namespace std::chrono_literals;
using lines::tcp;

class store : public smarm::gen_server<store> {
public:
  struct put {
    std::string key, value;
  };
  struct get {
    std::string key;
  };
  struct crash {};

  void handle_call(put m) { values_[m.key] = m.value; }
  std::optional<std::string> handle_call(get m) const {
    const auto at = values_.find(m.key);
    return at != values_.end() ? std::optional(at->second) : std::nullopt;
  }
  void handle_call(crash) { throw std::runtime_error("asked to"); }

private:
  std::map<std::string, std::string> values_;
};

using partitions = smarm::partition_supervisor<store>;

//[tutorial_supervised_answer
std::string answer(const partitions& keys, const std::string& line) {
  std::istringstream words(line);
  std::string verb, key, value;
  std::getline(words >> verb >> key >> std::ws, value);
  const smarm::server_ref<store> owner = keys.for_key(key);
  const auto told = [](const boost::system::result<void>& done) {
    return done ? "ok" : "error: " + done.error().message();
  };
  if (verb == "SET") {
    return told(owner.call(store::put{key, value}, 1s));
  }
  if (verb == "CRASH") {
    return told(owner.call(store::crash{}, 1s));
  }
  if (verb == "GET") {
    const auto got = owner.call(store::get{key}, 1s);
    return got ? got->value_or("none") : "error: " + got.error().message();
  }
  return "error: what is that?";
}
//]

int main() {
  smarm::run([] {
    tcp::acceptor door(smarm::this_actor::get_executor(),
                       {boost::asio::ip::address_v4::loopback(), 0});
    const tcp::endpoint where = door.local_endpoint();
    //[tutorial_supervised_tree
    const partitions keys({.partitions = 4, .child = {.id = "store"}});
    const auto serve_clients = [&] {
      smarm::accept_each(door, [&](tcp::socket client) {
        lines::serve(client, [&](const std::string& line) { return answer(keys, line); });
      });
    };
    auto tree = smarm::start_supervisor({.strategy = smarm::rest_for_one},
                                        {
                                            {.id = "store", .start = keys.as_child()},
                                            {.id = "front", .start = serve_clients},
                                        })
                    .value();
    //]
    lines::talk(where, {"SET colour blue", "GET colour", "CRASH colour", "GET colour",
                        "SET colour green", "GET colour"});
    (void)tree.shutdown(1min);
  });
}
//]
