# Copyright (c) 2026 The smarm authors
#
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
"""Tests of compare.py on rows as they were recorded."""
import unittest

import compare

PEERS = """\
peer,workload,threads,params,median_us,min_us,ops,ns_per_op,extra
tokio_ct,spawn_join,1,batch=1024;current_thread=1;n=100000,10743.0,10705.4,100000,107.43,cpu_ns_op=110.4
go,spawn_join,1,batch=1024;n=100000,13517.9,13064.7,100000,135.18,cpu_ns_op=145.8
photon,spawn_join,2,batch=1024;n=100000,6076.5,6024.3,100000,60.77,cpu_ns_op=62.2
fiber_rr,skynet,1,algo=rr;leaves=100000;stack=8192,426900.0,423300.0,100000,4269.00,cpu_ns_op=4205.0
bthread,skynet,1,leaves=1000000,NA,NA,NA,NA,failed=timeout
fiber_rr,mpsc,1,algo=rr;cap=1024;n=100000;producers=8,13400.0,13300.0,800000,16.70,cpu_ns_op=17.9
tokio,mpsc,1,n=100000;producers=8,32100.0,31700.0,800000,40.20,cpu_ns_op=41.3
erlang,memory,2,hibernate=1;n=1000000,4e6,4e6,1000000,4000.00,bytes_per_actor=861
go,memory,2,n=1000000,9e5,9e5,1000000,900.00,bytes_per_actor=2800
photon,memory,2,n=30000,9e5,9e5,30000,900.00,bytes_per_actor=99
tokio_ct,wake_external,1,current_thread=1;n=1000;secs=3,3.9,2.0,1000,0,p99_us=8.0
""".splitlines()

OURS = """\
building...
BENCH,smarm,spawn_join,1,n=100000;batch=1024,5000.0,4900.0,100000,50.00,cpu_ns_op=50.0
BENCH,smarm,spawn_join,1,n=100000;batch=1024,4000.0,3900.0,100000,40.00,cpu_ns_op=50.0
BENCH,smarm,spawn_join,2,n=100000;batch=1024,7000.0,6900.0,100000,70.00,cpu_ns_op=70.0
BENCH,smarm,skynet,1,leaves=100000,20000.0,19000.0,100000,200.00,cpu_ns_op=200.0
BENCH,smarm,skynet,1,leaves=1000000,20000.0,19000.0,100000,200.00,cpu_ns_op=200.0
BENCH,smarm,mpsc,1,producers=8;n=100000,8000.0,7900.0,800000,10.00,cpu_ns_op=10.0
BENCH,smarm,memory,1,n=1000000,2e6,2e6,1000000,2000.00,bytes_per_actor=4400;rss_mib=4300
BENCH,smarm,wake_external,1,n=1000;secs=3,5.0,2.0,1000,5.00,p99_us=25.0
BENCH,smarm,yield_deep,1,actors=2;depth=3,9.0,9.0,1000,9.00,-
""".splitlines()


class Comparing(unittest.TestCase):
    def setUp(self):
        self.compared = compare.compare(compare.read_rows(OURS), compare.read_rows(PEERS))

    def case(self, workload, threads=1, **work):
        found = [c for c in self.compared if c[0].workload == workload and c[0].threads == threads
                 and all(c[0].work.get(k) == v for k, v in work.items())]
        self.assertEqual(len(found), 1)
        return found[0]

    def test_every_case_of_ours_is_there_once_in_order(self):
        self.assertEqual([c[0].workload for c in self.compared],
                         ["spawn_join", "spawn_join", "skynet", "skynet", "mpsc", "memory",
                          "wake_external", "yield_deep"])

    def test_the_best_of_repeated_rows_and_of_all_peers_counts(self):
        ours, best, ratio = self.case("spawn_join")
        self.assertEqual((ours.figure, best.peer, best.figure), (40.0, "tokio_ct", 107.43))
        self.assertAlmostEqual(ratio, 40.0 / 107.43)

    def test_only_peers_with_as_many_threads_count(self):
        _, best, ratio = self.case("spawn_join", threads=2)
        self.assertEqual(best.peer, "photon")
        self.assertGreater(ratio, 1)

    def test_a_peers_own_settings_do_not_make_another_case(self):
        self.assertEqual(self.case("skynet", leaves="100000")[1].peer, "fiber_rr")

    def test_a_peer_that_failed_is_none(self):
        self.assertEqual(self.case("skynet", leaves="1000000")[1:], (None, None))

    def test_bounded_and_unbounded_are_different_work(self):
        self.assertEqual(self.case("mpsc")[1].peer, "tokio")

    def test_memory_is_compared_in_bytes_and_for_the_same_number_of_actors(self):
        ours, best, _ = self.case("memory")
        self.assertEqual((ours.figure, best.peer, best.figure), (4400, "erlang", 861))

    def test_latencies_are_compared_by_their_median(self):
        ours, best, _ = self.case("wake_external")
        self.assertEqual((ours.figure, best.figure, ours.unit), (5.0, 3.9, "us"))

    def test_the_table_marks_what_is_behind_and_nothing_else(self):
        lines = compare.table(self.compared).splitlines()[2:]
        marked = [line.split()[1] for line in lines if "behind" in line]
        self.assertEqual(marked, ["spawn_join", "memory", "wake_external"])
        self.assertEqual(len({len(line) for line in lines}), 1)

    def test_the_summary_counts_only_what_has_a_peer(self):
        self.assertEqual(compare.summary(self.compared),
                         "6 cases with a peer: smarm is ahead in 3, behind in 3")


class Reading(unittest.TestCase):
    def test_what_is_no_row_is_passed_over(self):
        self.assertEqual(compare.read_rows(["", "a,b", "BENCH,smarm,x,one,-,1,1,1,1,-"]), [])

    def test_a_prefix_before_BENCH_is_no_harm(self):
        rows = compare.read_rows(["[1/2] BENCH,go,x,1,n=1,1,1,1,5,-"])
        self.assertEqual([(r.peer, r.figure) for r in rows], [("go", 5.0)])


class Numbers(unittest.TestCase):
    def test_have_three_or_four_digits(self):
        self.assertEqual([compare.number(n) for n in (9.96, 99.94, 100, 9999, 10_000, 2e7)],
                         ["10.0", "99.9", "100", "9999", "10k", "20M"])


if __name__ == "__main__":
    unittest.main()
