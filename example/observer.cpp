// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// All actors of a program as a list and as a tree, as the observer tells them: an echo server with a name
// and two commands that it has not come to yet, and two workers that wait.
//
// prints: ^snapshot \(format v1, 5 actors\)$
// prints: ^  pid       state    parent     mon lnk joi mbox  msgs names$
// prints: ^  0[.][0-9]+ .*parked .*<root> .* -$
// prints: ^  1[.].*parked .* 2 .* echo$
// prints: ^tree \(format v1\)$
// prints: ^  0[.][0-9]+ parked$
// prints: ^    1[.][0-9]+ parked \(echo\)$
// prints: ^    4[.][0-9]+ running$

//[observer_program
#include <smarm.hpp>

#include <iomanip>
#include <iostream>
#include <string>
#include <utility>

class echo : public smarm::gen_server<echo> {
public:
  struct say {
    std::string text;
  };
  struct wait {};
  explicit echo(smarm::receiver<int> gate) : gate_(std::move(gate)) {}
  void handle_cast(const say& s) { std::cout << s.text << '\n'; }
  void handle_cast(wait) { (void)gate_.recv(); }

private:
  smarm::receiver<int> gate_;
};

inline constexpr smarm::server_name<echo> the_echo{"echo"};

std::string text(smarm::pid p) {
  return p.is_valid() ? std::to_string(p.index()) + '.' + std::to_string(p.generation()) : "<root>";
}

std::string text(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) {
    all += (all.empty() ? "" : ", ") + name;
  }
  return all;
}

//[observer_list
void print(const smarm::runtime_snapshot& all) {
  std::cout << "snapshot (format v" << all.format_version << ", " << all.actors.size()
            << " actors)\n"
            << "  pid       state    parent     mon lnk joi mbox  msgs names\n";
  for (const smarm::actor_info& a : all.actors) {
    std::cout << "  " << std::left << std::setw(10) << text(a.actor) << std::setw(9)
              << to_string(a.state) << std::setw(10) << text(a.parent) << std::right << std::setw(4)
              << a.monitors << std::setw(4) << a.links << std::setw(4) << a.joiners << std::setw(5)
              << a.inbox_depth << std::setw(6) << a.messages_received << ' '
              << (a.names.empty() ? "-" : text(a.names)) << '\n';
  }
}
//]

//[observer_tree
void print(const smarm::actor_tree& t) {
  std::cout << "\ntree (format v" << t.format_version << ")\n";
  t.walk([](const smarm::actor_tree_node& n, std::size_t depth) {
    std::cout << std::string(2 * (depth + 1), ' ') << text(n.info.actor) << ' '
              << to_string(n.info.state);
    if (!n.info.names.empty()) {
      std::cout << " (" << text(n.info.names) << ')';
    }
    std::cout << (n.orphaned ? " [orphaned]" : "") << '\n';
  });
}
//]

int main() {
  smarm::run([] {
    auto [open, gate] = smarm::channel<int>();
    auto server = the_echo.start(std::move(gate)).value();
    (void)server.cast(echo::wait{});
    (void)server.cast(echo::say{"hello"});
    (void)server.cast(echo::say{"and goodbye"});
    auto worker = [] { smarm::this_actor::sleep_for(std::chrono::hours(1)); };
    auto first = smarm::spawn(worker), second = smarm::spawn(worker);
    smarm::this_actor::yield(); // they get to where they wait

    auto o = smarm::start_server<smarm::observer>().value();
    print(o.call(smarm::observer::snapshot{}).value());
    print(o.call(smarm::observer::tree{}).value());

    (void)open.send(1);
    smarm::request_shutdown(first.id());
    smarm::request_shutdown(second.id());
    (void)first.join();
    (void)second.join();
  });
}
//]
