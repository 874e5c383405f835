// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The tutorial's second step: clients, an actor for each.
//
// prints: ^SET colour dark blue -> ok$
// prints: ^GET colour -> dark blue$
// prints: ^GET shape -> none$
// prints: ^DANCE -> error: what is that\?$

//[tutorial_clients_program
#include "lines.hpp"

#include <smarm.hpp>
#include <smarm/asio.hpp>

#include <chrono>
#include <map>
#include <optional>
#include <sstream>
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

  void handle_call(put m) { values_[m.key] = m.value; }
  std::optional<std::string> handle_call(get m) const {
    const auto at = values_.find(m.key);
    return at != values_.end() ? std::optional(at->second) : std::nullopt;
  }

private:
  std::map<std::string, std::string> values_;
};

//[tutorial_clients_answer
std::string answer(const smarm::server_ref<store>& keys, const std::string& line) {
  std::istringstream words(line);
  std::string verb, key, value;
  std::getline(words >> verb >> key >> std::ws, value);
  if (verb == "SET") {
    const auto done = keys.call(store::put{key, value}, 1s);
    return done ? "ok" : "error: " + done.error().message();
  }
  if (verb == "GET") {
    const auto got = keys.call(store::get{key}, 1s);
    return got ? got->value_or("none") : "error: " + got.error().message();
  }
  return "error: what is that?";
}
//]

int main() {
  smarm::run([] {
    //[tutorial_clients_main
    const auto keys = smarm::start_server<store>().value();
    tcp::acceptor door(smarm::this_actor::get_executor(),
                       {boost::asio::ip::address_v4::loopback(), 0});
    const tcp::endpoint where = door.local_endpoint();
    auto front = smarm::spawn([&] {
      smarm::accept_each(door, [&](tcp::socket client) {
        lines::serve(client, [&](const std::string& line) { return answer(keys, line); });
      });
    });
    //]
    lines::talk(where, {"SET colour dark blue", "GET colour", "GET shape", "DANCE"});
    smarm::request_shutdown(front.id());
  });
}
//]
