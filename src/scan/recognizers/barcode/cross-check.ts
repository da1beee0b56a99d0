import type { Pixels } from '../../images/photo.ts';
import type { ProfileReader } from './profile-reader.ts';
import { scanLine } from './scan-line.ts';
import { SYMBOLS } from './symbols.ts';
import type { BarcodeReading } from './zxing-reader.ts';

/** Heights of the second reader's lines, as shares of the height that the first one saw. */
const HEIGHTS = [0.5, 0.1, 0.9];
/** Lines that have to agree. */
const LEAST_AGREEING = 2;
/** Share of the brightness that a reading has to explain; what is misread rarely explains half. */
const LEAST_FIT = 0.75;
/** Lines that the first reader needs, in the original image, where the second reader can read nothing. */
const LINES_WITHOUT = 12;

/** Confidence in a number that both readers read, that the second one read, or that only the first one read. */
const CONFIDENCE = { both: 0.99, second: 0.98, first: 0.97 };

export interface CertainReading {
  readonly digits: string;
  readonly confidence: number;
}

/**
 * Has a second reader confirm or correct a reading. A check digit lets one misreading in ten pass, and neighbouring rows
 * are misread alike, but a reader that works in another way makes other mistakes. Undefined where the two disagree.
 * `image` is the original image, also where `reading` is of an enhanced one.
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
