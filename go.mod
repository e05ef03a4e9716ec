module guardrails

go 1.26
