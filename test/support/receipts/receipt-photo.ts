import sharp from 'sharp';
import { photograph, type Shot } from '../labels/photograph.ts';

/** How a receipt is printed and photographed. */
export interface ReceiptShot extends Shot {
  readonly name: string;
  /** Grey level of the ink: thermal paper fades. */
  readonly ink: number;
  readonly paper: string;
  readonly bold?: boolean;
  /** Widths of letters, 1 for those of the font. */
  readonly stretch?: number;
  /** Dots of the printer for each row; few make letters coarse. */
  readonly dots?: number;
}

/** Looked at while the reading was written, and not. */
export const RECEIPT_SHOTS: Readonly<Record<'tuned' | 'kept', readonly ReceiptShot[]>> = {
  tuned: [
    { name: 'plain', ink: 30, paper: '#fbfbf8', noise: 4 },
    { name: 'turned, coarse', ink: 50, paper: '#f4f1ea', turnDegrees: 4, dots: 24, noise: 8, blur: 0.7 },
    {
      name: 'bent, narrow',
      ink: 60,
      paper: '#fdfdfd',
      curve: 0.012,
      perspective: 0.12,
      stretch: 0.85,
      noise: 6,
    },
  ],
  kept: [
    { name: 'faded', ink: 120, paper: '#f0eee6', noise: 7, blur: 0.8, turnDegrees: -2 },
    { name: 'creased', ink: 50, paper: '#f7f7f2', crumple: 0.0025, bold: true, noise: 8, turnDegrees: 2 },
    {
      name: 'upside down, glare',
      ink: 40,
      paper: '#ffffff',
      turnDegrees: 182,
      glare: 0.5,
      dots: 26,
      quality: 70,
    },
  ],
};

const ROW_PX = 34;
const LETTER_PX = 16.9;
const EDGE_PX = 40;

/** A JPEG of a receipt with these rows. */
export async function photographReceipt(
  rows: readonly string[],
  { ink, paper, bold = false, stretch = 1, dots, ...shot }: ReceiptShot,
  random: () => number,
): Promise<Buffer> {
  const columns = Math.max(...rows.map(({ length }) => length));
  const width = Math.round(columns * LETTER_PX * stretch) + 2 * EDGE_PX;
  const height = rows.length * ROW_PX + 2 * EDGE_PX;
  const texts = rows.map((row, at) => {
    const y = EDGE_PX + (at + 0.75) * ROW_PX;
    return `<text transform="translate(${EDGE_PX} ${y}) scale(${stretch} 1)" xml:space="preserve">${escaped(row)}</text>`;
  });
  const svg = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${paper}"/>` +
      `<g font-family="DejaVu Sans Mono" font-size="28" font-weight="${bold ? 700 : 400}" fill="rgb(${ink},${ink},${ink})">${texts.join('')}</g></svg>`,
  );
  return photograph(dots === undefined ? svg : await coarse(svg, { width, height }, dots), shot, random);
}

/** As a printer with so many dots for each row prints it. */
async function coarse(
  svg: Buffer,
  { width, height }: { width: number; height: number },
  dots: number,
): Promise<Buffer> {
  const small = await sharp(svg)
    .resize({ width: Math.round((width * dots) / ROW_PX) })
    .png()
    .toBuffer();
  return sharp(small).resize({ width, height, kernel: 'nearest', fit: 'fill' }).png().toBuffer();
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
