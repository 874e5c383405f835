// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Connections in Go, a goroutine for each end: the workloads of ../connections_bench.cpp. The other ends of
// silent connections are held by a process of their own, which is this program again.
package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"sync"
	"syscall"
	"time"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func pair(listener net.Listener) (from, to net.Conn) {
	from, err := net.Dial("tcp", listener.Addr().String())
	must(err)
	to, err = listener.Accept()
	must(err)
	return from, to
}

func tcpStream() {
	const connections, each, chunk = 4, 256 << 20, 64 << 10
	measure("tcp_stream", "connections=4", connections*each/(1<<20), func() {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		must(err)
		var all sync.WaitGroup
		for i := 0; i < connections; i++ {
			from, to := pair(listener)
			all.Add(2)
			go func() {
				room := make([]byte, chunk)
				for sent := 0; sent < each; sent += chunk {
					_, err := from.Write(room)
					must(err)
				}
				from.Close()
				all.Done()
			}()
			go func() {
				room, total := make([]byte, chunk), 0
				for {
					n, err := to.Read(room)
					total += n
					if err != nil {
						break
					}
				}
				check(uint64(total), each)
				to.Close()
				all.Done()
			}()
		}
		all.Wait()
		listener.Close()
	})
}

func cpuMilliseconds() float64 {
	var use syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &use))
	return float64(use.Utime.Nano()+use.Stime.Nano()) / 1e6
}

func idleConnections(n int) {
	if !selected("idle_connections") {
		return
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	before, begin := resident(), time.Now()
	holder := exec.Command(os.Args[0], "hold", listener.Addr().String(), strconv.Itoa(n))
	end, err := holder.StdinPipe()
	must(err)
	must(holder.Start())
	for i := 0; i < n; i++ {
		c, err := listener.Accept()
		must(err)
		go func() {
			room := make([]byte, 64)
			for {
				if _, err := c.Read(room); err != nil {
					return
				}
			}
		}()
	}
	us := float64(time.Since(begin).Nanoseconds()) / 1e3
	debug.FreeOSMemory()
	time.Sleep(100 * time.Millisecond)
	after, used := resident(), cpuMilliseconds()
	time.Sleep(3 * time.Second)
	line("idle_connections", fmt.Sprintf("n=%d", n), us, us, float64(n), fmt.Sprintf(
		"bytes_per_connection=%.0f;idle_cpu_ms=%.1f;secs=3", (after-before)/float64(n), cpuMilliseconds()-used))
	end.Close()
	must(holder.Wait())
}

func hold(address string, n int) {
	for i := 0; i < n; i++ {
		_, err := net.Dial("tcp", address)
		must(err)
	}
	_, _ = io.ReadAll(os.Stdin)
	os.Exit(0)
}
