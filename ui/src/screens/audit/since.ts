const minute = 60_000;
const spans = { now: 15 * minute, hour: 60 * minute, day: 24 * 60 * minute, week: 7 * 24 * 60 * minute };

// sinceTime returns the time at which a period, such as the last hour, began. It rounds to the minute, so that the
// query stays the same for a minute.
export function sinceTime(since: keyof typeof spans, now = Date.now()): string {
  return new Date(Math.floor((now - spans[since]) / minute) * minute).toISOString();
}

// localOf converts a time of an address into the value of a datetime-local field: the reader's local time, without a
// zone.
export function localOf(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * minute).toISOString().slice(0, 16);
}
