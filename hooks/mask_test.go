package hooks

import (
	"strings"
	"testing"
)

func TestSecretsAreMasked(t *testing.T) {
	const secret = "S3CRET"
	for _, text := range []string{
		"API_TOKEN=S3CRET; curl https://h/x",
		"export API_TOKEN=S3CRET && curl https://h/x",
		`curl "https://h/x?access_token=S3CRET"`,
		`curl "https://h/x?a=b&access_token=S3CRET&c=d"`,
		"kubectl create secret generic x --from-literal=password=S3CRET",
		"git clone https://S3CRETS3CRETX@github.com/a/b",
		"git clone https://me:S3CRET@github.com/a/b",
		"aws configure set aws_secret_access_key S3CRET",
		"curl -H 'Authorization: Bearer S3CRET' https://h",
		"deploy --token S3CRET",
		`{"password":"S3CRET","a":1}`,
	} {
		if got := masked(text); strings.Contains(got, secret) {
			t.Errorf("%s\n-> %s", text, got)
		}
	}
}

func TestTextsWithoutASecretStayAsTheyAre(t *testing.T) {
	for _, text := range []string{
		"git clone https://github.com/a/b", "git clone git@github.com:a/b.git", "curl https://me@h/x", "go test ./token/...",
		"cat src/token.go", "kubectl get secret x", "curl https://h/x?page=2&size=3",
		"docker run -e A=b -p 80:80 x", "see https://h/secret/a",
	} {
		if got := masked(text); got != text {
			t.Errorf("%s\n-> %s", text, got)
		}
	}
}
