import type { Pixels } from '../../photo.ts';
import type { BarcodeReading } from './barcode-reader.ts';
import type { ProfileReader } from './profile-reader.ts';
import { scanLine } from './scan-line.ts';
import { SYMBOLS } from './symbols.ts';

/** Where the second reader looks, as shares of the height that the first one saw. */
const HEIGHTS = [0.5, 0.1, 0.9];
/** Lines that have to say the same. */
const LEAST_AGREEING = 2;
/** Share of the brightness that a reading has to explain; what is misread rarely explains half. */
const LEAST_FIT = 0.75;
/** Lines of the original image that a first reading needs where the second reader makes nothing of them. */
const LINES_WITHOUT = 12;

/** How sure a number is that both readers read, or that the second one read, or that the first one alone did. */
const CONFIDENCE = { both: 0.99, second: 0.98, first: 0.97 };

export interface CertainReading {
  readonly digits: string;
  readonly confidence: number;
}

/**
 * What bars say on which one reader said something. A check digit lets one misreading in ten pass, and neighbouring rows
 * are misread alike; a reader that works in another way does not make the same mistakes. Undefined where they disagree.
 * `image` is the image as it was, whatever was done to it for `reading`.
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
