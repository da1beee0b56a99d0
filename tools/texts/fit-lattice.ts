/**
 * Fits the weights of the lattice to labelled and composed texts: `npm run fit-lattice -- CATALOGUE FILE...`. The best
 * derivations of each text are judged as its labels say, and the weights maximise the expected score; labels of whole
 * texts are enough. Prints the shares of whole foods and texts; without `--write` it changes nothing.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { LANGUAGE_CODES, languageOf } from '@larder/text/language.ts';
import {
  bestDerivations,
  type Derivation,
  featuresOfDerivation,
  stepsOf,
} from '@larder/text/parse/lattice/derivations.ts';
import {
  LATTICE_WEIGHTS,
  type LatticeFeature,
  type LatticeFeatures,
  type LatticeWeights,
  scoreOfFeatures,
} from '@larder/text/parse/lattice/features.ts';
import { parseFoods } from '@larder/text/parse/parse-foods.ts';
import { Catalogue } from '../../src/foods/catalogue/catalogue.ts';
import { loadCatalogueImage } from '../../src/foods/catalogue/load-catalogue.ts';
import { composedTexts } from './composed-texts.ts';
import EXPECTED from './expected-lattice-weights.json' with { type: 'json' };
import { judgeDerivation, type PreparedText, prepareText } from './judged-derivations.ts';
import { readLabelledTexts } from './labelled-texts.ts';

/** Derivations of a text that are compared in each pass. */
const COUNT = 12;
const PASSES = 8;
const RATE = 0.12;
/** Strength of the pull to the expected weights. */
const PULL = 0.004;
/** Composed texts of each language, for the fit and for its test. */
const COMPOSED = 60;
const MIN_PULL = 1e-6;
const NAMES = Object.keys(LATTICE_WEIGHTS) as LatticeFeature[];

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [image, ...files] = positionals;
if (image === undefined || files.length === 0) throw new Error('usage: fit-lattice.ts CATALOGUE FILE...');
const catalogue = Catalogue.open(await loadCatalogueImage(image));

const labelled = files
  .flatMap(readLabelledTexts)
  .filter(({ context }) => context === 'meal')
  .map((label) => prepareText(label, catalogue));
const composed = LANGUAGE_CODES.flatMap((code) =>
  composedTexts(code, 2 * COMPOSED, (name) => {
    const language = languageOf(code);
    const items = parseFoods(name, { finder: catalogue, context: 'meal', language });
    return items.length === 1 && items[0]!.food !== undefined && items[0]!.text === name;
  }).map((text) => prepareText(text, catalogue)),
);
const own = labelled.filter(({ set }) => set === 'fit');
const sets = [
  ['fit', own],
  ['kept', labelled.filter(({ set }) => set === 'kept')],
  ['composed', composed.filter((_, at) => at % 2 === 1)],
] as const;

report('now', LATTICE_WEIGHTS);
const fitted = fittedTo([...own, ...composed.filter((_, at) => at % 2 === 0)]);
for (const name of NAMES)
  console.log(
    `${name.padEnd(20)} ${LATTICE_WEIGHTS[name].toFixed(2).padStart(6)} ${fitted[name].toFixed(2).padStart(6)}`,
  );
report('fitted', fitted);
if (values.write) {
  const rounded = NAMES.map((name) => [name, Number(fitted[name].toFixed(2))]);
  const file = new URL('../../packages/text/src/parse/lattice/weights.json', import.meta.url);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(rounded), undefined, 2)}\n`);
}

function report(title: string, weights: LatticeWeights): void {
  for (const [name, texts] of sets) {
    const judged = texts.flatMap((text) => {
      const [best] = derivationsOf(text, 1, weights);
      return best === undefined ? [] : [judgeDerivation(best, text)];
    });
    const sum = (of: (each: (typeof judged)[number]) => number) =>
      judged.reduce((total, each) => total + of(each), 0);
    const foods = sum((each) => each.whole) / sum((each) => each.foods);
    const whole = judged.filter(({ isWhole }) => isWhole).length / texts.length;
    console.log(
      `${title.padEnd(7)} ${name.padEnd(9)} whole foods ${foods.toFixed(3)}, texts ${whole.toFixed(3)}, ` +
        `invented ${sum(({ invented }) => invented)}`,
    );
  }
}

function derivationsOf({ lattice }: PreparedText, count: number, weights: LatticeWeights): Derivation[] {
  return bestDerivations(lattice.segments, lattice.ports, count, weights);
}

/** Adagrad over the expected scores of the known derivations of each text; returns the mean of all steps. */
function fittedTo(texts: readonly PreparedText[]): LatticeWeights {
  const zeros = (value: number) =>
    Object.fromEntries(NAMES.map((name) => [name, value])) as Record<LatticeFeature, number>;
  const weights: Record<LatticeFeature, number> = { ...EXPECTED };
  const [squares, sums] = [zeros(1e-3), zeros(0)];
  const known = new Map<PreparedText, Map<string, Judged>>();
  for (let pass = 0; pass < PASSES; pass++) {
    for (const text of texts.toSorted((a, b) => hashOf(a.text + pass) - hashOf(b.text + pass))) {
      const gradient = gradientOf(judgedOf(text, weights, known), weights);
      for (const name in gradient) {
        const feature = name as LatticeFeature;
        const slope = gradient[feature]! - PULL * (weights[feature] - EXPECTED[feature]);
        squares[feature] += slope * slope;
        weights[feature] += (RATE * slope) / Math.sqrt(squares[feature]);
      }
      for (const name of NAMES) sums[name] += weights[name];
    }
  }
  const steps = PASSES * texts.length;
  return Object.fromEntries(NAMES.map((name) => [name, sums[name] / steps])) as LatticeWeights;
}

interface Judged {
  readonly score: number;
  readonly features: LatticeFeatures;
}

/** The derivations of a text that were among the best in any pass. */
function judgedOf(
  text: PreparedText,
  weights: LatticeWeights,
  known: Map<PreparedText, Map<string, Judged>>,
): readonly Judged[] {
  const judged = known.get(text) ?? new Map<string, Judged>();
  known.set(text, judged);
  for (const derivation of derivationsOf(text, COUNT, weights)) {
    const key = stepsOf(derivation)
      .map(({ segment }) => `${segment.label}${segment.to}`)
      .join();
    if (judged.has(key)) continue;
    judged.set(key, {
      score: judgeDerivation(derivation, text).score,
      features: featuresOfDerivation(derivation),
    });
  }
  return [...judged.values()];
}

function gradientOf(judged: readonly Judged[], weights: LatticeWeights): LatticeFeatures {
  const scores = judged.map(({ features }) => scoreOfFeatures(features, weights));
  const most = Math.max(...scores);
  const exps = scores.map((score) => Math.exp(score - most));
  const total = exps.reduce((sum, exp) => sum + exp, 0);
  const expected = judged.reduce((sum, { score }, at) => sum + (score * exps[at]!) / total, 0);
  const gradient: LatticeFeatures = {};
  for (const [at, { score, features }] of judged.entries()) {
    const pull = (exps[at]! / total) * (score - expected);
    if (Math.abs(pull) < MIN_PULL) continue;
    for (const name in features) {
      const feature = name as LatticeFeature;
      gradient[feature] = (gradient[feature] ?? 0) + pull * features[feature]!;
    }
  }
  return gradient;
}

function hashOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32LE(0);
}
