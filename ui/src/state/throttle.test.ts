import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { throttled } from "./throttle";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("many calls in a pause become one", async () => {
  const f = vi.fn(() => Promise.resolve());
  const one = throttled(f, 1000);
  for (let i = 0; i < 50; i++) one.call();
  expect(f).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(f).toHaveBeenCalledTimes(1);
});

test("calls during a request cause one more request, after its answer", async () => {
  let finish: () => void = () => undefined;
  const f = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  const one = throttled(f, 1000);
  one.call();
  await vi.advanceTimersByTimeAsync(1000);
  for (let i = 0; i < 20; i++) {
    one.call();
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(f).toHaveBeenCalledTimes(1);
  finish();
  await vi.advanceTimersByTimeAsync(1000);
  expect(f).toHaveBeenCalledTimes(2);
});

test("a request that fails does not stop the next one", async () => {
  const f = vi.fn(() => Promise.reject(new Error("no")));
  const one = throttled(f, 1000);
  one.call();
  await vi.advanceTimersByTimeAsync(1000);
  one.call();
  await vi.advanceTimersByTimeAsync(1000);
  expect(f).toHaveBeenCalledTimes(2);
});

test("nothing follows after cancel", async () => {
  const f = vi.fn(() => Promise.resolve());
  const one = throttled(f, 1000);
  one.call();
  one.cancel();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(f).not.toHaveBeenCalled();
});
