// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The tutorial's fourth step: what was acknowledged outlives a crash, of a server and of the whole program.
//
// prints: ^SET colour blue -> ok$
// prints: ^SET shape round -> ok$
// prints: ^CRASH colour -> error: the server ended before it answered
// prints: ^GET colour -> blue$
// prints: ^--- another run$
// prints: ^GET shape -> round$

//[tutorial_kept_program
#include "lines.hpp"

#include <smarm.hpp>
#include <smarm/asio.hpp>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
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

//[tutorial_kept_class
class store : public smarm::gen_server<store> {
public:
  struct put {
    std::string key, value;
  };
  struct get {
    std::string key;
  };
  struct crash {};

  explicit store(fs::path log) : log_(std::move(log)) {}

  smarm::init_result init() {
    smarm::blocking([&] {
      std::ifstream old(log_);
      std::uintmax_t whole = 0; // lines: the last one may have been cut short by a crash
      for (std::string line; std::getline(old, line) && !old.eof(); whole += line.size() + 1) {
        keep(line);
      }
      old.close();
      if (fs::exists(log_)) {
        fs::resize_file(log_, whole);
      }
      changes_.open(log_, std::ios::app);
    });
    return smarm::init_result::ok();
  }

  void handle_call(put m) {
    const std::string line = m.key + ' ' + m.value;
    smarm::blocking([&] { changes_ << line << std::endl; });
    if (!changes_) {
      throw std::runtime_error("cannot write " + log_.string()); // a fresh start will see what is there
    }
    keep(line);
  }
  std::optional<std::string> handle_call(get m) const {
    const auto at = values_.find(m.key);
    return at != values_.end() ? std::optional(at->second) : std::nullopt;
  }
  void handle_call(crash) { throw std::runtime_error("asked to"); }

private:
  void keep(const std::string& line) {
    const auto space = line.find(' ');
    values_[line.substr(0, space)] = line.substr(space + 1);
  }

  fs::path log_;
  std::ofstream changes_;
  std::map<std::string, std::string> values_;
};
//]

using partitions = smarm::partition_supervisor<store>;

//[tutorial_kept_answer
std::string answer(const partitions& keys, const std::string& line) {
  std::istringstream words(line);
  std::string verb, key, value;
  std::getline(words >> verb >> key >> std::ws, value);
  const auto owner = keys.wait_for_key(key, 5s); // it may be reading its log
  if (!owner) {
    return "error: " + owner.error().message();
  }
  // the rest as before, with *owner
  //<-
  const auto told = [](const boost::system::result<void>& done) {
    return done ? "ok" : "error: " + done.error().message();
  };
  if (verb == "SET") {
    return told(owner->call(store::put{key, value}, 1s));
  }
  if (verb == "CRASH") {
    return told(owner->call(store::crash{}, 1s));
  }
  if (verb == "GET") {
    const auto got = owner->call(store::get{key}, 1s);
    return got ? got->value_or("none") : "error: " + got.error().message();
  }
  return "error: what is that?";
  //->
}
//]

void serve(const fs::path& directory, std::initializer_list<std::string> visit) {
  smarm::run([&] {
    tcp::acceptor door(smarm::this_actor::get_executor(),
                       {boost::asio::ip::address_v4::loopback(), 0});
    const tcp::endpoint where = door.local_endpoint();
    //[tutorial_kept_tree
    const auto keys = partitions::with_index(
        {.partitions = 4, .child = {.id = "store", .shutdown = smarm::infinity}},
        [&](std::size_t index) {
          return smarm::server<store>(directory / ("log." + std::to_string(index)));
        });
    //]
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
    lines::talk(where, visit);
    (void)tree.shutdown(1min);
  });
}

int main() {
  std::string name = (fs::temp_directory_path() / "tutorial-XXXXXX").string();
  const fs::path directory = ::mkdtemp(name.data());
  serve(directory, {"SET colour blue", "SET shape round", "CRASH colour", "GET colour"});
  std::cout << "--- another run\n";
  serve(directory, {"GET shape"});
  fs::remove_all(directory);
}
//]
