import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NutrientKey, Nutrients } from '@larder/core/nutrients.ts';
import { expectedKcal } from '../../src/foods/import/normalise/energy.ts';
import type { LabelProposal } from '../../src/scan/recognizer.ts';
import { LabelRecognizer } from '../../src/scan/recognizers/label/label-recognizer.ts';
import { readLabel } from '../../src/scan/recognizers/label/read-label.ts';
import { NutrientWords } from '../../src/scan/recognizers/label/words/nutrient-words.ts';
import { LABEL_LAYOUTS, type LabelLayout } from '../../test/support/labels/label-layouts.ts';
import { labelSvg } from '../../test/support/labels/label-svg.ts';
import { photograph } from '../../test/support/labels/photograph.ts';
import { drawFacts, type PrintedFacts } from '../../test/support/labels/printed-facts.ts';
import { useTestFonts } from '../../test/support/labels/use-test-fonts.ts';
import { openSample } from './open-sample.ts';
import { percentile } from './search-figures.ts';
import { Random } from './search-random.ts';
import { TesseractReader } from './tesseract-reader.ts';

const KEYS = [
  'energy',
  'fat',
  'saturatedFat',
  'carbohydrates',
  'sugars',
  'fiber',
  'protein',
  'sodium',
] as const;
/**
 * Results of general factors differ from the printed energy by rounding and fibre; this is a matter of
 * accepting, not of reading.
 */
const CONSISTENT = { share: 0.2, kcal: 25 };
const GOAL = '95 % right, none inconsistent';

type Facts = Pick<LabelProposal, 'per100'>;
/** The contents of a label, or why nothing is proposed. */
type Reader = (image: Buffer) => Promise<Facts | string>;

interface Tally {
  readonly name: string;
  readonly read: Reader;
  readonly ms: number[];
  right: number;
  values: number;
  accepted: number;
  labels: number;
  withWrongValue: number;
  inconsistent: number;
}

export interface LabelBench {
  /** Images of each layout. */
  readonly rounds: number;
  /** Only this layout. */
  readonly layout?: string | undefined;
  /** Folder for the images. */
  readonly write?: string | undefined;
  /** Another reader: `tesseract`. */
  readonly against?: string | undefined;
  /**
   * Folder of further photos to be read; the result is printed without a comparison, since the true values
   * are unknown.
   */
  readonly photos?: string | undefined;
}

/** Draws labels, photographs them, reads them, and prints the figures. */
export async function benchLabels({
  rounds,
  layout: only,
  write,
  against,
  photos,
}: LabelBench): Promise<void> {
  useTestFonts();
  const random = new Random({ seed: 7 });
  const draw = () => random.below(1_000_000) / 1_000_000;
  const recognizer = await LabelRecognizer.open();
  const tallies = [tallyOf('PaddleOCR', (image) => readOurs(recognizer, image))];
  const tesseract = against === 'tesseract' ? await TesseractReader.open() : undefined;
  const words = await NutrientWords.open();
  if (tesseract !== undefined) {
    tallies.push(
      tallyOf('Tesseract', async (image) => orRefusal(readLabel(await tesseract.read(image), words))),
    );
  }
  for (const layout of LABEL_LAYOUTS.filter(({ name }) => only === undefined || name === only)) {
    const slips = tallies.map((): string[] => []);
    for (let round = 0; round < rounds; round++) {
      const facts = drawFacts(draw, layout.step);
      const image = await photograph(labelSvg(layout.draw(facts), layout.colours), layout.shot, draw);
      if (write !== undefined) await keep(write, `${layout.name} ${round}.jpg`, image);
      for (const [index, tally] of tallies.entries()) {
        slips[index]!.push(...(await measure(tally, image, facts, layout)));
      }
    }
    for (const [index, { name }] of tallies.entries()) {
      if (slips[index]!.length > 0)
        console.log(`labels: ${layout.name}, ${name}: ${slips[index]!.join('; ')}`);
    }
  }
  for (const tally of tallies) report(tally);
  if (photos !== undefined) await readPhotos(photos, tallies);
  await Promise.all([recognizer.close(), tesseract?.close()]);
}

function tallyOf(name: string, read: Reader): Tally {
  const none = { right: 0, values: 0, accepted: 0, labels: 0, withWrongValue: 0, inconsistent: 0 };
  return { name, read, ms: [], ...none };
}

