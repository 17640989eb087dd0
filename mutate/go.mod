module berth.dev/mutate

go 1.26.0
