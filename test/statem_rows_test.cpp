// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Which row is for a state and an event, what a row may say, and the data of a state.

#define BOOST_TEST_MODULE statem_rows
#include <boost/test/unit_test.hpp>

#include "machine_rig.hpp"
#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/transition_graph.hpp>

#include <boost/describe/enum.hpp>

#include <memory>
#include <string>
#include <utility>

using namespace smarm_test;
using smarm::errc;

namespace {

BOOST_DEFINE_ENUM_CLASS(link, idle, dialing, up, broken)

// Rows that machines share.
struct queries {
  struct query {
    int* to;
  };
  template <link S>
  smarm::stay on(smarm::in<S>, query q) {
    *q.to = static_cast<int>(S);
    return {};
  }
};

struct session {
  session() { ++alive; }
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  ~session() { --alive; }
  int frames = 0;
  static inline int alive = 0;
};
struct attempt {
  int number = 0;
};

class connection : public smarm::gen_statem<connection, link>, public queries {
  using enum link;

public:
  struct dial {
    int n;
  };
  struct ok {};
  struct fail {};
  struct frame {
    std::unique_ptr<int> payload;
  };
  struct tick {
    int left;
  };
  struct look {
    int* at;
  };
  using events = smarm::events<dial, ok, fail, frame, tick, look, query>;
  using state_data =
      smarm::state_data<smarm::data_in<dialing, attempt>, smarm::data_in<up, session>>;
  using queries::on;

  smarm::to<dialing> on(smarm::in<idle>, const dial& d) {
    prepare(smarm::in<dialing>()).number = d.n;
    return {};
  }
  smarm::ignored on(smarm::in<dialing, up>, dial);
  smarm::to<up> on(smarm::in<dialing> here, ok) {
    dialed = data(here).number;
    return {};
  }
  smarm::stay on(smarm::any_state, ok) {
    ++anywhere;
    return {};
  }
  smarm::to<broken> on(smarm::in<idle, dialing, up> here, fail) {
    failed_in = here.state();
    return {};
  }
  smarm::postponed on(smarm::in<idle, dialing>, frame);
  smarm::one_of<up, smarm::postpone, smarm::stop> on(smarm::in<up> here, const frame& f) {
    if (f.payload == nullptr) {
      return smarm::stop;
    }
    if (*f.payload == 0) {
      return smarm::postpone;
    }
    data(here).frames += *f.payload;
    return up;
  }
  // A guard: what it declines the wider row gets.
  smarm::one_of<smarm::keep, smarm::next_row> on(smarm::in<up>, const tick& t) {
    if (t.left > 0) {
      return smarm::keep;
    }
    return smarm::next_row;
  }
  smarm::to<broken> on(smarm::any_state, tick) { return {}; }
  smarm::stay on(smarm::in<up> here, look l) {
    *l.at = data(here).frames;
    return {};
  }
  smarm::stay on(smarm::any_state, look) {
    (void)data(smarm::in<up>());
    return {};
  }
  // Everything else there.
  smarm::ignored on(smarm::in<broken>, smarm::any_event);
  smarm::ignored on(smarm::in<broken>, ok);
  smarm::ignored on(smarm::in<broken>, tick);
  smarm::ignored on(smarm::in<broken>, look);

  int dialed = 0;
  int anywhere = 0;
  link failed_in = broken;
};
static_assert(smarm::complete_machine<connection>);

connection::frame frame_of(int n) { return {std::make_unique<int>(n)}; }

// A part of an enum, and a beginning of its own.
class short_way : public smarm::gen_statem<short_way, link> {
public:
  using states = smarm::states<link::idle, link::broken>;
  struct fail {};
  using events = smarm::events<fail>;
  static constexpr link initial = link::broken;
  explicit short_way(link first) : gen_statem(first) {}
  short_way() = default;
  smarm::to<link::broken> on(smarm::any_state, fail) { return {}; }
};

} // namespace

BOOST_AUTO_TEST_CASE(the_nearest_row_counts) {
  machine_rig<connection> rig;
  connection& m = rig.machine();
  BOOST_TEST((m.state() == link::idle)); // the first one
  rig.send(connection::ok{});
  rig.run();
  BOOST_TEST(m.anywhere == 1);
  rig.send(connection::dial{7});
  rig.send(connection::dial{8}); // ignored there
  rig.send(connection::ok{});
  rig.run();
  BOOST_TEST(m.anywhere == 1);
  BOOST_TEST(m.dialed == 7);
  BOOST_TEST((m.state() == link::up));
  int where = -1;
  rig.send(connection::query{&where});
  rig.send(connection::fail{});
  rig.run();
  BOOST_TEST(where == 2);
  BOOST_TEST((m.failed_in == link::up)); // the row for several knows which
  rig.send(connection::dial{1});
  rig.run();
  BOOST_TEST((m.state() == link::broken));
}

