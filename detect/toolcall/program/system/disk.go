package system

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// DiskHandler returns the handler of a program that writes to disks and partitions below the file system, or nil.
func DiskHandler(name string) trace.Handler {
	switch {
	case strings.HasPrefix(name, "mkfs"), strings.HasPrefix(name, "newfs"):
		return makeFileSystem
	case name == "format" || name == "format.com":
		return formatVolume
	}
	switch name {
	case "dd", "dcfldd", "gdd":
		return dd
	case words.Among(name, "mke2fs mkswap mkdosfs mkntfs zeroout"):
		return makeFileSystem
	case words.Among(name, "fdisk sfdisk gdisk sgdisk parted cfdisk cgdisk"):
		return partition
	case words.Among(name, "wipefs blkdiscard badblocks hdparm sg_format tune2fs resize2fs partx nvme debugfs xfs_repair flashrom"):
		return rawDevice
	case words.Among(name, "flash_erase flash_eraseall flashcp nandwrite"):
		return program.Marks("erases or writes a flash chip", effect.DeviceWrite)
	case "cryptsetup":
		return cryptsetup
	case "lvremove", "vgremove", "pvremove", "lvreduce":
		return volume
	case "zpool", "zfs", "btrfs":
		return pool
	case "mdadm":
		return program.MarksWith("takes apart or overwrites a disk array", effect.DeviceWrite,
			flags.Abbreviates+"--zero-superblock --stop -S --fail --remove --create -C")
	case "diskutil":
		return diskutil
	case "diskpart":
		return program.Marks("changes partitions", effect.DeviceWrite)
	case "shred", "srm", "wipe", "scrub":
		return shred
	}
	return nil
}

// The function dd analyzes the program dd, which copies bytes from the file after if= to the file after of=. Both files
// may be disks. All arguments of dd have the form key=value.
func dd(t *trace.Trace, c *trace.Command) trace.Flow {
	in, written, appends := c.In, "", false
	for _, v := range c.Args() {
		key, rest, _ := strings.Cut(v.Text, "=")
		v.Text = rest
		switch {
		case key == "if" && trace.NamesInput(rest):
		case key == "if":
			in = t.ReadFlow(v, c.Scope, c.Span)
		case key == "of":
			written = t.Write(v, c.Scope, c.Span)
		case key == "oflag":
			appends = strings.Contains(rest, "append")
		}
	}
	if written == "" {
		return trace.Flow{Text: in.Text, Known: in.Known, Taint: in.Taint, File: in.File}
	}
	if appends {
		t.Append(written, in)
	} else {
		t.Remember(written, in)
	}
	return trace.Nothing()
}

// makeFileSystem analyzes mkfs and similar programs, which format devices or image files.
func makeFileSystem(t *trace.Trace, c *trace.Command) trace.Flow {
	if flags.FirstOf(c.Args(), "-n --help -V --version") != "" && c.Name != "mkfs.fat" && c.Name != "mkfs.vfat" {
		return trace.Nothing()
	}
	withValue := "t L b i m N O E T U d type label"
	if strings.HasSuffix(c.Name, "fat") || c.Name == "mkdosfs" {
		withValue += " F n"
	}
	o := flags.Parse(c.Args(), withValue)
	formats(t, c, o.Operands)
	return trace.Nothing()
}

// formats() adds the effect of writing each formatted device or file. It skips numbers, which are sizes.
func formats(t *trace.Trace, c *trace.Command, targets []trace.Value) {
	for _, v := range targets {
		if v.Text != "" && strings.Trim(v.Text, "0123456789") != "" {
			t.Write(v, c.Scope, c.Span)
		}
	}
}

func formatVolume(t *trace.Trace, c *trace.Command) trace.Flow {
	for _, v := range c.Args() {
		if len(v.Text) == 2 && v.Text[1] == ':' {
			t.Mark(c, "formats the drive "+v.Text, effect.DeviceWrite)
		}
	}
	return trace.Nothing()
}

// partition() analyzes programs that change or print a partition table.
func partition(t *trace.Trace, c *trace.Command) trace.Flow {
	if flags.AsksForHelp(c) || showsPartitions(c) {
		return trace.Flow{Taint: trace.FromProgram}
	}
	withValue := "a align n t c i d new typecode"
	if c.Name != "sfdisk" { // in sfdisk, the disk follows this flag
		withValue += " delete"
	}
	o := flags.Parse(c.Args(), withValue)
	if len(o.Operands) == 0 {
		return trace.Nothing()
	}
	formats(t, c, o.Operands[:1])
	return trace.Nothing()
}

func showsPartitions(c *trace.Command) bool {
	args := c.Args()
	switch c.Name {
	case "parted":
		changes := flags.FirstOf(args, "mklabel mktable mkpart rm resizepart set name") != ""
		return flags.FirstOf(args, "-l --list print") != "" && !changes
	case "sfdisk":
		return flags.FirstOf(args, "-l --list -d --dump -J --json -s --show-size -n --no-act --verify") != ""
	}
	return flags.FirstOf(args, "-l --list -p --print -v --verify -s --getsz") != ""
}

