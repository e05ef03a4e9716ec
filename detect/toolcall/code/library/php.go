package library

// php.go knows the functions of PHP that have effects or compute texts.

import "guardrails/detect/toolcall/words"

// phpAction returns what a PHP function does.
func phpAction(name string) Action {
	switch name {
	case words.Among(name, "system exec shell_exec passthru proc_open popen"):
		return Action{Kind: RunCommand}
	case "pcntl_exec":
		return Action{Kind: StartCommand}
	case "unserialize":
		return Action{Kind: LoadObjects}
	case words.Among(name, "eval assert create_function include require include_once require_once"):
		return phpEvalAction(name)
	case words.Among(name, "unlink rmdir"):
		return Action{Kind: RemoveFile}
	case "file_put_contents":
		return Action{Kind: SaveFile}
	case "fopen":
		return Action{Kind: OpenFile}
	case words.Among(name, "file_get_contents readfile file parse_ini_file show_source highlight_file"):
		return Action{Kind: ReadFile}
	case words.Among(name, "rename move_uploaded_file"):
		return Action{Kind: MovePath}
	case "copy":
		return Action{Kind: CopyPath}
	case words.Among(name, "symlink link"):
		return Action{Kind: LinkPath, Arg: 1}
	case words.Among(name, "touch mkdir tempnam"):
		return Action{Kind: WriteFile}
	case "chmod":
		return Action{Kind: ChangeMode}
	case words.Among(name, "chown chgrp"):
		return Action{Kind: ChangeOwner}
	}
	return phpRuntimeAction(name)
}

// phpRuntimeAction is the part of phpAction for functions that work with texts, processes or the network.
func phpRuntimeAction(name string) Action {
	switch name {
	case words.Among(name, "fwrite fputs"):
		return Action{Kind: WriteHandle}
	case words.Among(name, "fread fgets stream_get_contents"):
		return Action{Kind: ReturnFirst}
	case words.Among(name, "fsockopen pfsockopen stream_socket_client socket_connect"):
		return Action{Kind: ConnectTo}
	case words.Among(name, "echo print printf"):
		return Action{Kind: PrintText}
	case "curl_init":
		return Action{Kind: ReturnFirst}
	case "curl_exec":
		return Action{Kind: FetchURL}
	case "base64_decode":
		return Action{Kind: DecodeBase64}
	case "hex2bin":
		return Action{Kind: DecodeHex}
	case "str_rot13":
		return Action{Kind: DecodeRot13}
	case "strrev":
		return Action{Kind: ReverseOrder}
	case words.Among(name, "gzinflate gzuncompress gzdecode convert_uudecode urldecode"):
		return Action{Kind: DecodeOther}
	case "chr":
		return Action{Kind: DecodeCharCodes}
	case "glob":
		return Action{Kind: FindPaths}
	case words.Among(name, "scandir readdir"):
		return Action{Kind: ListFolder}
	case words.Among(name, "RecursiveDirectoryIterator DirectoryIterator FilesystemIterator"):
		return Action{Kind: ListPaths}
	case words.Among(name, "RecursiveIteratorIterator array_values array_filter iterator_to_array"):
		return Action{Kind: ReturnFirst}
	case words.Among(name, "array_rand array_pop array_shift current reset"):
		return Action{Kind: ChooseItem}
	case "array_push":
		return Action{Kind: GrowList}
	case "explode":
		return Action{Kind: SplitText}
	case "chdir":
		return Action{Kind: ChangeDir}
	case words.Among(name, "implode join"):
		return Action{Kind: JoinList}
	case "getenv":
		return Action{Kind: LookupEnv}
	case "getcwd":
		return Action{Kind: CurrentDir}
	case "sys_get_temp_dir":
		return Action{Kind: TempPath}
	case "posix_kill":
		return Action{Kind: KillProcess}
	case "pcntl_fork":
		return Action{Kind: ForkProcess}
	case "posix_setuid":
		return Action{Kind: SetUser}
	case words.Among(name, "trim strtolower escapeshellarg json_encode sprintf"):
		return Action{Kind: ReturnFirst}
	}
	return Action{}
}

// phpEvalAction returns what eval, assert, include and similar functions do. create_function is not analyzed.
func phpEvalAction(name string) Action {
	switch name {
	case words.Among(name, "eval assert"):
		return Action{Kind: EvalCode}
	case "create_function":
		return Action{}
	}
	return Action{Kind: RunScript}
}
