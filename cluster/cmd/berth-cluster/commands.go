package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
)

// takes has, for every command, the options that are its own; for one that takes a component these go by that, too.
var takes = map[string][]string{
	"up":                     nil,
	"status":                 {"json"},
	"down":                   {"delete"},
	"start":                  nil,
	"stop":                   nil,
	"restart":                nil,
	"restart usage-exporter": {"new-day", "usage-seed"},
	"restart-scheduler":      {"with", "config"},
}

// everywhere are the options that say which cluster is meant.
var everywhere = []string{"settings", "state", "port-base", "root"}

// misuse is a command line that makes no sense; nothing was done.
type misuse struct{ error }

func misused(format string, values ...any) error {
	return misuse{fmt.Errorf(format+"; see berth-cluster --help", values...)}
}

// check refuses what would be ignored.
func check(flags *flag.FlagSet, words []string) error {
	if len(words) == 0 {
		return misused("name a command")
	}
	typed, command := strings.Join(words, " "), words[0]
	own, known := takes[command]
	wanted := 1
	if slices.Contains([]string{"start", "stop", "restart"}, command) {
		wanted = 2
	}
	if !known || len(words) != wanted {
		return misused("cannot make sense of '%s': want up, status, down, restart-scheduler, or start, stop, restart and a component", typed)
	}
	if options, special := takes[typed]; special {
		own = options
	}
	if command == "restart" {
		command = typed
	}
	var err error
	flags.Visit(func(given *flag.Flag) {
		if err == nil && !slices.Contains(everywhere, given.Name) && !slices.Contains(own, given.Name) {
			err = misused("%s takes no --%s", command, given.Name)
		}
	})
	return err
}

// parse lets options stand before, between and after the words.
func parse(flags *flag.FlagSet, args []string) (words []string, err error) {
	for {
		err := flags.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			return nil, err
		}
		if err != nil {
			return nil, misused("%w", err)
		}
		if flags.NArg() == 0 {
			return words, check(flags, words)
		}
		words, args = append(words, flags.Arg(0)), flags.Args()[1:]
	}
}