// rawDevice analyzes disk programs. Some of these programs always erase a disk. Other disk programs erase a disk only
// with certain flags or commands.
func rawDevice(t *trace.Trace, c *trace.Command) trace.Flow {
	word := ""
	switch c.Name {
	case "blkdiscard", "sg_format":
		word = c.Name
	case "wipefs":
		word = flags.FirstOf(c.Args(), flags.Abbreviates+"-a --all -o -af -fa")
	case "badblocks":
		word = flags.FirstOf(c.Args(), "-w -n -wsv -svw -wv -ws")
	case "hdparm":
		word = flags.FirstOf(c.Args(), "--security-* --write-sector --trim-sector-ranges --fwdownload")
	case "nvme":
		word = flags.FirstOf(c.Args(), "format sanitize write write-zeroes delete-ns")
	case "flashrom":
		word = flags.FirstOf(c.Args(), flags.Abbreviates+"-w -E --write --erase")
	case "debugfs", "xfs_repair", "resize2fs":
		if slices.ContainsFunc(c.Args(), func(v trace.Value) bool { return program.IsDisk(v.Text) }) {
			word = flags.FirstOf(c.Args(), "-w -L -M")
		}
	}
	if word == "" || flags.AsksForHelp(c) || flags.FirstOf(c.Args(), "-n --no-act") != "" && c.Name == "wipefs" {
		return trace.Flow{Taint: trace.FromProgram}
	}
	t.Mark(c, "erases or changes a disk below its file system ("+word+")", effect.DeviceWrite)
	return trace.Nothing()
}

func cryptsetup(t *trace.Trace, c *trace.Command) trace.Flow {
	word := flags.FirstOf(c.Args(), "luksFormat erase luksErase reencrypt luksRemoveKey luksKillSlot --type")
	switch word {
	case "", "--type":
	default:
		t.Mark(c, "makes the data of an encrypted disk unreadable ("+word+")", effect.DeviceWrite)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// volume() analyzes the programs of LVM that remove or shrink volumes. With --test, they change nothing.
func volume(t *trace.Trace, c *trace.Command) trace.Flow {
	if o := flags.Parse(c.Args(), "A L l n S size extents name select autobackup"); o.HasWhole("t test") {
		return trace.Flow{Taint: trace.FromProgram}
	}
	return program.Marks("removes or shrinks a volume, which loses data", effect.DestructiveOp, effect.DeviceWrite)(t, c)
}

func pool(t *trace.Trace, c *trace.Command) trace.Flow {
	if o := flags.Parse(c.Args(), "o O t"); o.HasWhole("n dry-run") {
		return trace.Nothing()
	}
	switch word := flags.FirstOf(c.Args(), "destroy labelclear rollback delete"); {
	case word == "":
	case c.Name == "zpool" && word == "labelclear":
		t.MarkAll(c, "erases the ZFS label of a device", effect.DestructiveOp, effect.DeviceWrite)
	case c.Name == "zpool":
		t.MarkAll(c, "destroys a ZFS storage pool and its data", effect.DestructiveOp, effect.DeviceWrite)
	default:
		t.Mark(c, "deletes data of a volume or snapshot ("+word+")", effect.DestructiveOp)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func diskutil(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "")
	verb := strings.ToLower(o.Word(0))
	erases := strings.HasPrefix(verb, "erase") ||
		verb == words.Among(verb, "partitiondisk secureerase zerodisk reformat randomdisk")
	deletes := (verb == "apfs" || verb == "cs") && strings.HasPrefix(strings.ToLower(o.Word(1)), "delete")
	if erases || deletes {
		t.Mark(c, "erases a disk ("+o.Word(0)+")", effect.DeviceWrite)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// shred() analyzes programs that overwrite files so that the old contents cannot be recovered.
func shred(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates+"n s iterations size random-source p pattern")
	for _, v := range o.Operands {
		p := t.Remove(v, c.Scope, c.Span, trace.Removal{Tree: o.Has("r R"), How: "overwrites"})
		if p.Zone == trace.Project || p.Zone == trace.Unresolved {
			e := &t.Effects[len(t.Effects)-1]
			e.Note("overwrites "+p.Name+" so that it cannot be recovered", effect.DestructiveOp)
		}
		if isLog(p.Abs) {
			t.Mark(c, "deletes the log "+p.Name, effect.DefenseOff)
		}
	}
	return trace.Nothing()
}

// isLog reports whether a file is a log of the system or the history of a shell.
func isLog(abs string) bool {
	if _, ok := trace.Below(abs, "/var/log"); ok {
		return true
	}
	return strings.HasSuffix(abs, "_history") && strings.Contains(abs, "/.")
}