BOOST_AUTO_TEST_CASE(a_guard_that_declines_leaves_the_event_to_the_wider_row) {
  machine_rig<connection> rig;
  rig.send(connection::dial{});
  rig.send(connection::ok{});
  rig.send(connection::tick{1});
  rig.run();
  BOOST_TEST((rig.machine().state() == link::up));
  rig.send(connection::tick{0});
  rig.run();
  BOOST_TEST((rig.machine().state() == link::broken));
}

BOOST_AUTO_TEST_CASE(a_row_may_postpone_what_it_has_looked_at) {
  machine_rig<connection> rig;
  int frames = -1;
  rig.send(frame_of(5)); // kept, though it cannot be copied
  rig.send(connection::dial{});
  rig.send(connection::ok{});
  rig.send(frame_of(0));
  rig.send(connection::look{&frames});
  rig.run();
  BOOST_TEST(frames == 5);
  BOOST_TEST(!rig.ended());
  rig.send(frame_of(7));
  rig.send(connection::frame{});
  rig.run();
  BOOST_TEST(rig.ended());
}

BOOST_AUTO_TEST_CASE(the_data_of_a_state_lives_as_long_as_the_machine_is_in_it) {
  {
    machine_rig<connection> rig;
    int frames = -1;
    BOOST_TEST(session::alive == 0);
    rig.send(connection::look{&frames});
    const auto refused = refusal([&] { rig.run(); });
    BOOST_TEST((refused == errc::wrong_state));
    rig.send(connection::dial{});
    rig.send(connection::ok{});
    rig.run();
    BOOST_TEST(session::alive == 1);
    rig.send(connection::fail{});
    rig.run();
    BOOST_TEST(session::alive == 0);
  }
  {
    machine_rig<connection> rig;
    rig.send(connection::dial{});
    rig.send(connection::ok{});
    rig.run();
    BOOST_TEST(session::alive == 1);
  }
  BOOST_TEST(session::alive == 0);
}

BOOST_AUTO_TEST_CASE(a_machine_begins_where_it_says) {
  machine_rig<short_way> by_constant;
  BOOST_TEST((by_constant.machine().state() == link::broken));
  machine_rig<short_way> by_constructor(link::idle);
  BOOST_TEST((by_constructor.machine().state() == link::idle));
  by_constructor.send(short_way::fail{});
  by_constructor.run();
  BOOST_TEST((by_constructor.machine().state() == link::broken));
}

BOOST_AUTO_TEST_CASE(the_graph_shows_every_way) {
  const std::string graph = smarm::transition_graph<connection>();
  const auto has = [&](const char* line) { return graph.find(line) != std::string::npos; };
  BOOST_TEST_MESSAGE(graph);
  BOOST_TEST(graph.starts_with("digraph \"connection\" {\n"));
  BOOST_TEST(has("  \"(start)\" -> \"idle\""));
  BOOST_TEST(has("  \"idle\" -> \"dialing\" [label=\"dial\"];\n"));
  BOOST_TEST(has("  \"dialing\" -> \"up\" [label=\"ok\"];\n"));
  BOOST_TEST(has("  \"dialing\" -> \"dialing\" [label=\"frame (postponed)\", style=dotted];\n"));
  BOOST_TEST(has("  \"up\" -> \"(ended)\" [label=\"frame\"];\n"));
  BOOST_TEST(has("  \"up\" -> \"up\" [label=\"ok\\nframe\\ntick\\nlook\\nquery\", style=dashed];\n"));
  BOOST_TEST(has("  \"up\" -> \"broken\" [label=\"fail\\ntick\"];\n")); // by the wider row
  BOOST_TEST(!has("\"broken\" -> \"broken\" [label=\"dial"));
  BOOST_TEST(graph.ends_with("}\n"));
}

namespace {

BOOST_DEFINE_ENUM_CLASS(awkward, start, node, ended)

class awkwardly_named : public smarm::gen_statem<awkwardly_named, awkward> {
public:
  struct go {};
  using events = smarm::events<go>;
  smarm::to<awkward::node> on(smarm::in<awkward::start, awkward::ended>, go) { return {}; }
  smarm::stopped on(smarm::in<awkward::node>, go) { return {}; }
};

} // namespace

BOOST_AUTO_TEST_CASE(the_graph_tells_states_from_the_beginning_the_end_and_words_of_graphviz) {
  BOOST_TEST(smarm::transition_graph<awkwardly_named>() == R"dot(digraph "awkwardly_named" {
  "(start)" [shape=point];
  "start";
  "node";
  "ended";
  "(ended)" [label="ended", shape=doublecircle];
  "(start)" -> "start";
  "start" -> "node" [label="go"];
  "node" -> "(ended)" [label="go"];
  "ended" -> "node" [label="go"];
}
)dot");
}
