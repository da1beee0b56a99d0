/**
 * How well are nutrition facts read off photos? Draws thirty layouts, photographs them with noise, blur and
 * perspective, and compares what is proposed with what was printed. Goal: 95 % of the values right, all that is
 * accepted consistent by 4-4-9.
 *
 *     npm run bench -- labels [--rounds 3] [--layout NAME] [--write DIR]
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { expectedKcal } from '../src/catalogue/import/energy.ts';
import type { NutrientKey, Nutrients } from '../src/catalogue/nutrients.ts';
import type { ImageFacts } from '../src/scan/image-headers/image-facts.ts';
import { inspectImage } from '../src/scan/image-intake.ts';
import { boundImageDecoding, openPhoto } from '../src/scan/open-photo.ts';
import type { LabelProposal } from '../src/scan/recognizer.ts';
import { LabelRecognizer } from '../src/scan/recognizers/label/label-recognizer.ts';
import { LABEL_LAYOUTS, type LabelLayout } from '../test/support/labels/label-layouts.ts';
import { labelSvg } from '../test/support/labels/label-svg.ts';
import { photograph } from '../test/support/labels/photograph.ts';
import { drawFacts, type PrintedFacts } from '../test/support/labels/printed-facts.ts';
import { useTestFonts } from '../test/support/labels/use-test-fonts.ts';
import { percentile } from './support/search-figures.ts';
import { Random } from './support/search-random.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    layout: { type: 'string' },
    write: { type: 'string' },
  },
});
useTestFonts();
boundImageDecoding();
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
/** General factors differ from what is printed by rounding and fibre; issue of accepting, not of reading. */
const CONSISTENT = { share: 0.2, kcal: 25 };
const random = new Random({ seed: 7 });
const draw = () => random.below(1_000_000) / 1_000_000;
const recognizer = await LabelRecognizer.open();
const times: number[] = [];
const total = { right: 0, values: 0, accepted: 0, labels: 0, wrongAccepted: 0, inconsistent: 0 };

for (const layout of LABEL_LAYOUTS.filter(
  ({ name }) => values.layout === undefined || name === values.layout,
)) {
  const own = { right: 0, values: 0, accepted: 0 };
  const slips: string[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const facts = drawFacts(draw, layout.step);
    const image = await photograph(labelSvg(layout.draw(facts), layout.colours), layout.shot, draw);
    if (values.write !== undefined) {
      await mkdir(values.write, { recursive: true });
      await writeFile(join(values.write, `${layout.name} ${round}.jpg`), image);
    }
    const photo = await openPhoto(image, inspectImage(image) as ImageFacts, () => performance.now());
    const startedAtMs = performance.now();
    const { proposals, details } = await recognizer.recognize(photo, new AbortController().signal);
    times.push(performance.now() - startedAtMs);
    total.labels++;
    own.values += KEYS.length;
    const proposal = proposals[0] as LabelProposal | undefined;
    if (proposal === undefined) {
      slips.push(String(details?.['refused'] ?? 'nothing'));
      continue;
    }
    own.accepted++;
    if (!isConsistent(proposal.per100)) total.inconsistent++;
    const wrong = KEYS.filter((key) => !isRight(key, proposal, facts, layout));
    own.right += KEYS.length - wrong.length;
    if (wrong.length > 0) total.wrongAccepted++;
    slips.push(...wrong.map((key) => `${key} ${proposal.per100[key]} for ${printed(facts, layout, key)}`));
  }
  total.right += own.right;
  total.values += own.values;
  total.accepted += own.accepted;
  const share = ((100 * own.right) / own.values).toFixed(0).padStart(3);
  console.log(`${share} %  ${own.accepted}/${values.rounds} accepted  ${layout.name}  ${slips.join('; ')}`);
}
await recognizer.close();
times.sort((a, b) => a - b);
console.log(
  `${total.right} of ${total.values} values right (${((100 * total.right) / total.values).toFixed(1)} %), ` +
    `${total.accepted} of ${total.labels} labels accepted, ${total.wrongAccepted} of these with a wrong value, ` +
    `${total.inconsistent} inconsistent; p50 ${percentile(Float64Array.from(times), 0.5).toFixed(0)} ms, p95 ${percentile(Float64Array.from(times), 0.95).toFixed(0)} ms`,
);

/** What the label states, per 100. */
function printed(facts: PrintedFacts, { hasHundred, step }: LabelLayout, key: (typeof KEYS)[number]): number {
  const { kcal, salt, sodium, ...others } = hasHundred ? facts.per100 : facts.perServing;
  const scale = hasHundred ? 1 : 100 / facts.servingAmount;
  if (key === 'energy') return kcal * scale;
  if (key === 'sodium') return (step === 1 ? sodium : salt * 400) * scale;
  return others[key] * scale;
}

function isRight(
  key: (typeof KEYS)[number],
  { per100 }: LabelProposal,
  facts: PrintedFacts,
  layout: LabelLayout,
): boolean {
  const wanted = printed(facts, layout, key);
  // Labels in kJ alone are converted, sodium in mg beside salt in g rounds differently.
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
