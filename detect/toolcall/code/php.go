package code

// php.go knows the functions of PHP that have effects or compute texts.

import "guardrails/detect/toolcall/words"

// phpAction returns what a PHP function does.
func phpAction(name string) action {
	switch name {
	case words.Among(name, "system exec shell_exec passthru proc_open popen"):
		return action{kind: runCommand}
	case "pcntl_exec":
		return action{kind: startCommand}
	case "unserialize":
		return action{kind: loadObjects}
	case words.Among(name, "eval assert create_function include require include_once require_once"):
		return phpEvalAction(name)
	case words.Among(name, "unlink rmdir"):
		return action{kind: removeFile}
	case "file_put_contents":
		return action{kind: saveFile}
	case "fopen":
		return action{kind: openFile}
	case words.Among(name, "file_get_contents readfile file parse_ini_file show_source highlight_file"):
		return action{kind: readFile}
	case words.Among(name, "rename move_uploaded_file"):
		return action{kind: movePath}
	case "copy":
		return action{kind: copyPath}
	case words.Among(name, "symlink link"):
		return action{kind: linkPath, arg: 1}
	case words.Among(name, "touch mkdir tempnam"):
		return action{kind: writeFile}
	case "chmod":
		return action{kind: changeMode}
	case words.Among(name, "chown chgrp"):
		return action{kind: changeOwner}
	}
	return phpRuntimeAction(name)
}

// phpRuntimeAction is the part of phpAction for functions that work with texts, processes or the network.
func phpRuntimeAction(name string) action {
	switch name {
	case words.Among(name, "fwrite fputs"):
		return action{kind: writeHandle}
	case words.Among(name, "fread fgets stream_get_contents"):
		return action{kind: returnFirst}
	case words.Among(name, "fsockopen pfsockopen stream_socket_client socket_connect"):
		return action{kind: connectTo}
	case words.Among(name, "echo print printf"):
		return action{kind: printText}
	case "base64_decode":
		return action{kind: decodeBase64}
	case "hex2bin":
		return action{kind: decodeHex}
	case "str_rot13":
		return action{kind: decodeRot13}
	case "strrev":
		return action{kind: reverseOrder}
	case words.Among(name, "gzinflate gzuncompress gzdecode convert_uudecode urldecode"):
		return action{kind: decodeOther}
	case "chr":
		return action{kind: decodeCharCodes}
	case "glob":
		return action{kind: findPaths}
	case words.Among(name, "scandir readdir"):
		return action{kind: listFolder}
	case words.Among(name, "RecursiveDirectoryIterator DirectoryIterator FilesystemIterator"):
		return action{kind: listPaths}
	case words.Among(name, "RecursiveIteratorIterator array_values array_filter iterator_to_array"):
		return action{kind: returnFirst}
	case words.Among(name, "array_rand array_pop array_shift current reset"):
		return action{kind: chooseItem}
	case "array_push":
		return action{kind: growList}
	case "explode":
		return action{kind: splitText}
	case "chdir":
		return action{kind: changeDir}
	case words.Among(name, "implode join"):
		return action{kind: joinList}
	case "getenv":
		return action{kind: lookupEnv}
	case "getcwd":
		return action{kind: currentDir}
	case "sys_get_temp_dir":
		return action{kind: tempPath}
	case "posix_kill":
		return action{kind: killProcess}
	case "pcntl_fork":
		return action{kind: forkProcess}
	case "posix_setuid":
		return action{kind: setUser}
	case words.Among(name, "trim strtolower escapeshellarg json_encode sprintf"):
		return action{kind: returnFirst}
	}
	return action{}
}

// phpEvalAction returns what eval, assert, include and similar functions do. create_function is not analyzed.
func phpEvalAction(name string) action {
	switch name {
	case words.Among(name, "eval assert"):
		return action{kind: evalCode}
	case "create_function":
		return action{}
	}
	return action{kind: runScript}
}
