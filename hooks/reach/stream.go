package reach

import "bytes"

// streamAnswer takes the answer out of an event stream: it is the first message that is a result or an error. Others,
// such as news of progress, may come before it.
func streamAnswer(stream []byte) ([]byte, error) {
	var data []byte
	for len(stream) > 0 {
		var line []byte
		line, stream, _ = bytes.Cut(stream, []byte("\n"))
		line = bytes.TrimSuffix(line, []byte("\r"))
		if value, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			data = joinLines(data, bytes.TrimPrefix(value, []byte(" ")))
		}
		if len(line) > 0 || data == nil {
			continue
		}
		if answer, found, err := callAnswer(data); found || err != nil {
			return answer, err
		}
		data = nil
	}
	return nil, badAnswer("is an event stream without a result")
}

// joinLines adds a line of an event to those before it; a single one, as it is everywhere, is not copied.
func joinLines(data, line []byte) []byte {
	if data == nil {
		return line[:len(line):len(line)]
	}
	return append(append(data, '\n'), line...)
}
