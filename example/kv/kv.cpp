// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A key-value store in memory that speaks the protocol of Redis, and keeps a log of what was changed.
//
//     kv --port 6379 --dir DIRECTORY --partitions 2 --schedulers 2 --appendfsync everysec
//     redis-cli -p 6379 set key value

#include "descriptor_limit.hpp"
#include "settings.hpp"
#include "store.hpp"

#include <smarm/application.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/observer_http.hpp>
#include <smarm/supervisor.hpp>

#include <boost/program_options.hpp>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace options = boost::program_options;

namespace {

void print(std::string_view line) {
  std::string text(line);
  std::cout << (text += '\n') << std::flush;
}

// A page in the browser that shows the store's actors, as long as it runs.
class observer_page : public smarm::gen_server<observer_page> {
public:
  explicit observer_page(std::uint16_t port) : port_(port) {}
  smarm::init_result init() {
    try {
      page_.emplace(smarm::this_actor::get_runtime(), smarm::observer_http_options{.port = port_});
    } catch (const std::exception&) {
      return smarm::init_result::stop(smarm::exit_reason::failed(std::current_exception()));
    }
    print("observer at " + page_->url());
    return smarm::init_result::ok();
  }

private:
  std::uint16_t port_;
  std::optional<smarm::observer_http> page_;
};

struct command_line {
  kv::settings store;
  unsigned schedulers = 0;
  std::optional<std::uint16_t> observer;
  bool help = false;
};

template <class T>
auto number_in(T& to, const char* name, long long least, long long most) {
  return options::value<long long>()
      ->default_value(static_cast<long long>(to))
      ->notifier([&to, name, least, most](long long value) {
        if (value < least || value > most) {
          throw std::runtime_error("--" + std::string(name) + " is " + std::to_string(least) +
                                   " to " + std::to_string(most) + ", not " +
                                   std::to_string(value));
        }
        to = static_cast<T>(value);
      });
}

command_line parse(int argc, char** argv) {
  command_line line;
  kv::settings& how = line.store;
  how.partitions = 2;
  std::uint16_t observer = 0;
  options::options_description known("kv, a key-value store that speaks the protocol of Redis");
  auto add = known.add_options();
  const auto number = [&](const char* name, auto& to, long long least, long long most,
                          const char* text) { add(name, number_in(to, name, least, most), text); };
  add("help", "this");
  number("port", how.port, 0, 65'535, "of 127.0.0.1 to listen at; 0: one that is free");
  add("dir", options::value(&how.directory), "where the logs are; without, nothing is kept");
  number("partitions", how.partitions, 1, 65'536, "of the keys; those of a directory stay");
  number("schedulers", line.schedulers, 0, 64, "threads that run actors; 0: one for each core");
  add("appendfsync",
      options::value<std::string>()
          ->default_value("everysec")
          ->notifier([&](const std::string& name) {
            static const std::map<std::string, kv::fsync_policy> policies = {
                {"always", kv::fsync_policy::always},
                {"everysec", kv::fsync_policy::everysec},
                {"no", kv::fsync_policy::no}};
            const auto policy = policies.find(name);
            if (policy == policies.end()) {
              throw std::runtime_error("--appendfsync is always, everysec or no, not " + name);
            }
            how.fsync = policy->second;
          }),
      "when a log is made durable: before a change is acknowledged, each second, or when the "
      "system "
      "likes");
  number("auto-aof-rewrite-percentage", how.rewrite_percentage, 0, 1'000'000,
         "a log so large, compared with the last snapshot, is replaced by a new one; 0: never");
  number("auto-aof-rewrite-min-size", how.rewrite_least_bytes, 0, std::int64_t{1} << 50,
         "bytes; a smaller log is not");
  number("maxclients", how.most_connections, 1, 1'000'000, "connections at once");
  number("observer", observer, 0, 65'535,
         "port of 127.0.0.1 for a page that shows the actors; 0: one that is free");
  options::variables_map given;
  options::store(options::command_line_parser(argc, argv)
                     .options(known)
                     .positional(options::positional_options_description()) // none
                     .run(),
                 given);
  line.help = given.count("help") != 0;
  if (line.help) {
    std::cout << known;
    return line;
  }
  options::notify(given);
  if (!given["observer"].defaulted()) {
    line.observer = observer;
  }
  return line;
}

} // namespace

int main(int argc, char** argv) {
  try {
    command_line line = parse(argc, argv);
    if (line.help) {
      return EXIT_SUCCESS;
    }
    // A file that may not grow is an error like any other.
    (void)std::signal(SIGXFSZ, SIG_IGN);
    line.store.log = print;
    std::size_t& most = line.store.most_connections;
    // Who comes above that is told so, which is better than waiting in the system's queue.
    const std::size_t fit = kv::make_room_for_connections(most);
    if (fit < most) {
      print("--maxclients is " + std::to_string(fit) +
            " here: the process may have no more descriptors");
      most = fit;
    }

    const kv::store_directory directory(line.store);
    auto trees = kv::roots(line.store);
    if (line.observer) {
      trees.push_back(
          {.id = "observer",
           .start = smarm::supervision_tree(
               {}, {{.id = "page", .start = smarm::server<observer_page>(*line.observer)}})});
    }
    smarm::application store({.name = "kv", .stop_signals = {SIGTERM, SIGINT}, .log = print},
                             std::move(trees));
    return store.run({.schedulers = line.schedulers});
  } catch (const std::exception& wrong) {
    std::cerr << "kv: " << wrong.what() << '\n';
    return 2;
  }
}
