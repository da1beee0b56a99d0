import { useId } from 'preact/hooks';
import { dateOf } from '../days.ts';
import { numbers } from '../texts/texts.ts';
import { BOTTOM, GUTTER, HEIGHT, scaleOf, TOP, useWidth } from './chart-frame.ts';
import type { Point } from './series.ts';

interface BarChartProps {
  readonly points: readonly Point[];
  readonly kind: string;
  /** Says in words what is drawn. */
  readonly label: string;
  readonly format: (value: number) => string;
  /** Each point is a month. */
  readonly isMonths: boolean;
}

/** Pixels that a date needs. */
const LABEL_WIDTH = 56;
/** Share of a point's width that its bar takes. */
const BAR = 0.7;
const MAX_BAR = 64;

/** A bar for each known point, hatched where the true amount is higher, and a line at the goal. */
export function BarChart({ points, kind, label, format, isMonths }: BarChartProps) {
  const { svg, width: whole } = useWidth();
  const width = Math.max(1, whole - GUTTER);
  const pattern = useId();
  const { highest, ticks } = scaleOf(points.flatMap(({ value = 0, goal = 0 }) => [value, goal]));
  const yOf = (value: number) => HEIGHT - BOTTOM - (value / highest) * (HEIGHT - BOTTOM - TOP);
  const step = width / points.length;
  const bar = Math.min(step * BAR, MAX_BAR);
  const every = Math.ceil((points.length * LABEL_WIDTH) / width);
  const dateForm = isMonths
    ? ({ month: 'short' } as const)
    : points.length > 7
      ? ({ day: 'numeric', month: 'numeric' } as const)
      : ({ weekday: 'short' } as const);
  return (
    <svg ref={svg} class={`chart ${kind}`} viewBox={`0 0 ${whole} ${HEIGHT}`} role="img" aria-label={label}>
      <defs>
        <pattern
          id={pattern}
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect class="fill" width="3" height="6" />
        </pattern>
      </defs>
      {ticks.map((tick) => (
        <g key={tick}>
          <line class="base" x1="0" x2={width} y1={yOf(tick)} y2={yOf(tick)} />
          <text class="tick" x={whole} y={yOf(tick) + 4} text-anchor="end">
            {numbers.value.whole(tick)}
          </text>
        </g>
      ))}
      {points.map(({ day, value, isLow, goal }, at) => (
        <g key={day} transform={`translate(${at * step} 0)`}>
          {value !== undefined && (
            <rect
              class={isLow ? 'low' : 'fill'}
              {...(isLow && { fill: `url(#${pattern})` })}
              x={(step - bar) / 2}
              y={yOf(value)}
              width={bar}
              height={HEIGHT - BOTTOM - yOf(value)}
              rx={Math.min(4, bar / 6)}
            >
              <title>{`${dateOf(day, { day: 'numeric', month: 'short' })}: ${format(value)}`}</title>
            </rect>
          )}
          {goal !== undefined && <line class="goal" x1="0" x2={step} y1={yOf(goal)} y2={yOf(goal)} />}
          {at % every === 0 && (
            <text x={step / 2} y={HEIGHT - 6} text-anchor="middle">
              {dateOf(day, dateForm)}
            </text>
          )}
        </g>
      ))}
      <line class="base" x1="0" x2={width} y1={HEIGHT - BOTTOM} y2={HEIGHT - BOTTOM} />
    </svg>
  );
}
