package cloud

import (
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/network"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// cloudHandler returns the handler of a cloud program for which the rows of the table are not enough, or nil.
func cloudHandler(name string) trace.Handler {
	switch name {
	case "aws":
		return aws
	case "gsutil":
		return gsutil
	}
	return nil
}

// The function aws analyzes a call of the program aws. A call does not reach the cloud if its endpoint or its queue is
// on this machine, or if it uses the profile of localstack.
func aws(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), awsValues)
	url := words.OrElse(o.LastText("endpoint-url"), c.Scope.Exported("AWS_ENDPOINT_URL").Text)
	url = words.OrElse(url, trace.FirstText(o.Values("queue-url")))
	if isLocalCloud(trace.HostOf(url)) || url == "" && trace.FirstText(o.Values("profile")) == "localstack" {
		return trace.Flow{Taint: trace.FromProgram}
	}
	return table.Handler("aws")(t, c)
}

// isLocalCloud reports whether a host is this machine or a container that simulates a cloud.
func isLocalCloud(host string) bool {
	return trace.IsLoopback(host) || words.OneOf(host, "localstack minio dynamodb")
}

// awsSetting analyzes "aws configure get", which prints a setting. The setting may be a secret.
func awsSetting(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if trace.IsSecretVariable(o.Word(2)) {
		return program.Judge(t, c, program.Reveals, "aws "+o.Order())
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func awsUpload(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	for _, body := range o.Values("body") {
		program.Upload(t, c, trace.FirstText(o.Values("bucket")), program.Attached(t, c, body.Text, body))
	}
	return program.Judge(t, c, program.Changes, "aws "+o.Order())
}

func cloudRemote(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	return login(t, c, o.Values("command"), "another machine")
}

// cloudRequest analyzes "az rest", which sends a request to an API.
func cloudRequest(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	r := network.Request{
		Method: o.LastText("m method"), URL: trace.FirstText(o.Values("u url uri")), Body: trace.JoinAll(o.Values("b body")),
		SignedIn: true,
	}
	r.Mark(t, c)
	return trace.Flow{Taint: trace.FromNetwork}
}

// cloudStorage analyzes "gcloud storage" and "aws s3", which copy to and from buckets.
func cloudStorage(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	return bucket(t, c, o.Operands[1:], o)
}
