package code

// mock.go recognizes blocks of Python code in which a library answers instead of AWS or of web servers, as in "with
// mock_aws():". In such a block, the clients of AWS that the block itself makes are fakes, and requests reach nobody.

import (
	"strings"

	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// mockBlock evaluates a "with" statement that replaces a cloud or a web server. It returns false for any other
// statement.
func (p *parser) mockBlock() bool {
	if p.Language != trace.Python {
		return false
	}
	i, name := 1, p.resolve(p.tokenAt(1).Text).Name
	for ; i < 4 && p.tokenAt(i+1).IsOp("."); i += 2 {
		name += "." + p.tokenAt(i+2).Text
	}
	cloud, web := p.replacesCloud(name), p.replacesWeb(name)
	var body value.Function
	start := p.pos
	if !cloud && !web || !p.tokenAt(i+1).IsOp("(") || !p.tokenAt(i+2).IsOp(")") || !p.indentedBody(&body, start) {
		p.pos = start
		return false
	}
	cloudBefore, webBefore := p.noCloud, p.NoWeb
	p.pos, p.noCloud, p.NoWeb = start+1, cloudBefore || cloud, webBefore || web
	p.block(body.To)
	p.noCloud, p.NoWeb = cloudBefore, webBefore
	return true
}

// The constant "unsafe" lists texts in code that may reach a real service in spite of a mock. The list has the words
// "def" and "lambda", because code may call the function after such a word at another time.
const unsafe = ".stop( passthr real_http exec( eval( getattr( setattr( def lambda nullcontext curl_cffi "

// replacesCloud reports whether the context manager with this name replaces AWS.
func (in *interpreter) replacesCloud(name string) bool {
	return name == "moto.mock_aws" && !strings.Contains(in.source, "mock_aws =") && in.lacks(unsafe+"mock_aws=")
}

// The constant mockText is the text of an object that is a fake only while its block runs.
const mockText = "$mock"

// makesMock reports whether a call in a block makes a client of AWS that is a fake.
func (in *interpreter) makesMock(name string, args value.Value) bool {
	_, elsewhere := args.Entry("endpoint_url config")
	return in.noCloud && words.OneOf(name, "boto3.client boto3.resource") && !elsewhere
}

// replacesWeb reports whether the context manager with this name replaces all servers for the library named requests.
func (in *interpreter) replacesWeb(name string) bool {
	return words.OneOf(name, "responses.RequestsMock requests_mock.Mocker") &&
		in.lacks(unsafe+"urllib httpx http.client aiohttp")
}

// lacks() reports whether none of the texts in a list is in the code.
func (in *interpreter) lacks(list string) bool {
	if !in.spend(len(in.source) / 8) {
		return false
	}
	for _, text := range strings.Fields(list) {
		if strings.Contains(in.source, text) {
			return false
		}
	}
	return true
}
