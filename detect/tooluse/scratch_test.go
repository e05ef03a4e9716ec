package tooluse
import ("testing";"encoding/json";"fmt";"os";"strings")
func TestScratch(t *testing.T){
 b,_:=os.ReadFile("/tmp/cmds.txt")
 for _,l:=range strings.Split(string(b),"\n"){ if l==""{continue}
  a:=AnalyzeCommand(nil,l)
  fmt.Println("#",l)
  for _,e:=range a.Effects { j,_:=json.Marshal(e); fmt.Println("   ",string(j)) }
 }
}
func BenchmarkTypical(b *testing.B){ b.ReportAllocs(); for b.Loop(){ AnalyzeCommand(nil,`cd src && go test ./... 2>&1 | tail -20 && git add -A && git commit -m "fix: the thing"`)}}
