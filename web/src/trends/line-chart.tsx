import { type Day, dateOf } from '../days.ts';
import { numbers } from '../texts/texts.ts';
import { BOTTOM, GUTTER, HEIGHT, scaleOf, TOP, useWidth } from './chart-frame.ts';
import type { DayValue } from './weight-average.ts';

interface LineChartProps {
  /** What was measured, ascending. */
  readonly points: readonly DayValue[];
  /** The line through it, on the same days. */
  readonly trend: readonly DayValue[];
  /** A value that is aimed at. */
  readonly target?: number | undefined;
  readonly label: string;
  readonly format: (value: number) => string;
}

const DAY_MS = 86_400_000;
/** Share of the range that stays free above and below. */
const MARGIN = 0.25;
const MIN_SPAN = 1;
const SIDE = 8;

/** Measured points over time and their trend as a line; the scale begins near the lowest one. */
export function LineChart({ points, trend, target, label, format }: LineChartProps) {
  const { svg, width: whole } = useWidth();
  const width = Math.max(1, whole - GUTTER);
  const values = [...points, ...trend].map(({ value }) => value).concat(target ?? []);
  const span = Math.max(Math.max(...values) - Math.min(...values), MIN_SPAN);
  const { lowest, highest, ticks } = scaleOf(
    values.map((value) => value + span * MARGIN),
    Math.min(...values) - span * MARGIN,
  );
  const yOf = (value: number) =>
    HEIGHT - BOTTOM - ((value - lowest) / (highest - lowest)) * (HEIGHT - BOTTOM - TOP);
  const first = Date.parse(points[0]!.day);
  const days = Math.max(1, (Date.parse(points.at(-1)!.day) - first) / DAY_MS);
  const xOf = (day: Day) => SIDE + ((Date.parse(day) - first) / DAY_MS / days) * (width - 2 * SIDE);
  const form = { day: 'numeric', month: 'short' } as const;
  return (
    <svg ref={svg} class="chart energy" viewBox={`0 0 ${whole} ${HEIGHT}`} role="img" aria-label={label}>
      {ticks.map((tick) => (
        <g key={tick}>
          <line class="base" x1="0" x2={width} y1={yOf(tick)} y2={yOf(tick)} />
          <text class="tick" x={whole} y={yOf(tick) + 4} text-anchor="end">
            {numbers.value.precise(tick)}
          </text>
        </g>
      ))}
      {target !== undefined && <line class="target" x1="0" x2={width} y1={yOf(target)} y2={yOf(target)} />}
      <polyline class="line" points={trend.map(({ day, value }) => `${xOf(day)},${yOf(value)}`).join(' ')} />
      {points.map(({ day, value }, at) => (
        <circle key={`${at} ${day}`} class="measured" cx={xOf(day)} cy={yOf(value)} r="3">
          <title>{`${dateOf(day, form)}: ${format(value)}`}</title>
        </circle>
      ))}
      <line class="base" x1="0" x2={width} y1={HEIGHT - BOTTOM} y2={HEIGHT - BOTTOM} />
      <text x={SIDE} y={HEIGHT - 6}>
        {dateOf(points[0]!.day, form)}
      </text>
      {points.length > 1 && (
        <text x={width - SIDE} y={HEIGHT - 6} text-anchor="end">
          {dateOf(points.at(-1)!.day, form)}
        </text>
      )}
    </svg>
  );
}
