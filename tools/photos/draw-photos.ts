/**
 * Draws the sample photos of `examples/photos`: a plate, a barcode and a label on a table, as from a phone.
 *
 *     node tools/photos/draw-photos.ts
 */
import { join } from 'node:path';
import sharp from 'sharp';
import { ean13Bars, QUIET_MODULES } from '../../test/support/barcode-bars.ts';
import { BLACK_ON_WHITE, labelSvg } from '../../test/support/labels/label-svg.ts';
import type { PrintedAmounts } from '../../test/support/labels/printed-facts.ts';
import { usVertical } from '../../test/support/labels/us-labels.ts';
import { useTestFonts } from '../../test/support/labels/use-test-fonts.ts';

const FOLDER = join(import.meta.dirname, '../../examples/photos');
const [WIDTH, HEIGHT] = [1280, 960];
const [MIDDLE_X, MIDDLE_Y] = [WIDTH / 2, HEIGHT / 2];
/** Grey levels of 256. */
const GRAIN = 9;
const JPEG_QUALITY = 84;
/** UPC-A 747599322198 of the shipped food "Chocolate squares". */
const DIGITS = '0747599322198';
const PER_SERVING: PrintedAmounts = {
  kcal: 230,
  kj: 962,
  fat: 8,
  saturatedFat: 1,
  carbohydrates: 37,
  sugars: 12,
  fiber: 4,
  protein: 3,
  salt: 0.4,
  sodium: 160,
  cholesterol: 0,
};

const DEFINITIONS = `<defs>
<linearGradient id="wood" x2="0" y2="1"><stop offset="0" stop-color="#8b5e3c"/><stop offset="1" stop-color="#6b4328"/></linearGradient>
<filter id="fibres" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency=".004 .09" numOctaves="4" seed="3"/><feColorMatrix values="0 0 0 0 .2  0 0 0 0 .1  0 0 0 0 .04  0 0 0 1.1 -.35"/></filter>
<filter id="shade" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="14"/></filter>
<filter id="shine" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="9"/></filter>
<radialGradient id="china" cx="45%" cy="38%"><stop offset="0" stop-color="#f4f2ec"/><stop offset=".72" stop-color="#eae6dd"/><stop offset=".78" stop-color="#d9d4c8"/><stop offset=".82" stop-color="#f7f5f0"/><stop offset="1" stop-color="#cfc9bb"/></radialGradient>
<radialGradient id="peel" cx="36%" cy="30%"><stop offset="0" stop-color="#ffc25a"/><stop offset=".35" stop-color="#fb9a1c"/><stop offset=".8" stop-color="#e2720a"/><stop offset="1" stop-color="#9a4303"/></radialGradient>
<filter id="pores" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency=".11" numOctaves="2" seed="8"/><feColorMatrix values="0 0 0 0 .45  0 0 0 0 .18  0 0 0 0 0  0 0 0 2.2 -1.25" result="dots"/><feComposite in="dots" in2="SourceAlpha" operator="in" result="pores"/><feMerge><feMergeNode in="SourceGraphic"/><feMergeNode in="pores"/></feMerge></filter>
<linearGradient id="carton" x2="1" y2="1"><stop offset="0" stop-color="#7b3f24"/><stop offset="1" stop-color="#4b2212"/></linearGradient>
</defs>`;

function plate(): string {
  return `<ellipse cx="658" cy="524" rx="428" ry="391" opacity=".45" filter="url(#shade)"/>
<ellipse cx="640" cy="490" rx="420" ry="391" fill="url(#china)"/>
<ellipse cx="666" cy="608" rx="204" ry="118" opacity=".45" filter="url(#shade)"/>
<ellipse cx="640" cy="490" rx="215" ry="207" fill="url(#peel)" filter="url(#pores)"/>
<path d="M640 318l-9-20 9 8 10-10 0 12 14-2-11 10 6 12-12-6-8 9z" fill="#4d6b2a"/>
<ellipse cx="564" cy="402" rx="42" ry="25" fill="#fff" opacity=".5" filter="url(#shine)"/>`;
}

function barcode(): string {
  const [moduleWidth, height] = [4, 210];
  const bars = [...ean13Bars(DIGITS)].map((bit, at) =>
    bit === '1'
      ? `<rect x="${(QUIET_MODULES + at) * moduleWidth}" y="24" width="${moduleWidth}" height="${height}"/>`
      : '',
  );
  const width = (bars.length + 2 * QUIET_MODULES) * moduleWidth;
  const digits = `<text x="${width / 2}" y="276" font-family="DejaVu Sans" font-size="34" letter-spacing="7" text-anchor="middle">${DIGITS.slice(1)}</text>`;
  return `<g transform="rotate(-6 640 480)"><rect x="262" y="192" width="790" height="620" rx="14" opacity=".5" filter="url(#shade)"/>
<rect x="245" y="165" width="790" height="620" rx="14" fill="url(#carton)"/>
<text x="640" y="290" font-family="DejaVu Sans" font-size="68" font-weight="700" fill="#f3d9a4" text-anchor="middle">Chocolate squares</text>
<text x="640" y="352" font-family="DejaVu Sans" font-size="30" fill="#e9c9a0" text-anchor="middle">Keep in a cool and dry place</text>
<g transform="translate(${640 - width / 2} 420)"><rect width="${width}" height="300" fill="#f6f4ef"/>${bars.join('')}${digits}</g></g>`;
}

function label(): string {
  const facts = { basis: 'g', servingAmount: 55, per100: PER_SERVING, perServing: PER_SERVING } as const;
  const drawing = usVertical(facts, 'new');
  const drawn = labelSvg(drawing, BLACK_ON_WHITE).toString();
  const scale = 850 / drawing.height;
  const width = drawing.width * scale;
  return `<g transform="rotate(3 640 480)"><rect x="${640 - width / 2 - 46}" y="30" width="${width + 120}" height="920" opacity=".5" filter="url(#shade)"/>
<rect x="${640 - width / 2 - 60}" y="14" width="${width + 120}" height="930" rx="10" fill="#c8d7b4"/>
<g transform="translate(${640 - width / 2} 55) scale(${scale})">${drawn}</g></g>`;
}

/** Light comes from the upper left; a sensor adds noise. */
async function photograph(name: string, things: string): Promise<void> {
  const table = `<rect width="100%" height="100%" fill="url(#wood)"/><rect width="100%" height="100%" filter="url(#fibres)"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${DEFINITIONS}${table}${things}</svg>`;
  const image = sharp(Buffer.from(svg)).flatten().removeAlpha().blur(0.8);
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  const random = numbersFrom(7);
  for (let at = 0; at < data.length; at += 3) {
    const [x, y] = [(at / 3) % WIDTH, Math.floor(at / 3 / WIDTH)];
    const edge = ((x - MIDDLE_X) / MIDDLE_X) ** 2 + ((y - MIDDLE_Y) / MIDDLE_Y) ** 2;
    const light = 1.06 - 0.15 * (x / WIDTH + y / HEIGHT) - 0.09 * edge;
    const grain = GRAIN * (random() + random() - 1);
    for (let channel = at; channel < at + 3; channel++)
      data[channel] = Math.max(0, Math.min(255, data[channel]! * light + grain));
  }
  await sharp(data, { raw: info }).jpeg({ quality: JPEG_QUALITY }).toFile(join(FOLDER, name));
}

/** Yields the same numbers from 0 to 1 each time, so that the photos do not change. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

useTestFonts();
await photograph('plate.jpg', plate());
await photograph('barcode.jpg', barcode());
await photograph('label.jpg', label());
