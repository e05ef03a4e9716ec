package toolcall

// phpDeed says what PHP's functions do.
func phpDeed(name string) deed {
	switch name {
	case among(name, "system exec shell_exec passthru proc_open popen"):
		return deed{kind: runCommand}
	case "pcntl_exec":
		return deed{kind: startCommand}
	case among(name, "eval assert create_function include require include_once require_once"):
		return phpCode(name)
	case "unlink", "rmdir":
		return deed{kind: removeFile}
	case "file_put_contents":
		return deed{kind: saveFile}
	case "fopen":
		return deed{kind: openFile}
	case among(name, "file_get_contents readfile file show_source highlight_file"):
		return deed{kind: readFile}
	case "rename", "move_uploaded_file":
		return deed{kind: movePath}
	case "copy":
		return deed{kind: copyPath}
	case "symlink", "link":
		return deed{kind: linkPath, at: 1}
	case "touch", "mkdir", "tempnam":
		return deed{kind: writeFile}
	case "chmod":
		return deed{kind: changeMode}
	case "chown", "chgrp":
		return deed{kind: changeOwner}
	}
	return phpMore(name)
}

// phpMore are PHP's functions for texts, processes and the network.
func phpMore(name string) deed {
	switch name {
	case "fwrite", "fputs":
		return deed{kind: writeHandle}
	case "fread", "fgets", "stream_get_contents":
		return deed{kind: passOn}
	case "fsockopen", "pfsockopen", "stream_socket_client", "socket_connect":
		return deed{kind: connectTo}
	case "echo", "print", "printf":
		return deed{kind: printText}
	case "base64_decode":
		return deed{kind: base64Text}
	case "hex2bin":
		return deed{kind: hexText}
	case "str_rot13":
		return deed{kind: rotate}
	case "strrev":
		return deed{kind: reverseText}
	case among(name, "gzinflate gzuncompress gzdecode convert_uudecode urldecode"):
		return deed{kind: packedText}
	case "chr":
		return deed{kind: spellText}
	case "implode", "join":
		return deed{kind: joinList}
	case "getenv":
		return deed{kind: lookupEnv}
	case "getcwd":
		return deed{kind: currentDir}
	case "sys_get_temp_dir":
		return deed{kind: tempPath}
	case "posix_kill":
		return deed{kind: killProcess}
	case "pcntl_fork":
		return deed{kind: forkProcess}
	case "posix_setuid":
		return deed{kind: becomeUser}
	case among(name, "trim strtolower escapeshellarg json_encode sprintf"):
		return deed{kind: passOn}
	}
	return deed{}
}

func phpCode(name string) deed {
	if name == "eval" || name == "assert" {
		return deed{kind: evalCode}
	}
	return deed{}
}
