package fakemodel_test

import (
	"slices"
	"testing"

	"guardrails/setup/claude/fakemodel"
)

// request has each kind of text that a model receives, and one text of the model itself.
const request = `{"system":[{"type":"text","text":"the system"}],"tools":[{"name":"Bash"}],"messages":[
	{"role":"user","content":"the prompt"},
	{"role":"assistant","content":[{"type":"text","text":"my own words"},{"type":"tool_use","id":"t1","name":"Bash","input":{}}]},
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":[
		{"type":"text","text":"the result"},{"type":"image"},{"type":"text","text":"and more"}]},
		{"type":"text","text":"a reminder"}]},
	{"role":"system","content":"a late word"}]}`

func TestRequestHasTheModelsInputAndNotItsOutput(t *testing.T) {
	model := fakemodel.New(nil)
	if status, body := post(model, "/v1/messages", request); status != 200 {
		t.Fatal(body)
	}
	r := model.All()[0]
	want := []string{"the system", "the prompt", "the result\nand more", "a reminder", "a late word"}
	if got := r.Said(); !slices.Equal(got, want) {
		t.Errorf("the model received %q", got)
	}
	if !r.Saw("late") || r.Saw("my own") || r.Turn != 1 {
		t.Errorf("saw: %v, %v; turn %d", r.Saw("late"), r.Saw("my own"), r.Turn)
	}
	if got, ok := model.ToolResult("t1"); !ok || !got.Failed || got.Text != "the result\nand more" {
		t.Errorf("the result is %+v", got)
	}
	if got, ok := model.ToolResult("t2"); ok {
		t.Errorf("a call that was never made has the result %+v", got)
	}
}

func FuzzRequest(f *testing.F) {
	for _, body := range []string{request, "", "{}", `{"messages":[{"role":"user","content":[{"type":"tool_result","content":7}]}]}`, `{"stream":true,"messages":null}`} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		model := fakemodel.New(fakemodel.Thread{fakemodel.Say("hello")})
		status, _ := post(model, "/v1/messages", body)
		if (status == 200) != (model.Err() == nil) {
			t.Errorf("status %d, problem %v", status, model.Err())
		}
	})
}
