import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { setTo } from '../parts/signals.ts';

/** Before the width of the page is known. */
const FIRST_WIDTH = 320;
export const HEIGHT = 260;
export const BOTTOM = 26;
export const TOP = 10;
/** Positions of the scale's numbers. */
export const GUTTER = 48;
const TICKS = 4;

/** A drawing as wide as its place, so that texts keep their size. */
export function useWidth() {
  const svg = useRef<SVGSVGElement>(null);
  const width = useSignal(FIRST_WIDTH);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setTo(width, Math.max(1, entry!.contentRect.width)));
    observer.observe(svg.current!);
    return () => observer.disconnect();
  }, [width]);
  return { svg, width: width.value };
}

/** Round numbers from `lowest` to above the highest value. */
export function scaleOf(values: readonly number[], lowest = 0) {
  const highest = Math.max(...values, lowest + 1e-6);
  const rough = (highest - lowest) / TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((each) => each >= rough)!;
  const first = Math.floor(lowest / step) * step;
  const count = Math.ceil((highest - first) / step);
  const all = Array.from({ length: count + 1 }, (_, at) => Number((first + at * step).toPrecision(12)));
  return { lowest: first, highest: all.at(-1)!, ticks: all.slice(1) };
}
