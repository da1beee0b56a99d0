import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Day, dateOf } from '../days.ts';

export interface Point {
  readonly day: Day;
  /** Undefined for a day of which nothing is known: it is left out, and never drawn as nothing. */
  readonly value: number | undefined;
}

interface BarChartProps {
  readonly points: readonly Point[];
  readonly goal?: number | undefined;
  readonly kind: string;
  /** Says in words what is drawn. */
  readonly label: string;
  readonly format: (value: number) => string;
}

/** Before the width of the page is known. */
const FIRST_WIDTH = 320;
/** Pixels that a date needs. */
const LABEL_WIDTH = 64;
const HEIGHT = 240;
const BOTTOM = 24;
/** Share of a day's width that its bar takes. */
const BAR = 0.72;

/** A bar for each day, and a line at the goal; as wide as its place, so that texts keep their size. */
export function BarChart({ points, goal, kind, label, format }: BarChartProps) {
  const svg = useRef<SVGSVGElement>(null);
  const width = useSignal(FIRST_WIDTH);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      width.value = entry!.contentRect.width;
    });
    observer.observe(svg.current!);
    return () => observer.disconnect();
  }, [width]);
  const highest = Math.max(goal ?? 0, ...points.map(({ value }) => value ?? 0), 1);
  const heightOf = (value: number) => (value / highest) * (HEIGHT - BOTTOM - 8);
  const step = width.value / points.length;
  const every = Math.ceil((points.length * LABEL_WIDTH) / width.value);
  return (
    <svg
      ref={svg}
      class={`chart ${kind}`}
      viewBox={`0 0 ${width.value} ${HEIGHT}`}
      role="img"
      aria-label={label}
    >
      {points.map(({ day, value }, at) => (
        <g key={day} transform={`translate(${at * step} 0)`}>
          {value !== undefined && (
            <rect
              class="fill"
              x={(step * (1 - BAR)) / 2}
              y={HEIGHT - BOTTOM - heightOf(value)}
              width={step * BAR}
              height={heightOf(value)}
              rx={Math.min(4, step / 6)}
            >
              <title>{`${dateOf(day, { day: 'numeric', month: 'short' })}: ${format(value)}`}</title>
            </rect>
          )}
          {(points.length - 1 - at) % every === 0 && (
            <text x={step} y={HEIGHT - 6} text-anchor="end">
              {dateOf(day, points.length > 7 ? { day: 'numeric', month: 'short' } : { weekday: 'short' })}
            </text>
          )}
        </g>
      ))}
      <line class="base" x1="0" x2={width.value} y1={HEIGHT - BOTTOM} y2={HEIGHT - BOTTOM} />
      {goal !== undefined && (
        <line
          class="goal"
          x1="0"
          x2={width.value}
          y1={HEIGHT - BOTTOM - heightOf(goal)}
          y2={HEIGHT - BOTTOM - heightOf(goal)}
        />
      )}
    </svg>
  );
}