async function readOurs(recognizer: LabelRecognizer, image: Buffer): Promise<Facts | string> {
  const photo = await openSample(image);
  const { proposals, details } = await recognizer.recognize(photo, new AbortController().signal);
  const proposal = proposals[0];
  if (proposal?.kind === 'serving_label') return `per serving: ${JSON.stringify(proposal.perServing)}`;
  return proposal?.kind === 'label'
    ? proposal
    : [details?.['refused'] ?? 'no text', details?.['unread'] ?? []].flat().join(' ');
}

function orRefusal(read: ReturnType<typeof readLabel>): Facts | string {
  if ('perServing' in read) return `per serving: ${JSON.stringify(read.perServing)}`;
  return 'refused' in read ? read.refused : read;
}

/** Returns the errors. */
async function measure(
  tally: Tally,
  image: Buffer,
  facts: PrintedFacts,
  layout: LabelLayout,
): Promise<string[]> {
  const startedAtMs = performance.now();
  const read = await tally.read(image);
  tally.ms.push(performance.now() - startedAtMs);
  tally.labels++;
  tally.values += KEYS.length;
  if (typeof read === 'string') return [read];
  tally.accepted++;
  if (!isConsistent(read.per100)) tally.inconsistent++;
  const wrong = KEYS.filter((key) => !isRight(key, read, facts, layout));
  tally.right += KEYS.length - wrong.length;
  if (wrong.length > 0) tally.withWrongValue++;
  return wrong.map((key) => `${key} ${read.per100[key]} for ${printed(facts, layout, key)}`);
}

function report({ name, right, values, accepted, labels, withWrongValue, inconsistent, ms }: Tally): void {
  const times = Float64Array.from(ms).sort();
  console.log(
    `labels: ${name}: ${right} of ${values} values right (${((100 * right) / values).toFixed(1)} %), ` +
      `${accepted} of ${labels} labels accepted, ${withWrongValue} of these with a wrong value, ${inconsistent} ` +
      `inconsistent (goal ${GOAL}); decoded and read p50 ${percentile(times, 0.5).toFixed(0)} ms, ` +
      `p95 ${percentile(times, 0.95).toFixed(0)} ms`,
  );
}

async function readPhotos(dir: string, tallies: readonly Tally[]): Promise<void> {
  for (const file of (await readdir(dir)).filter((name) => /\.(jpe?g|png|webp)$/i.test(name)).sort()) {
    const image = await readFile(join(dir, file));
    for (const { name, read } of tallies) {
      const facts = await read(image);
      console.log(
        `labels: ${file}, ${name}: ${typeof facts === 'string' ? facts : JSON.stringify(facts.per100)}`,
      );
    }
  }
}

async function keep(dir: string, name: string, image: Buffer): Promise<void> {
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, name), image);
}

/** The stated amounts per 100. */
function printed(facts: PrintedFacts, { hasHundred, step }: LabelLayout, key: (typeof KEYS)[number]): number {
  const { kcal, salt, sodium, ...others } = hasHundred ? facts.per100 : facts.perServing;
  const scale = hasHundred ? 1 : 100 / facts.servingAmount;
  if (key === 'energy') return kcal * scale;
  if (key === 'sodium') return (step === 1 ? sodium : salt * 400) * scale;
  return others[key] * scale;
}

function isRight(
  key: (typeof KEYS)[number],
  { per100 }: Facts,
  facts: PrintedFacts,
  layout: LabelLayout,
): boolean {
  const wanted = printed(facts, layout, key);
  // Labels in kJ only are converted; sodium in mg beside salt in g is rounded differently.
  const slack =
    key === 'energy' ? Math.max(1, wanted * 0.01) : key === 'sodium' ? Math.max(5, wanted * 0.02) : 0.01;
  const read = per100[key as NutrientKey];
  return read !== undefined && Math.abs(read - wanted) <= slack;
}

function isConsistent(per100: Nutrients): boolean {
  const expected = expectedKcal(per100)! + 2 * (per100.fiber ?? 0);
  const least = expectedKcal(per100)! - 4 * (per100.fiber ?? 0);
  const slack = Math.max(CONSISTENT.kcal, CONSISTENT.share * per100.energy);
  return per100.energy >= least - slack && per100.energy <= expected + slack;
}
