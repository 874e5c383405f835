// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The tutorial's last step: a service. Keys that expire, a good end at SIGTERM, and a page to look inside.
//
//     step_5_service DIRECTORY PORT PAGE      until Ctrl-C or SIGTERM; the page is at http://127.0.0.1:PAGE
//     step_5_service                          talks to itself, and ends
//
// prints: ^tutorial: started store in
// prints: ^tutorial: started front in
// prints: ^SET colour blue -> ok$
// prints: ^EXPIRE colour 0 -> ok$
// prints: ^GET colour -> none$
// prints: ^tutorial: SIGTERM$
// prints: ^tutorial: ended in .*, in good order: SIGTERM$

//[tutorial_service_program
#include "lines.hpp"

#include <smarm.hpp>
#include <smarm/asio.hpp>
#include <smarm/observer_http.hpp>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

using namespace std::chrono_literals;
using lines::tcp;
namespace fs = std::filesystem;

//[tutorial_service_class
class store : public smarm::gen_server<store> {
public:
  struct put {
    std::string key, value;
  };
  struct get {
    std::string key;
  };
  struct expire {
    std::string key;
    std::chrono::seconds after;
  };
  struct due {
    std::string key;
  };

  explicit store(fs::path log) : log_(std::move(log)) {}
  smarm::init_result init();

  void handle_call(put m) {
    write("+ " + m.key + ' ' + m.value);
    keep(m.key, m.value);
  }
  std::optional<std::string> handle_call(get m) const {
    const auto at = values_.find(m.key);
    return at != values_.end() ? std::optional(at->second.value) : std::nullopt;
  }
  bool handle_call(expire m) {
    const auto at = values_.find(m.key);
    if (at == values_.end()) {
      return false;
    }
    cancel(at->second.timer);
    at->second.timer = arm_after(m.after, due{m.key});
    return true;
  }
  void handle_timer(due m) {
    write("- " + m.key);
    values_.erase(m.key);
  }

private:
  struct entry {
    std::string value;
    smarm::server_timer timer = smarm::server_timer::none;
  };

  void keep(const std::string& key, const std::string& value) {
    cancel(values_[key].timer); // a new value lives until it is told otherwise
    values_[key] = {value};
  }
  void replay(const std::string& line);
  void write(const std::string& line);

  fs::path log_;
  std::ofstream changes_;
  std::map<std::string, entry> values_;
};
//]

smarm::init_result store::init() {
  smarm::blocking([&] {
    std::ifstream old(log_);
    std::uintmax_t whole = 0;
    for (std::string line; std::getline(old, line) && !old.eof(); whole += line.size() + 1) {
      replay(line);
    }
    old.close();
    if (fs::exists(log_)) {
      fs::resize_file(log_, whole);
    }
    changes_.open(log_, std::ios::app);
  });
  return smarm::init_result::ok();
}

void store::replay(const std::string& line) {
  std::istringstream words(line);
  std::string what, key, value;
  std::getline(words >> what >> key >> std::ws, value);
  if (what == "+") {
    values_[key].value = value;
  } else {
    values_.erase(key);
  }
}

void store::write(const std::string& line) {
  smarm::blocking([&] { changes_ << line << std::endl; });
  if (!changes_) {
    throw std::runtime_error("cannot write " + log_.string());
  }
}

using partitions = smarm::partition_supervisor<store>;

std::string answer(const partitions& keys, const std::string& line) {
  std::istringstream words(line);
  std::string verb, key, value;
  std::getline(words >> verb >> key >> std::ws, value);
  const auto owner = keys.wait_for_key(key, 5s);
  if (!owner) {
    return "error: " + owner.error().message();
  }
  if (verb == "SET") {
    const auto done = owner->call(store::put{key, value}, 1s);
    return done ? "ok" : "error: " + done.error().message();
  }
  if (verb == "GET") {
    const auto got = owner->call(store::get{key}, 1s);
    return got ? got->value_or("none") : "error: " + got.error().message();
  }
  if (verb == "EXPIRE") {
    const std::chrono::seconds after(std::atoi(value.c_str()));
    const auto done = owner->call(store::expire{key, after}, 1s);
    return !done ? "error: " + done.error().message() : *done ? "ok" : "none";
  }
  return "error: what is that?";
}

//[tutorial_service_front
// The server that has the port: it starts only if it could get it.
class front : public smarm::gen_server<front> {
public:
  struct serve {};

  front(partitions keys, std::uint16_t port, std::function<void(std::uint16_t)> listening)
      : keys_(std::move(keys)), port_(port), listening_(std::move(listening)) {}

  smarm::init_result init() {
    door_.emplace(smarm::this_actor::get_executor(),
                  tcp::endpoint(boost::asio::ip::address_v4::loopback(), port_));
    listening_(door_->local_endpoint().port());
    continue_with(serve{});
    return smarm::init_result::ok();
  }
  void handle_continue(serve) {
    smarm::accept_each(
        *door_,
        [this](tcp::socket client) {
          lines::serve(client, [this](const std::string& line) { return answer(keys_, line); });
        },
        {.limit = 10'000, .drain = 2s, .connection = {.label = "client"}});
  }

private:
  partitions keys_;
  std::uint16_t port_;
  std::function<void(std::uint16_t)> listening_;
  std::optional<tcp::acceptor> door_;
};
//]

// Somebody who comes by, and then asks the whole program to end.
void visit(std::uint16_t port) {
  lines::talk({boost::asio::ip::address_v4::loopback(), port},
              {"SET colour blue", "GET colour", "EXPIRE colour 0", "GET colour"});
  (void)std::raise(SIGTERM);
}

//[tutorial_service_page
// The page that shows what is inside, as a part of the tree.
class page : public smarm::gen_server<page> {
public:
  explicit page(std::uint16_t port)
      : shown_(smarm::this_actor::get_runtime(), smarm::observer_http_options{.port = port}) {}

private:
  smarm::observer_http shown_;
};
//]

//[tutorial_service_main
int main(int argc, char** argv) {
  const bool by_hand = argc == 4;
  std::string name = (fs::temp_directory_path() / "tutorial-XXXXXX").string();
  const fs::path directory = by_hand ? argv[1] : ::mkdtemp(name.data());
  const auto port = [&](int n) {
    return static_cast<std::uint16_t>(by_hand ? std::atoi(argv[n]) : 0);
  };
  const auto listening = [&](std::uint16_t at) {
    if (!by_hand) {
      smarm::spawn([at] { visit(at); });
    }
  };

  const auto keys = partitions::with_index(
      {.partitions = 4, .child = {.id = "store", .shutdown = smarm::infinity}},
      [&](std::size_t index) {
        return smarm::server<store>(directory / ("log." + std::to_string(index)));
      });
  smarm::application service(
      {.name = "tutorial",
       .stop_signals = {SIGTERM, SIGINT},
       .log = [](std::string_view line) { std::cout << line << std::endl; }},
      {
          {.id = "store", .start = keys.as_child()},
          {.id = "front",
           .start = smarm::supervision_tree(
               {}, {{.id = "page", .start = smarm::server<page>(port(3))},
                    {.id = "door",
                     .start = smarm::server<front>(keys, port(2), listening),
                     .shutdown = 10s}})},
      });
  const int status = service.run({.schedulers = 2});
  if (!by_hand) {
    fs::remove_all(directory);
  }
  return status;
}
//]
//]
