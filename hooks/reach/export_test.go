package reach

import "time"

// Post sends a JSON body to the server on a socket and waits for the answer until the deadline. It does not check which
// program listens on the socket.
func Post(socket, path string, body []byte, deadline time.Time, limit int) ([]byte, error) {
	x := exchange{
		socket: socket, path: path, accept: typeJSON, limit: limit,
		left: func() time.Duration { return time.Until(deadline) },
	}
	_, answer, err := x.post(body)
	return answer, err
}
