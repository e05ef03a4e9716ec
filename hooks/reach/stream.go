package reach

import "bytes"

// streamAnswer looks through an event stream and finds the first message that has a result or an error. It skips other
// messages, such as progress.
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

// joinLines adds a line to the data of an event. Usually there is only one line. In that case, joinLines does not copy
// the line.
func joinLines(data, line []byte) []byte {
	if data == nil {
		return line[:len(line):len(line)]
	}
	return append(append(data, '\n'), line...)
}
