/**
 * How well are receipts read? Draws those of ten shops that do not exist, photographs them with noise, blur, bend and fading, and compares
 * lines and proposed foods with what was printed. One half of layouts, products and photos was kept from the tuning. No photos of real
 * receipts are among them.
 *
 *     npm run bench -- receipts [--rounds 2] [--set kept] [--write DIR] [--show]
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openShippedFoods } from '../src/foods/starter/starter-foods.ts';
import { FoodDirectory } from '../src/foods/visible-foods.ts';
import { groundReceipt } from '../src/scan/analysis/grounding.ts';
import { foundFoods, type ScanFoods } from '../src/scan/analysis/scan-foods.ts';
import { boundImageDecoding } from '../src/scan/images/open-photo.ts';
import { TextReader } from '../src/scan/recognizers/label/text/text-reader.ts';
import { ReceiptRecognizer } from '../src/scan/recognizers/receipt/receipt-recognizer.ts';
import type { ReceiptProduct } from '../src/scan/scan-receipt.ts';
import { useTestFonts } from '../test/support/labels/use-test-fonts.ts';
import { RECEIPT_LAYOUTS } from '../test/support/receipts/layouts.ts';
import { photographReceipt, RECEIPT_SHOTS } from '../test/support/receipts/receipt-photo.ts';
import { drawReceipt, type ReceiptSet, type TrueLine } from '../test/support/receipts/receipts.ts';
import { openSample } from './support/open-sample.ts';
import { withFoods } from './support/parse-catalogue.ts';
import { percentile } from './support/search-figures.ts';
import { Random } from './support/search-random.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2' },
    set: { type: 'string' },
    write: { type: 'string' },
    show: { type: 'boolean', default: false },
  },
});

interface Tally {
  receipts: number;
  lines: number;
  /** Lines whose name is read but for two letters; of these with the right price, and the right quantity. */
  named: number;
  priced: number;
  counted: number;
  /** Lines that are none. */
  invented: number;
  /** Foods among the printed lines, proposals, and right ones. */
  foods: number;
  proposed: number;
  right: number;
  /** Proposals for what is no food or has a name that nobody knows. */
  wrongly: number;
  readonly confidences: { readonly confidence: number; readonly isRight: boolean }[];
  readonly ms: number[];
}

const MAX_SLIPS = 2;

boundImageDecoding();
useTestFonts();
const reader = await TextReader.open();
const recognizer = await ReceiptRecognizer.open(reader);
await withFoods([], async (catalogue) => {
  const foods = foundFoods({
    foods: new FoodDirectory({ catalogue: { current: catalogue } }),
    viewer: { tenant: 'bench' },
    shipped: openShippedFoods(),
  });
  for (const set of ['tuned', 'kept'] as const) {
    if (values.set === undefined || values.set === set) report(set, await measure(set, foods));
  }
});
await reader.close();

async function measure(set: ReceiptSet, foods: ScanFoods): Promise<Tally> {
  const random = new Random({ seed: 11 });
  const draw = () => random.below(1_000_000) / 1_000_000;
  const none = { receipts: 0, lines: 0, named: 0, priced: 0, counted: 0, invented: 0 };
  const tally: Tally = { ...none, foods: 0, proposed: 0, right: 0, wrongly: 0, confidences: [], ms: [] };
  for (const layout of RECEIPT_LAYOUTS.filter((each) => each.set === set)) {
    for (let round = 0; round < Number(values.rounds); round++) {
      const shot = RECEIPT_SHOTS[set][round % RECEIPT_SHOTS[set].length]!;
      const { rows, lines } = drawReceipt(layout, draw, 6 + (round % 3) * 3);
      const image = await photographReceipt(rows, shot, draw);
      if (values.write !== undefined) {
        await mkdir(values.write, { recursive: true });
        await writeFile(join(values.write, `${layout.name} ${round} ${shot.name}.jpg`), image);
      }
      const startedAtMs = performance.now();
      const { proposals } = await recognizer.recognize(await openSample(image), new AbortController().signal);
      const [proposal] = proposals;
      const read = proposal?.kind === 'receipt' ? (await groundReceipt(proposal, foods)).lines : [];
      tally.ms.push(performance.now() - startedAtMs);
      const slips = compare(tally, lines, read);
      if (values.show && slips.length > 0)
        console.log(`receipts: ${layout.name}, ${shot.name}: ${slips.join('; ')}`);
    }
  }
  return tally;
}

/** Counts what is right, and returns what is not. */
function compare(tally: Tally, lines: readonly TrueLine[], read: readonly ReceiptProduct[]): string[] {
  const slips: string[] = [];
  const rest = [...read];
  tally.receipts++;
  tally.lines += lines.length;
  for (const line of lines) {
    if (line.food !== undefined) tally.foods++;
    const at = rest.findIndex(({ text }) => distance(text, line.text) <= MAX_SLIPS);
    if (at < 0) {
      slips.push(`missed "${line.text}"`);
      continue;
    }
    const [found] = rest.splice(at, 1) as [ReceiptProduct];
    tally.named++;
    const { price, quantity, food } = found;
    if (price === line.price) tally.priced++;
    else slips.push(`"${line.text}" at ${price} for ${line.price}`);
    const isCounted =
      (quantity?.value ?? 1) === (line.quantity?.value ?? 1) && quantity?.unit === line.quantity?.unit;
    if (isCounted) tally.counted++;
    else slips.push(`"${line.text}" ${JSON.stringify(quantity)} for ${JSON.stringify(line.quantity)}`);
    if (food === undefined) {
      if (line.food !== undefined) slips.push(`no food for "${found.text}"`);
      continue;
    }
    tally.proposed++;
    const isRight = line.food?.test(food.name) === true;
    tally.confidences.push({ confidence: food.confidence, isRight });
    if (isRight) tally.right++;
    else {
      slips.push(`"${found.text}" is ${food.name} (${food.confidence})`);
      if (line.food === undefined) tally.wrongly++;
    }
  }
  tally.invented += rest.length;
  slips.push(...rest.map(({ text, price }) => `invented "${text}" at ${price}`));
  return slips;
}

function report(set: ReceiptSet, tally: Tally): void {
  const {
    receipts,
    lines,
    named,
    priced,
    counted,
    invented,
    foods,
    proposed,
    right,
    wrongly,
    confidences,
    ms,
  } = tally;
  const times = Float64Array.from(ms).sort();
  const sure = confidences.reduce((sum, { confidence }) => sum + confidence, 0) / confidences.length;
  console.log(
    `receipts: ${set}: ${receipts} receipts with ${lines} lines: ${share(named, lines)} found, ${share(priced, lines)} with their price, ` +
      `${share(counted, lines)} with their quantity, ${invented} invented; of ${foods} foods ${share(right, foods)} proposed rightly; of ${proposed} ` +
      `proposals ${share(right, proposed)} right at a mean confidence of ${sure.toFixed(2)}, ${wrongly} for what has no food; ` +
      `p50 ${percentile(times, 0.5).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms`,
  );
}

function share(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}

/** Letters to change, add or leave out. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same));
    }
    row = next;
  }
  return row[b.length]!;
}
