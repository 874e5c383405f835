// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Servers in Go, which are goroutines that read requests from a channel: the workloads of
// ../server_bench.cpp, with their names and parameters. Connections are in io_bench.go.
//
//	server_bench THREADS [WORKLOAD ...]
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

// What the server does with a request.
const (
	next = iota
	nextLater
	add
	total
)

type request struct {
	what  int
	value uint64
	reply chan uint64
}

type server struct {
	requests chan request
	total    uint64
}

func start(room int) *server {
	s := &server{requests: make(chan request, room)}
	go s.serve()
	return s
}

func (s *server) serve() {
	for r := range s.requests {
		switch r.what {
		case next, nextLater: // an answer goes through a channel at any time
			r.reply <- r.value + 1
		case add:
			s.total += r.value
		case total:
			r.reply <- s.total
		}
	}
}

func (s *server) call(what int, value uint64) uint64 {
	r := request{what, value, make(chan uint64, 1)}
	s.requests <- r
	return <-r.reply
}

func (s *server) callWithin(limit time.Duration, what int, value uint64) uint64 {
	r := request{what, value, make(chan uint64, 1)}
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case s.requests <- r:
	case <-late.C:
		panic("timed out")
	}
	select {
	case answer := <-r.reply:
		return answer
	case <-late.C:
		panic("timed out")
	}
}

var (
	threads string
	wanted  []string
)

func selected(workload string) bool {
	for _, w := range wanted {
		if w == workload {
			return true
		}
	}
	return len(wanted) == 0
}

func line(workload, params string, median, least float64, ops float64, extra string) {
	fmt.Printf("BENCH,go,%s,%s,%s,%.1f,%.1f,%.0f,%.2f,%s\n",
		workload, threads, params, median, least, ops, median*1e3/ops, extra)
}

// One warm-up, then the median of seven, in a goroutine as the rest of a program would be.
func measure(workload, params string, ops float64, body func()) {
	if !selected(workload) {
		return
	}
	body()
	var times []float64
	for i := 0; i < 7; i++ {
		begin := time.Now()
		done := make(chan struct{})
		go func() {
			body()
			close(done)
		}()
		<-done
		times = append(times, float64(time.Since(begin).Nanoseconds())/1e3)
	}
	sort.Float64s(times)
	line(workload, params, times[3], times[0], ops, "-")
}

func check(answer, expected uint64) {
	if answer != expected {
		panic("wrong result")
	}
}

func calls(workload string, call func(s *server, i uint64) uint64) {
	const n = 200000
	measure(workload, "n=200000", n, func() {
		s := start(0)
		for i := uint64(0); i < n; i++ {
			check(call(s, i), i+1)
		}
		close(s.requests)
	})
}

func casts() {
	const n, batch = 1000000, 1000
	measure("cast", "n=1000000;batch=1000", n, func() {
		s := start(batch)
		for i := 0; i < n; i++ {
			s.requests <- request{what: add, value: 1}
			if i%batch == batch-1 {
				s.call(total, 0)
			}
		}
		check(s.call(total, 0), n)
		close(s.requests)
	})
}

func callFromThreads(callers int) {
	const n = 20000
	measure("call_from_threads", fmt.Sprintf("callers=%d;n=%d", callers, n), float64(n*callers), func() {
		s := start(0)
		var all sync.WaitGroup
		for t := 0; t < callers; t++ {
			all.Add(1)
			go func() {
				runtime.LockOSThread() // a thread that is nobody else's, and ends with this
				for i := uint64(0); i < n; i++ {
					check(s.call(next, i), i+1)
				}
				all.Done()
			}()
		}
		all.Wait()
		close(s.requests)
	})
}

func resident() float64 {
	text, _ := os.ReadFile("/proc/self/statm")
	pages, _ := strconv.ParseFloat(strings.Fields(string(text))[1], 64)
	return pages * float64(os.Getpagesize())
}

func memoryServers(n int) {
	if !selected("memory_servers") {
		return
	}
	all := make([]*server, n)
	before, begin := resident(), time.Now()
	for i := range all {
		all[i] = start(0)
		check(all[i].call(next, 1), 2) // it is there
	}
	us := float64(time.Since(begin).Nanoseconds()) / 1e3
	debug.FreeOSMemory()
	time.Sleep(200 * time.Millisecond)
	after := resident()
	line("memory_servers", fmt.Sprintf("n=%d", n), us, us, float64(n), fmt.Sprintf(
		"bytes_per_actor=%.0f;rss_mib=%.0f", (after-before)/float64(n), after/1048576))
	runtime.KeepAlive(all)
}

func main() {
	if os.Args[1] == "hold" {
		n, _ := strconv.Atoi(os.Args[3])
		hold(os.Args[2], n)
	}
	threads, wanted = os.Args[1], os.Args[2:]
	procs, _ := strconv.Atoi(threads)
	runtime.GOMAXPROCS(procs)
	calls("call", func(s *server, i uint64) uint64 { return s.call(next, i) })
	calls("call_with_deadline", func(s *server, i uint64) uint64 {
		return s.callWithin(time.Second, next, i)
	})
	calls("call_deferred", func(s *server, i uint64) uint64 { return s.call(nextLater, i) })
	casts()
	callFromThreads(1)
	callFromThreads(2)
	tcpStream()
	idleConnections(10000)
	memoryServers(1000000)
}
