package talk_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"guardrails/detect/advice"
	"guardrails/detect/talk"
	"guardrails/internal/fortests/detectorcases"
)

func tools() []string { return []string{"check_rumination", "check_hyperfocus", "check_sycophancy"} }

func FuzzInputs(f *testing.F) {
	for _, file := range []string{"../testdata/detectors.json", "testdata/cases.json"} {
		for _, c := range detectorcases.Load(f, file).Detectors {
			if input := c.Arguments(f); len(input) < 2<<10 {
				f.Add(slices.Index(tools(), c.Tool), input)
			}
		}
	}
	f.Fuzz(func(t *testing.T, tool int, input []byte) {
		name := tools()[uint(tool)%3]
		first, err := run(name, input)
		if err != nil {
			checkProblems(t, err)
			return
		}
		if again, _ := run(name, input); string(again) != string(first) {
			t.Errorf("%s answers %s and %s to one input", name, first, again)
		}
		if name == "check_hyperfocus" {
			in, _ := talk.DecodeHyperfocus(input)
			checkPlainHyperfocus(t, &in)
		}
	})
}

func checkProblems(t *testing.T, err error) {
	t.Helper()
	problems, is := errors.AsType[advice.Problems](err)
	if !is || len(problems) == 0 {
		t.Errorf("the error %v has no problems", err)
	}
	codes := []advice.Code{
		advice.InputInvalid, advice.InputTooLarge, advice.WindowOutOfRange, advice.HistoryOutOfOrder,
		advice.SessionIDMismatch, advice.ThresholdsNotAscending, advice.InvalidEndOfDay, advice.InputMissing,
	}
	for _, p := range problems {
		if !slices.Contains(codes, p.Code) || p.Message == "" || p.Remedy == "" {
			t.Errorf("the problem %+v is not complete", p)
		}
	}
}

// checkPlainHyperfocus fails if the detector and the plain rules differ.
func checkPlainHyperfocus(t *testing.T, in *talk.Hyperfocus) {
	t.Helper()
	level, confidence := plainHyperfocus(in)
	a := talk.CheckHyperfocus(in)
	if a.Level != level || math.Abs(a.Confidence-confidence) > 1e-4 || (a.SinceEnd != "") != plainIsPast(in) {
		text, _ := json.Marshal(in)
		t.Errorf("%s: %s %v %q, want %s %v", text, a.Level, a.Confidence, a.SinceEnd, level, confidence)
	}
}

// plainHyperfocus computes the level and its confidence in the simplest way. CheckHyperfocus must give the same result.
func plainHyperfocus(in *talk.Hyperfocus) (talk.Level, float64) {
	if in.Session == nil {
		return talk.LevelNone, 1
	}
	e := float64(in.Session.ElapsedSeconds)
	gentle, nudge, hard := 60*float64(in.Ladder.Gentle), 60*float64(in.Ladder.Nudge), 60*float64(in.Ladder.Hard)
	level := talk.LevelHard
	switch {
	case e < gentle:
		level = talk.LevelNone
	case e < nudge:
		level = talk.LevelGentle
	case e < hard:
		level = talk.LevelNudge
	}
	if plainIsPast(in) {
		level = plainStep(level, map[talk.Level]talk.Level{talk.LevelGentle: talk.LevelNudge, talk.LevelNudge: talk.LevelHard})
	}
	if in.SwitchedAway {
		level = plainStep(level, map[talk.Level]talk.Level{
			talk.LevelGentle: talk.LevelNone, talk.LevelNudge: talk.LevelGentle, talk.LevelHard: talk.LevelNudge,
		})
	}
	confidence := map[talk.Level]float64{
		talk.LevelNone: 0.95, talk.LevelGentle: 0.55 + 0.3*min((e-gentle)/(nudge-gentle), 1),
		talk.LevelNudge: 0.7 + 0.2*min((e-nudge)/(hard-nudge), 1), talk.LevelHard: 0.88 + 0.1*min((e-hard)/1800, 1),
	}[level]
	return level, min(max(confidence, 0), 1)
}

func plainStep(level talk.Level, steps map[talk.Level]talk.Level) talk.Level {
	if to := steps[level]; to != "" {
		return to
	}
	return level
}

// plainIsPast reports whether the user's day has ended. It finds the day, from 05:00 to 05:00, that contains the
// present time. Then it finds the minute of that day at which the clock shows the end of the user's day.
func plainIsPast(in *talk.Hyperfocus) bool {
	if in.EndOfDay == nil {
		return false
	}
	now := in.Now.Local()
	end := time.Date(now.Year(), now.Month(), now.Day(), 5, 0, 0, 0, now.Location())
	if now.Before(end) {
		end = end.AddDate(0, 0, -1)
	}
	for 60*end.Hour()+end.Minute() != *in.EndOfDay {
		end = end.Add(time.Minute)
	}
	return now.After(end)
}

func TestHyperfocusAnswersAsThePlainRulesDo(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	minutesEast := []int{-660, -300, 0, 60, 345, 840}
	for range 5000 {
		now := advice.Time{
			At:     time.Date(2026, 2, 27, random.IntN(96), random.IntN(60), random.IntN(2), random.IntN(2), time.UTC),
			Offset: time.Duration(minutesEast[random.IntN(len(minutesEast))]) * time.Minute,
		}
		end := random.IntN(24 * 60)
		if random.IntN(4) == 0 {
			end = 60*now.Local().Hour() + now.Local().Minute()
		}
		gentle := 5 + random.IntN(100)
		nudge := gentle + 1 + random.IntN(100)
		in := &talk.Hyperfocus{
			Session: &talk.OpenSession{ElapsedSeconds: random.IntN(300 * 60)}, Now: now,
			SwitchedAway: random.IntN(3) == 0, EndOfDay: &end,
			Ladder: talk.Ladder{Gentle: gentle, Nudge: nudge, Hard: nudge + 1 + random.IntN(100)},
		}
		if random.IntN(5) == 0 {
			in.Session.ElapsedSeconds = 60 * []int{gentle, nudge, in.Ladder.Hard}[random.IntN(3)]
		}
		if random.IntN(5) == 0 {
			in.EndOfDay = nil
		}
		checkPlainHyperfocus(t, in)
	}
}
