package rest

import (
	"net/http"

	"guardrails/policy"
	"guardrails/server/access"
	"guardrails/service/policyfile"
)

// policyRoutes returns the routes of the policies of the safety gate.
func policyRoutes() []route {
	return []route{
		{
			method: http.MethodGet, path: base + "/policies", name: "get_policies", role: access.Read,
			summary: "Get the policies of the safety gate",
			about: "Returns the rules in force, in the order in which they run. Also returns the path of the policy file " +
				"that contains the rules, and the mistakes in this file.",
			serve:   (*call).policies,
			answers: []answer{{status: http.StatusOK, about: "The policies", schema: "Policies", types: []string{typeJSON}}},
		},
		{
			method: http.MethodPost, path: base + "/policies/validate", name: "validate_policies", role: access.Read,
			summary: "Check the text of a policy file", about: "Returns every mistake with its line. Nothing is changed.",
			body: &body{schema: "PolicyText", most: maxMany}, serve: func(c *call) error { return c.gated((*call).validatePolicies) },
			answers: []answer{{status: http.StatusOK, about: "The mistakes", schema: "PolicyReport", types: []string{typeJSON}}},
		},
		{
			method: http.MethodPost, path: base + "/policies/test", name: "test_policies", role: access.Read,
			summary: "Try policies",
			about: "Tests rules with facts. The answer says whether each rule applies, and whether each of its conditions is " +
				"true. Without `rules`, the rules in force are tested. No event is fired, and no cooldown begins.",
			body: &body{schema: "PolicyTrial", most: maxOne}, serve: func(c *call) error { return c.gated((*call).testPolicies) },
			answers: []answer{{status: http.StatusOK, about: "The result, with a trace", schema: "PolicyTrace", types: []string{typeJSON}}},
		},
	}
}

// ownPolicies returns an error if the caller and the project whose policies are in force belong to different tenants.
func (c *call) ownPolicies() error {
	if c.caller.Tenant != c.h.o.Tenant {
		return forbidden("the policies belong to another tenant")
	}
	return nil
}

func (c *call) policies() error {
	if err := c.ownPolicies(); err != nil {
		return err
	}
	found, err := c.h.o.Service.PoliciesInForce(c.r.Context(), "")
	if err != nil {
		return err
	}
	return c.say(http.StatusOK, found)
}

func (c *call) validatePolicies() error {
	text, err := c.read()
	if err != nil {
		return err
	}
	report, err := policyfile.Validate(text)
	if err != nil {
		return err
	}
	return c.say(http.StatusOK, report)
}

func (c *call) testPolicies() error {
	text, err := c.read()
	if err != nil {
		return err
	}
	traced, err := policyfile.Try(text, func() (*policy.Set, error) {
		if err := c.ownPolicies(); err != nil {
			return nil, err
		}
		found, err := c.h.o.Service.PoliciesInForce(c.r.Context(), "")
		if err != nil {
			return nil, err
		}
		return found.Set(), nil
	})
	if err != nil {
		return err
	}
	return c.say(http.StatusOK, traced)
}
