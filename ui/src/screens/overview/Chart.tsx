import type { Summary } from "../../api/shapes";
import { decisions, wordOf } from "../../model/outcome";
import css from "./Overview.module.css";

const height = 120;
const width = 20;
const gap = 4;
const order = [...decisions].reverse(); // denials are at the bottom of a bar

// The component Chart shows the decisions of each hour or day as stacked bars. A table for screen readers has the same
// numbers.
export function Chart({ buckets }: { buckets: Summary["buckets"] }) {
  const sums = buckets.map((b) => decisions.reduce((sum, tone) => sum + (b.results[tone] ?? 0), 0));
  const most = Math.max(1, ...sums);
  return (
    <figure className={css.chart}>
      <svg viewBox={`0 0 ${buckets.length * (width + gap)} ${height + 18}`} aria-hidden="true">
        <line x1="0" x2={buckets.length * (width + gap)} y1={height + 0.5} y2={height + 0.5} className={css.axis} />
        {buckets.map((bucket, i) => (
          <g key={bucket.start} transform={`translate(${i * (width + gap)} 0)`}>
            <title>{`${hourOf(bucket.start)}: ${words(bucket.results)}`}</title>
            {bars(bucket.results, most).map((bar) => (
              <rect key={bar.tone} className={css.bar} data-tone={bar.tone} x="0" y={bar.y} width={width} height={bar.h} />
            ))}
            {i % 3 === 0 && (
              <text x={i > buckets.length - 3 ? width : 0} textAnchor={i > buckets.length - 3 ? "end" : "start"} y={height + 14} className={css.label}>
                {hourOf(bucket.start)}
              </text>
            )}
          </g>
        ))}
      </svg>
      <div className="hidden">
        <table>
          <caption>Decisions by hour</caption>
          <tbody>
            {buckets.map((bucket) => (
              <tr key={bucket.start}>
                <th scope="row">{hourOf(bucket.start)}</th>
                <td>{words(bucket.results)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

function bars(results: Record<string, number>, most: number) {
  let y = height;
  return order
    .filter((tone) => results[tone])
    .map((tone) => {
      const h = Math.max(2, ((results[tone] ?? 0) / most) * height);
      y -= h;
      return { tone, y, h };
    });
}

const words = (results: Record<string, number>) => order.map((tone) => `${results[tone] ?? 0} ${wordOf(tone)}`).join(", ");

const hourOf = (start: string) => new Date(start).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", hour12: false });
