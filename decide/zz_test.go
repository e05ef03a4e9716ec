package decide_test
import ("testing";"os";"encoding/json";"fmt")
func TestZZ(t *testing.T){
 set:=core(t)
 for _,f:=range []string{"dangerous","harmless"} {
  b,err:=os.ReadFile(os.Getenv("ZZ")+f+".json"); if err!=nil {t.Skip()}
  var l []labelled; json.Unmarshal(b,&l)
  n:=0
  for _,c:=range l { d,ok:=stopped(set,c.Command); if ok==(f=="dangerous"){n++} else {fmt.Printf("%s|%s|%s|%s|%s\n",f,c.Category,c.Command,d.Reason,c.Why)} }
  fmt.Printf("== %s %d of %d right\n",f,n,len(l))
 }
}
