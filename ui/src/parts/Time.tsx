const zoned = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const short = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });

// The component Time shows a time in the reader's zone, and in UTC on hover.
export function Time({ at, long = false }: { at: string | undefined; long?: boolean }) {
  if (!at) return null;
  const date = new Date(at);
  return (
    <time dateTime={at} title={`${date.toISOString().slice(0, 19).replace("T", " ")} UTC`}>
      {(long ? zoned : short).format(date)}
    </time>
  );
}
