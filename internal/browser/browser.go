// Package browser opens an address in the user's browser without showing the address to other users or programs.
package browser

import (
	"errors"
	"html"
	"os/exec"
	"runtime"

	"guardrails/internal/private"
)

// The constant "file" is the name of a file with a web page that sends the browser to the address. Only the user can
// read this file. The browser is started with the path of the file. The browser is not started with the address,
// because every user of the computer can read the arguments of a process.
const file = "page.html"

// Show makes the browser open an address. The function start() must start the browser with the path of a file.
func Show(dir *private.Dir, address string, start func(path string) error) error {
	quoted := html.EscapeString(address)
	text := `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>guardrails</title>` +
		`<meta http-equiv="refresh" content="0;url=` + quoted + `"><a href="` + quoted + `">Open the page of guardrails</a>` + "\n"
	if err := dir.Write(file, []byte(text)); err != nil {
		return err
	}
	if err := start(dir.Path(file)); err != nil {
		_, removing := dir.Remove(file)
		return errors.Join(err, removing)
	}
	return nil
}

// Starter returns a function that starts the browser with a file. The parameter "env" is the environment of the user.
func Starter(env func(string) string) func(path string) error {
	return func(path string) error {
		name, args, err := opener(runtime.GOOS, env)
		if err != nil {
			return err
		}
		// The browser may run for longer than this program.
		c := exec.Command(name, append(args, path)...)
		if err := c.Start(); err != nil {
			return err
		}
		return c.Process.Release()
	}
}

var errNoScreen = errors.New("there is no screen on which a browser could open (neither DISPLAY nor WAYLAND_DISPLAY is set)")

// opener() returns the program that opens a file in the browser.
func opener(system string, env func(string) string) (name string, args []string, err error) {
	switch {
	case system == "darwin":
		return "open", nil, nil
	case system == "windows":
		return "rundll32", []string{"url.dll,FileProtocolHandler"}, nil
	case env("DISPLAY") == "" && env("WAYLAND_DISPLAY") == "":
		return "", nil, errNoScreen
	}
	return "xdg-open", nil, nil
}
