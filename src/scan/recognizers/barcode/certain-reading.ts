import type { Pixels } from '../../images/photo.ts';
import type { ProfileReader } from './profile-reader.ts';
import { scanLine } from './scan-line.ts';
import { SYMBOLS } from './symbols.ts';
import type { BarcodeReading } from './zxing-reader.ts';

/** Heights of the second reader's lines, as shares of the height found by the first one. */
const HEIGHTS = [0.5, 0.1, 0.9];
/** Minimum number of lines that agree. */
const LEAST_AGREEING = 2;
/** Minimum share of the brightness that a reading explains; misread numbers rarely explain half. */
const LEAST_FIT = 0.75;
/** Lines that the first reader needs in the original image if the second reader reads nothing. */
const LINES_WITHOUT = 12;

/** Confidence if both readers, only the second, or only the first read the number. */
const CONFIDENCE = { both: 0.99, second: 0.98, first: 0.97 };

export interface CertainReading {
  readonly digits: string;
  readonly confidence: number;
}

/**
 * Confirms or corrects a reading by a second reader. A check digit accepts one misreading in ten, and neighbouring
 * rows are misread alike, but a different method makes different mistakes. Undefined if the readers disagree. `image`
 * is the original image, also if `reading` is from an enhanced one.
 */
export function certainReading(
  image: Pixels,
  reading: BarcodeReading,
  profiles: ProfileReader,
): CertainReading | undefined {
  const { topLeft, topRight, bottomLeft, bottomRight } = reading.corners;
  const symbol = SYMBOLS.find(
    ({ format }) => format === (reading.format === 'UPCA' ? 'EAN13' : reading.format),
  )!;
  const counts = new Map<string, number>();
  for (const height of HEIGHTS) {
    const start = between(topLeft, bottomLeft, height);
    const end = between(topRight, bottomRight, height);
    const { brightness, from, to } = scanLine(image, start, end);
    if (to - from < 1) continue;
    const opinion = profiles.read(brightness, from, to, symbol);
    if (opinion === undefined || opinion.fit < LEAST_FIT) continue;
    const count = (counts.get(opinion.digits) ?? 0) + 1;
    counts.set(opinion.digits, count);
    if (count < LEAST_AGREEING) continue;
    const confidence =
      opinion.digits === reading.digits && reading.isValid ? CONFIDENCE.both : CONFIDENCE.second;
    return { digits: opinion.digits, confidence };
  }
  const isClear = reading.format !== 'UPCE' && reading.format !== 'EAN8' && reading.lines >= LINES_WITHOUT;
  if (!reading.isValid || !isClear || counts.size > 0) return undefined;
  return { digits: reading.digits, confidence: CONFIDENCE.first };
}

function between(a: { x: number; y: number }, b: { x: number; y: number }, share: number) {
  return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share };
}
