package toolcall

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/literal"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
	"guardrails/internal/fortests/labeledcommands"
)

// analyzeWhole analyzes a command without cutting out literal texts. The function analyzeInParts cuts out
// every literal text before it analyzes the command.
func analyzeWhole(command string) *effect.Analysis   { return cutAnalysis(command, math.MaxInt) }
func analyzeInParts(command string) *effect.Analysis { return cutAnalysis(command, 1) }

func cutAnalysis(command string, from int) *effect.Analysis {
	t := newTrace(&trace.Env{Root: "/home/dev/app", Cwd: "/home/dev/app", Home: "/home/dev"}, "Bash")
	t.CutFrom = from
	shell.Bash(t, command)
	return t.Finish()
}

// checkCutting compares the effects of a command with and without cutting. It does not compare them if the whole
// command is too large for the analysis. Without its literal texts, such a command may be small enough to be analyzed.
func checkCutting(t *testing.T, command string) {
	t.Helper()
	uncut := analyzeWhole(command)
	if slices.ContainsFunc(uncut.Effects, func(e effect.Effect) bool { return e.Has(effect.TooLarge) }) {
		return
	}
	want, _ := json.Marshal(uncut)
	got, _ := json.Marshal(analyzeInParts(command))
	if string(got) != string(want) {
		t.Fatalf("%q\nin parts: %s\nwhole:    %s", command, got, want)
	}
}

func TestCuttingOutLiteralsDoesNotChangeTheEffects(t *testing.T) {
	cut := 0
	for _, command := range labeledcommands.Commands(t, "../..", "harmless*.json", "dangerous*.json") {
		checkCutting(t, command)
		if found := literal.CutLiterals(command, 1); found != nil {
			if _, ok := found.Parse(); ok {
				cut++
			}
		}
	}
	if cut < 400 {
		t.Errorf("only %d commands had a text to cut out", cut)
	}
}

// cutSeeds returns commands with literal texts, and with parts that only look like literal texts.
func cutSeeds() []string {
	return []string{
		"cat > f <<'EOF'\nrm -rf /\n$(x) `y` \\\nEOF\nrm a",
		"cat <<EOF\nplain text\nEOF\nrm a",
		"cat <<EOF\n$(rm b) \\$x\nEOF\nrm a",
		"cat <<-EOF\n\tindented\n\tEOF\nrm a",
		"cat <<A <<'B'; rm x\none\nA\ntwo\nB\nrm y",
		"bash <<'EOF'\nrm -rf ~\nEOF",
		"bash <<'E O F'\nrm -rf ~\nE O F\nrm y",
		"bash <<E'O'F\nrm -rf ~\nEOF\nrm y",
		"bash <<\\EOF\nrm -rf ~\nEOF\nrm y",
		"bash <<'EOF'\r\nrm -rf ~\r\nEOF\r\nrm y",
		"bash <<'EOF'\nrm a\nEOF x\nEOF\nrm b",
		"bash <<'EOF'\nrm a",
		"echo $((1<<2))\nrm a\n2\nrm b",
		"echo '$((1<<EOF))'; x=$((1<<EOF))\nrm a\nEOF\nrm b",
		"echo \"it's\" # don't\nrm 'a b' # isn't\nrm c",
		"echo 'one' \"two\" $'three\\'' $\"four\"; rm 'f'",
		"git commit -m \"$(cat <<'EOF'\nfix: don't (ever)\nEOF\n)\"; rm x",
		"echo \"a \\\" b $x ${y:-\"c\"} d\"; rm \"e f\"",
		"echo \"$(echo ')' \"x\")\"; rm 'g'",
		"echo `echo 'x'`; rm 'y'",
		"x='a\nb'; $x 'c'; eval 'rm -rf ~'",
		"[[ $x =~ 'a b' ]] && rm 'c'",
		"case 'a' in 'a') rm 'b';; esac",
		"f() { rm 'x'; }; f 'y'",
		"bash -c 'rm \"x\" && eval \"rm y\"'",
		"echo 'unclosed",
		"echo \"unclosed",
		"echo 'a' ) rm 'b'",
		"cat <<'EOF' 'x\ny'\nrm z\nEOF\nrm w",
		"cat <<EOF\n${x:-\"a\nEOF\n\"}\nEOF\nrm w",
		"echo '\x00a' 'b\xff' '\x01' 'ok'",
		"python3 - <<'EOF'\nimport os\nos.remove('x')\nEOF",
		"tee 'a' <<< 'b'; cat <<<'c'",
		"echo ${x//'a'/'b'} {'a','b'}'c'",
		"a=('x' \"y\"); rm \"${a[@]}\"",
	}
}

func TestTheParserDecidesWhatIsALiteralText(t *testing.T) {
	for _, command := range cutSeeds() {
		checkCutting(t, command)
	}
}

func TestLargeTextsAreNotParsed(t *testing.T) {
	large := strings.Repeat("it is (all) [plain] text {, and\nlong; ", 1000)
	for _, command := range []string{
		"cat > f <<'EOF'\n" + large + "$`'\"\nEOF\nrm a",
		"cat > f <<EOF\n" + large + "\nEOF\nrm a",
		"git commit -m '" + large + "$x\"'; rm a",
		"git commit -m \"" + large + "\" && rm a",
		"git commit -m \"$(cat <<'EOF'\n" + large + "\nEOF\n)\"; rm a",
	} {
		c := literal.CutLiterals(command, literal.CutFrom)
		if c == nil || len(c.Short) > 200 {
			t.Fatalf("%.60q… is not cut", command)
		}
		if _, ok := c.Parse(); !ok {
			t.Fatalf("%.60q… cannot be put together again", command)
		}
		if call := cutAnalysis(command, literal.CutFrom); call.Effects[len(call.Effects)-1].Path != "a" {
			t.Errorf("%.60q…: the last effect is %+v", command, call.Effects[len(call.Effects)-1])
		}
	}
}

func FuzzCutting(f *testing.F) {
	for _, seed := range cutSeeds() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, command string) {
		if len(command) <= 4<<10 {
			checkCutting(t, command)
		}
	})
}
