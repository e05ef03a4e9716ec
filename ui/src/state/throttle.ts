// throttled() returns two functions: call() runs f after a pause, and cancel() prevents this. More calls during the
// pause have no effect. If call() is called while f is running, f runs once more later, after another pause. So f never
// runs twice at the same time.
export function throttled(f: () => Promise<unknown>, pause: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAtWork = false;
  let isWanted = false;
  const start = () => {
    timer = undefined;
    isAtWork = true;
    isWanted = false;
    void f()
      .catch(() => undefined) // the screen that asked shows the error
      .then(() => {
        isAtWork = false;
        if (isWanted) timer = setTimeout(start, pause);
      });
  };
  return {
    call: () => {
      if (isAtWork) isWanted = true;
      else timer ??= setTimeout(start, pause);
    },
    cancel: () => {
      isWanted = false;
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
