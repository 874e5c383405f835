// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Servers in tokio, which are tasks that read requests from a channel, each with the sending end of its
// answer: the workloads of ../../server_bench.cpp, with their names and parameters. And a function that
// is handed to tokio's threads for what blocks, as in ../../io_bench.cpp.
//
//     server_bench THREADS [WORKLOAD ...]
use std::future::Future;
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc, oneshot};

enum Request {
    Next(u64, oneshot::Sender<u64>),
    Add(u64),
    Total(oneshot::Sender<u64>),
}

type Server = mpsc::UnboundedSender<Request>;

fn start() -> Server {
    let (to, mut requests) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        let mut total = 0;
        while let Some(request) = requests.recv().await {
            match request {
                Request::Next(value, reply) => reply.send(value + 1).unwrap(),
                Request::Add(by) => total += by,
                Request::Total(reply) => reply.send(total).unwrap(),
            }
        }
    });
    to
}

fn ask(server: &Server, request: impl FnOnce(oneshot::Sender<u64>) -> Request) -> oneshot::Receiver<u64> {
    let (to, answer) = oneshot::channel();
    server.send(request(to)).ok().unwrap();
    answer
}

struct Bench {
    threads: String,
    wanted: Vec<String>,
    runtime: Runtime,
}

impl Bench {
    fn selected(&self, workload: &str) -> bool {
        self.wanted.is_empty() || self.wanted.iter().any(|w| w == workload)
    }

    fn line(&self, workload: &str, params: &str, median: f64, least: f64, ops: u64, extra: &str) {
        println!(
            "BENCH,tokio,{workload},{},{params},{median:.1},{least:.1},{ops},{:.2},{extra}",
            self.threads,
            median * 1e3 / ops as f64
        );
    }

    // One warm-up, then the median of seven; the work runs in a task, on a worker thread.
    fn measure<Body, Work>(&self, workload: &str, params: &str, ops: u64, body: Body)
    where
        Body: Fn() -> Work,
        Work: Future<Output = ()> + Send + 'static,
    {
        if !self.selected(workload) {
            return;
        }
        let once = || {
            let begin = Instant::now();
            self.runtime.block_on(async { tokio::spawn(body()).await.unwrap() });
            begin.elapsed().as_nanos() as f64 / 1e3
        };
        once();
        let mut times: Vec<f64> = (0..7).map(|_| once()).collect();
        times.sort_by(|a, b| a.total_cmp(b));
        self.line(workload, params, times[3], times[0], ops, "-");
    }

    fn call_from_threads(&self, callers: u64) {
        const N: u64 = 20_000;
        self.measure("call_from_threads", &format!("callers={callers};n={N}"), N * callers, || async move {
            let server = start();
            let threads: Vec<_> = (0..callers)
                .map(|_| {
                    let server = server.clone();
                    let (to, over) = oneshot::channel();
                    std::thread::spawn(move || {
                        for i in 0..N {
                            let answer = ask(&server, |reply| Request::Next(i, reply));
                            assert_eq!(answer.blocking_recv().unwrap(), i + 1);
                        }
                        to.send(()).unwrap();
                    });
                    over
                })
                .collect();
            for over in threads {
                over.await.unwrap();
            }
        });
    }

    fn memory_servers(&self, n: u64) {
        if !self.selected("memory_servers") {
            return;
        }
        let mut all = vec![None; n as usize];
        let (before, begin) = (resident(), Instant::now());
        self.runtime.block_on(async {
            for one in all.iter_mut() {
                let server = start();
                let there = ask(&server, |reply| Request::Next(1, reply));
                assert_eq!(there.await.unwrap(), 2);
                *one = Some(server);
            }
        });
        let us = begin.elapsed().as_nanos() as f64 / 1e3;
        std::thread::sleep(Duration::from_millis(200));
        let after = resident();
        let extra = format!(
            "bytes_per_actor={:.0};rss_mib={:.0}",
            (after - before) / n as f64,
            after / 1048576.0
        );
        self.line("memory_servers", &format!("n={n}"), us, us, n, &extra);
        std::process::exit(0); // without ending a million tasks
    }
}

fn resident() -> f64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    text.split(' ').nth(1).unwrap().parse::<f64>().unwrap() * 4096.0
}

async fn calls() {
    let server = start();
    for i in 0..200_000 {
        let answer = ask(&server, |reply| Request::Next(i, reply));
        assert_eq!(answer.await.unwrap(), i + 1);
    }
}

async fn calls_with_deadline() {
    let server = start();
    for i in 0..200_000 {
        let answer = ask(&server, |reply| Request::Next(i, reply));
        let in_time = tokio::time::timeout(Duration::from_secs(1), answer).await;
        assert_eq!(in_time.unwrap().unwrap(), i + 1);
    }
}

async fn casts() {
    let server = start();
    let mut sum = 0;
    for i in 0..1_000_000 {
        server.send(Request::Add(1)).ok().unwrap();
        if i % 1000 == 999 {
            sum = ask(&server, Request::Total).await.unwrap();
        }
    }
    assert_eq!(sum, 1_000_000);
}

async fn blocking_roundtrip(actors: u64) {
    let all: Vec<_> = (0..actors)
        .map(|_| {
            tokio::spawn(async move {
                for _ in 0..20_000 / actors {
                    tokio::task::spawn_blocking(|| {}).await.unwrap();
                }
            })
        })
        .collect();
    for one in all {
        one.await.unwrap();
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let threads = arguments.next().expect("THREADS");
    let runtime = Builder::new_multi_thread()
        .worker_threads(threads.parse().unwrap())
        .enable_time()
        .build()
        .unwrap();
    let bench = Bench { threads, wanted: arguments.collect(), runtime };
    bench.measure("call", "n=200000", 200_000, calls);
    bench.measure("call_with_deadline", "n=200000", 200_000, calls_with_deadline);
    bench.measure("call_deferred", "n=200000", 200_000, calls); // an answer is sent at any time
    bench.measure("cast", "n=1000000;batch=1000", 1_000_000, casts);
    for actors in [1, 16] {
        let params = format!("actors={actors}");
        bench.measure("blocking_roundtrip", &params, 20_000, move || blocking_roundtrip(actors));
    }
    bench.call_from_threads(1);
    bench.call_from_threads(2);
    bench.memory_servers(1_000_000);
}
