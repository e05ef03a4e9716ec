// All tabs share one stream of events, because a browser opens at most six connections to a server. One tab opens the
// stream and passes its messages on to the other tabs. If that tab closes, another tab takes over. In a browser without
// the Web Locks API, each tab has its own stream.

export const streamed = ["ready", "guideline_changed", "guidelines_imported", "guidelines_reread", "gap", "decision_made"] as const;
export type Streamed = (typeof streamed)[number];

// lost: the stream has been interrupted for some time. refused: the server does not give a stream, for example because
// the session has ended.
export type Message = Streamed | "lost" | "refused" | "who";

const channelName = "guardrails.events";
const patience = 5000; // the server ends each stream after some minutes, and the browser opens the next one
const again = 5000;

// The function "follow" calls tell() for each message, until the returned function is called.
export function follow(tell: (message: Message) => void): () => void {
  const channel = new BroadcastChannel(channelName);
  const ended = new AbortController();
  channel.onmessage = (event: MessageEvent<Message>) => tell(event.data);
  const lead = () => {
    const say = (message: Message) => {
      tell(message);
      channel.postMessage(message);
    };
    const close = open(say, (answer) => {
      channel.onmessage = (event: MessageEvent<Message>) => event.data === "who" && answer();
    });
    return new Promise<void>((resolve) => ended.signal.addEventListener("abort", () => resolve(close())));
  };
  channel.postMessage("who"); // a new tab asks for the state
  if ("locks" in navigator) void navigator.locks.request(channelName, { signal: ended.signal }, lead).catch(() => undefined);
  else void lead();
  return () => {
    ended.abort();
    channel.close();
  };
}

// The function "open" opens the stream, and opens the stream again whenever the server refuses it. It returns a
// function that closes the stream.
function open(say: (message: Message) => void, onQuestion: (answer: () => void) => void): () => void {
  let stream: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let state: Message = "ready";
  const become = (next: Message) => {
    state = next;
    say(next);
  };
  const begin = () => {
    stream = new EventSource("/api/guardrails/events");
    let isNew = true;
    for (const name of streamed) {
      stream.addEventListener(name, () => {
        if (name !== "ready") return say(name);
        clearTimeout(timer);
        timer = undefined;
        become("ready");
        // A new stream does not report earlier changes, so tell the tabs that events may be missing. If the browser
        // itself reconnects the stream, the stream continues after the last event.
        if (isNew) say("gap");
        isNew = false;
      });
    }
    stream.onerror = () => {
      if (stream.readyState === EventSource.CLOSED) {
        clearTimeout(timer);
        become("refused");
        timer = setTimeout(begin, again);
      } else {
        timer ??= setTimeout(() => become("lost"), patience);
      }
    };
  };
  onQuestion(() => say(state));
  begin();
  return () => {
    clearTimeout(timer);
    stream.close();
  };
}
