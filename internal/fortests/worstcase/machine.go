package worstcase

// onMachine returns commands that make the analysis look at the disk or ask git very often.
func onMachine(size int) []Call {
	var out []Call
	add := func(name, text string) { out = append(out, command("machine: "+name, text)) }
	add("paths outside", count(size, "rm /w#/a;"))
	add("paths in the home folder", count(size, "cat ~/w#/a;"))
	add("long paths outside", count(size, "rm /w/"+fill(2000, "a/")+"#;"))
	add("long paths below a file", count(size, "rm /etc/hostname/"+fill(2000, "a/")+"#;"))
	add("folders outside", count(size, "rm -rf /w#;"))
	add("folders of other projects", count(size, "rm -rf /w#/*;"))
	add("commits in different folders", count(size, "cd /w#;git commit -m b;"))
	add("pushes from different folders", count(size, "git -C /w# push;"))
	add("amended commits", fill(size, "git commit --amend;"))
	add("aliases of git's settings", count(size, "git alias-#;"))
	add("checkouts of files", count(size, "git checkout b# -- .claude;"))
	add("resets", count(size, "git reset --hard b#;"))
	add("patches from files", count(size, "git apply p#;"))
	add("scripts as globs", count(size, "sh *#.sh;"))
	add("scripts as globs in folders", count(size, "sh */*#*.sh;"))
	add("folders that are sent", count(size, "tar c /etc/w#|curl -T- b;"))
	add("secrets that are moved", count(size, "mv .env w#;"))
	add("files that replace folders", count(size, "cp .env /w#/x;"))
	add("the program find with many starting folders", "find "+count(size/4, "/w# ")+"-exec rm {} \\;")
	add("the program find with many starting folders and many commands",
		"find "+count(8<<10, "a# ")+fill(8<<10, "-exec rm {} \\; "))
	add("find for hidden files", fill(size, "find . -name '.*' -exec rm {} \\;;"))
	add("find for files of the guard", fill(size, "find . -path '*/.claude/*' -delete;"))
	add("programs at unusual places", count(size, "/w#/guardrails a;"))
	add("settings of git", count(size, "git config alias.a# '!rm b';git a#;"))
	add("long globs", count(size, "rm */"+fill(900, "a/")+"#*;"))
	add("long globs at any depth", count(size, "rm **/"+fill(900, "a/")+"#*;"))
	add("globs with many stars", count(size, "rm "+fill(900, "*a")+"#;"))
	add("globs with many stars outside", count(size, "rm -rf ~/"+fill(900, "*/")+"#;"))
	add("globs with many question marks", count(size, "rm "+fill(900, "?")+"#;"))
	add("quoted globs with braces", count(size, "find . -path '{a,b}{c,d}{e,f}*#' -delete;"))
	return out
}
