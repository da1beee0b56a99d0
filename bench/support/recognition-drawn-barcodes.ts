import { checkDigit, expandUpcE, toGtin } from '@larder/core/gtin.ts';
import type { BarcodeRecognizer } from '../../src/scan/recognizers/barcode/barcode-recognizer.ts';
import { ean8Bars, ean13Bars, itfBars, QUIET_MODULES, upcEBars } from '../../test/support/barcode-bars.ts';
import { photograph, type Shot } from '../../test/support/labels/photograph.ts';
import { openSample } from './open-sample.ts';
import { Random } from './search-random.ts';

const HEIGHT_MODULES = 40;
const never = new AbortController().signal;

interface Symbol {
  readonly name: string;
  readonly isLightOnDark?: boolean;
  /** Returns the printed bars and the number that they encode. */
  draw(random: Random): { readonly bars: string; readonly digits: string };
}

const SYMBOLS: readonly Symbol[] = [
  {
    name: 'EAN-13',
    draw: (random) => {
      const digits = checked(numeral(random, 12));
      return { bars: ean13Bars(digits), digits };
    },
  },
  {
    name: 'UPC-A',
    draw: (random) => {
      const digits = checked(`0${numeral(random, 11)}`);
      return { bars: ean13Bars(digits), digits };
    },
  },
  {
    name: 'EAN-8',
    draw: (random) => {
      const digits = checked(numeral(random, 7));
      return { bars: ean8Bars(digits), digits };
    },
  },
  {
    name: 'UPC-E',
    draw: (random) => {
      const short = `0${numeral(random, 6)}`;
      // The check digit is that of the number that it abbreviates.
      const whole = Array.from({ length: 10 }, (_, digit) => expandUpcE(`${short}${digit}`)).find(
        (each) => each !== undefined,
      )!;
      return { bars: upcEBars(`${short}${whole.at(-1)}`), digits: whole };
    },
  },
];

const FURTHER_SYMBOLS: readonly Symbol[] = [
  {
    name: 'ITF-14',
    draw: (random) => {
      const digits = checked(`1${numeral(random, 12)}`);
      return { bars: itfBars(digits), digits };
    },
  },
  { ...SYMBOLS[0]!, name: 'EAN-13 light on dark', isLightOnDark: true },
];

/**
 * Drawn barcodes of every kind, in equal numbers, from well photographed to illegible. Wrong readings matter
 * more than missing ones.
 */
export async function benchDrawnBarcodes(recognizer: BarcodeRecognizer, count: number): Promise<void> {
  await benchSymbols(recognizer, SYMBOLS, count);
  await benchSymbols(recognizer, FURTHER_SYMBOLS, count / 2);
}

async function benchSymbols(
  recognizer: BarcodeRecognizer,
  symbols: readonly Symbol[],
  count: number,
): Promise<void> {
  const random = new Random({ seed: 11 });
  const tallies = symbols.map(({ name }) => ({ name, photos: 0, read: 0, misread: 0 }));
  for (let at = 0; at < count; at++) {
    const symbol = symbols[at % symbols.length]!;
    const tally = tallies[at % symbols.length]!;
    const { bars, digits } = symbol.draw(random);
    const bytes = await photograph(toSvg(bars, symbol.isLightOnDark), drawShot(random, at / count), () =>
      random.next(),
    );
    const { proposals } = await recognizer.recognize(await openSample(bytes), never);
    const found = proposals.flatMap((proposal) => ('digits' in proposal ? [toGtin(proposal.digits)] : []));
    tally.photos++;
    tally.read += Number(found.includes(toGtin(digits)));
    for (const wrong of found.filter((each) => each !== toGtin(digits))) {
      tally.misread++;
      console.log(`barcodes: a drawn ${symbol.name} of ${digits} misread as ${wrong}`);
    }
  }
  console.log(
    `barcodes: drawn, from clear to hopeless: ${tallies.map(({ name, photos, read, misread }) => `${name} ${read} of ${photos}, ${misread} misread`).join('; ')}`,
  );
}

/** Later photos are worse: small, blurred, grainy, bent and rotated. */
function drawShot(random: Random, badness: number): Shot {
  const upTo = (most: number) => most * badness * random.next();
  return {
    fills: 0.85 - 0.75 * badness * random.next(),
    blur: upTo(6),
    noise: upTo(60),
    perspective: upTo(0.4),
    curve: upTo(0.15),
    turnDegrees: (random.next() - 0.5) * 180 * badness,
    quality: Math.round(90 - upTo(60)),
  };
}

function toSvg(bars: string, isLightOnDark = false): Buffer {
  const [paper, ink] = isLightOnDark ? ['black', 'white'] : ['white', 'black'];
  const width = bars.length + 2 * QUIET_MODULES;
  const rects = [...bars].map((bit, at) =>
    bit === '1'
      ? `<rect x="${QUIET_MODULES + at}" y="4" width="1" height="${HEIGHT_MODULES}" fill="${ink}"/>`
      : '',
  );
  const height = HEIGHT_MODULES + 8;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width * 8}" height="${height * 8}">` +
      `<rect width="${width}" height="${height}" fill="${paper}"/>${rects.join('')}</svg>`,
  );
}

function numeral(random: Random, length: number): string {
  return Array.from({ length }, () => random.below(10)).join('');
}

function checked(digits: string): string {
  return digits + checkDigit(digits);
}
