/** Text on a label: `x` is its left, middle or right end, `y` its baseline, in pixels. */
export interface Print {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size?: number;
  readonly bold?: boolean;
  readonly anchor?: 'start' | 'middle' | 'end';
}

export interface LabelDrawing {
  readonly width: number;
  readonly height: number;
  readonly prints: readonly Print[];
  /** Horizontal lines: y and thickness. */
  readonly rules: readonly { readonly y: number; readonly thickness: number }[];
}

export interface Colours {
  readonly ink: string;
  readonly paper: string;
  /** Family and stretch of the letters. */
  readonly font?: string;
}

export const BLACK_ON_WHITE: Colours = { ink: '#111', paper: '#fff' };
const FONT = 'font-family="DejaVu Sans" font-stretch="condensed"';
const SIZE = 22;
const EDGE = 16;

/** An image of the label as SVG, with paper around it. */
export function labelSvg(
  { width, height, prints, rules }: LabelDrawing,
  { ink, paper, font = FONT }: Colours,
): Buffer {
  const texts = prints.map(
    ({ text, x, y, size = SIZE, bold = false, anchor = 'start' }) =>
      `<text x="${x}" y="${y}" ${font} font-size="${size}" font-weight="${bold ? 700 : 400}" text-anchor="${anchor}" fill="${ink}">${escapeXml(text)}</text>`,
  );
  const lines = rules.map(
    ({ y, thickness }) =>
      `<rect x="${EDGE}" y="${y}" width="${width - 2 * EDGE}" height="${thickness}" fill="${ink}"/>`,
  );
  const frame = `<rect x="${EDGE / 2}" y="${EDGE / 2}" width="${width - EDGE}" height="${height - EDGE}" fill="none" stroke="${ink}" stroke-width="2"/>`;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${paper}"/>${frame}${lines.join('')}${texts.join('')}</svg>`,
  );
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
