module server_bench

go 1.19
