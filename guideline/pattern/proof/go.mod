module guardrails/guideline/pattern/proof

go 1.26.0

require guardrails v0.0.0

require github.com/gobwas/glob v1.1.0

replace guardrails => ../../..
