package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// diskHandler knows what writes to disks and partitions beneath their file systems.
func diskHandler(name string) handler {
	switch {
	case strings.HasPrefix(name, "mkfs"), strings.HasPrefix(name, "newfs"):
		return makeFileSystem
	case name == "format" || name == "format.com":
		return formatVolume
	}
	switch name {
	case "dd", "dcfldd", "gdd":
		return dd
	case among(name, "mke2fs mkswap mkdosfs mkntfs zeroout"):
		return makeFileSystem
	case among(name, "fdisk sfdisk gdisk sgdisk parted cfdisk cgdisk"):
		return partition
	case among(name, "wipefs blkdiscard badblocks hdparm sg_format tune2fs resize2fs partx nvme"):
		return rawDevice
	case "cryptsetup":
		return cryptsetup
	case "lvremove", "vgremove", "pvremove", "lvreduce":
		return marks("removes a volume with its data", effect.DestructiveOp, effect.DeviceWrite)
	case "zpool", "zfs", "btrfs":
		return pool
	case "mdadm":
		return marksWith("takes a disk array apart", effect.DeviceWrite, "--zero-superblock", "--stop", "-S", "--fail", "--remove", "--create", "-C")
	case "diskutil":
		return diskutil
	case "diskpart":
		return marks("changes partitions", effect.DeviceWrite)
	case "shred", "srm", "wipe", "scrub":
		return shred
	}
	return nil
}

// dd copies bytes from if= to of=, which may be disks.
func dd(a *analyzer, c *command) flow {
	in, written := c.in, ""
	for _, v := range c.args() {
		key, rest, _ := strings.Cut(v.text, "=")
		v.text = rest
		switch key {
		case "if":
			in = a.readFlow(v, c.sc, c.span)
		case "of":
			written = a.write(v, c.sc, c.span)
		}
	}
	if written == "" {
		return flow{text: in.text, known: in.known, taint: in.taint, file: in.file}
	}
	a.remember(written, in)
	return nothing()
}

// makeFileSystem formats its operands; an image file of the project is a file like any other.
func makeFileSystem(a *analyzer, c *command) flow {
	if firstOf(c.args(), "-n", "--help", "-V", "--version") != "" && c.name != "mkfs.fat" && c.name != "mkfs.vfat" {
		return nothing()
	}
	withValue := "t L b i m N O E T U d type label"
	if strings.HasSuffix(c.name, "fat") || c.name == "mkdosfs" {
		withValue += " F n"
	}
	o := parseOptions(c.args(), withValue)
	a.formats(c, o.operands)
	return nothing()
}

// formats notes the devices and files that lose what is on them. Numbers are sizes, not files.
func (a *analyzer) formats(c *command, targets []value) {
	for _, v := range targets {
		if v.text != "" && strings.Trim(v.text, "0123456789") != "" {
			a.write(v, c.sc, c.span)
		}
	}
}

func formatVolume(a *analyzer, c *command) flow {
	for _, v := range c.args() {
		if len(v.text) == 2 && v.text[1] == ':' {
			a.mark(c, "formats the drive "+v.text, effect.DeviceWrite)
		}
	}
	return nothing()
}

// partition changes a partition table, unless it is asked to print it.
func partition(a *analyzer, c *command) flow {
	if asksForHelp(c) || showsPartitions(c) {
		return flow{taint: fromProgram}
	}
	o := parseOptions(c.args(), "a align n t c i d new delete typecode")
	if len(o.operands) == 0 {
		return nothing()
	}
	a.formats(c, o.operands[:1])
	return nothing()
}

// showsPartitions reports whether a partitioning program is only asked to print.
func showsPartitions(c *command) bool {
	switch c.name {
	case "parted":
		return firstOf(c.args(), "-l", "--list", "print") != "" && firstOf(c.args(), "mklabel", "mktable", "mkpart", "rm", "resizepart", "set", "name") == ""
	case "sfdisk":
		return firstOf(c.args(), "-l", "--list", "-d", "--dump", "-J", "--json", "-s", "--show-size", "-n", "--no-act", "--verify") != ""
	}
	return firstOf(c.args(), "-l", "--list", "-p", "--print", "-v", "--verify", "-s", "--getsz") != ""
}

// rawDevice is a tool of disks that is harmless but for some of its flags and orders.
func rawDevice(a *analyzer, c *command) flow {
	word := ""
	switch c.name {
	case "blkdiscard", "sg_format":
		word = c.name
	case "wipefs":
		word = firstOf(c.args(), "-a", "--all", "-o", "-af", "-fa")
	case "badblocks":
		word = firstOf(c.args(), "-w", "-n", "-wsv", "-svw", "-wv", "-ws")
	case "hdparm":
		word = firstOf(c.args(), "--security-*", "--write-sector", "--trim-sector-ranges", "--fwdownload")
	case "nvme":
		word = firstOf(c.args(), "format", "sanitize", "write", "write-zeroes", "delete-ns")
	}
	if word == "" || asksForHelp(c) || firstOf(c.args(), "-n", "--no-act") != "" && c.name == "wipefs" {
		return flow{taint: fromProgram}
	}
	a.mark(c, "erases a disk ("+word+")", effect.DeviceWrite)
	return nothing()
}

func cryptsetup(a *analyzer, c *command) flow {
	switch word := firstOf(c.args(), "luksFormat", "erase", "luksErase", "reencrypt", "luksRemoveKey", "luksKillSlot", "--type"); word {
	case "", "--type":
	default:
		a.mark(c, "makes the data of an encrypted disk unreadable ("+word+")", effect.DeviceWrite)
	}
	return flow{taint: fromProgram}
}

func pool(a *analyzer, c *command) flow {
	if firstOf(c.args(), "-n", "--dry-run") != "" {
		return nothing()
	}
	switch word := firstOf(c.args(), "destroy", "labelclear", "rollback", "delete"); {
	case word == "":
	case c.name == "zpool":
		a.mark(c, "removes a pool with its data", effect.DestructiveOp, effect.DeviceWrite)
	default:
		a.mark(c, "removes a volume or snapshot ("+word+")", effect.DestructiveOp)
	}
	return flow{taint: fromProgram}
}

func diskutil(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "")
	verb := strings.ToLower(o.word(0))
	if strings.HasPrefix(verb, "erase") || verb == "partitiondisk" || verb == "secureerase" || verb == "zerodisk" || verb == "reformat" || verb == "randomdisk" ||
		(verb == "apfs" || verb == "cs") && strings.HasPrefix(strings.ToLower(o.word(1)), "delete") {
		a.mark(c, "erases a disk ("+o.word(0)+")", effect.DeviceWrite)
	}
	return flow{taint: fromProgram}
}

// shred overwrites files, so that nothing can bring them back.
func shred(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "n s iterations size random-source p pattern")
	for _, v := range o.operands {
		p := a.remove(v, c.sc, c.span, removal{tree: o.has("r R"), how: "overwrites"})
		if p.zone == project || p.zone == unresolved {
			a.effects[len(a.effects)-1].Note("overwrites "+p.name+" so that it cannot be brought back", effect.DestructiveOp)
		}
		if isRecord(p.abs) {
			a.mark(c, "erases the record "+p.name, effect.DefenseOff)
		}
	}
	return nothing()
}

// isRecord reports whether a file is where the system or a shell writes down what happened.
func isRecord(abs string) bool {
	if _, ok := Below(abs, "/var/log"); ok {
		return true
	}
	return strings.HasSuffix(abs, "_history") && strings.Contains(abs, "/.")
}
