import { type EuLanguage, euTable } from '../eu-labels.ts';
import type { Colours } from '../label-svg.ts';
import type { Shot } from '../photograph.ts';
import { drawFacts, type Random } from '../printed-facts.ts';
import { usDualColumn, usVertical } from '../us-labels.ts';
import type { DrawnLabel, LabelKind } from './label-kind.ts';
import { pick } from './table.ts';
import { euValues, usValues } from './text-kinds.ts';
import { LABEL_LANGUAGES } from './words.ts';

/** A plain label of the United States or the European Union. */
function plain(random: Random): Pick<DrawnLabel, 'drawing' | 'values' | 'servingAmount'> {
  if (random() < 0.45) {
    const facts = drawFacts(random, 1);
    const drawing = random() < 0.25 ? usDualColumn(facts) : usVertical(facts, random() < 0.5 ? 'new' : 'old');
    return { drawing, values: usValues(facts), servingAmount: facts.servingAmount };
  }
  const facts = drawFacts(random, 0.1);
  const language = pick(random, LABEL_LANGUAGES) as EuLanguage;
  const columns = pick(random, [['hundred'], ['hundred', 'serving'], ['serving', 'hundred']] as const);
  const energy = pick(random, ['one cell', 'two rows'] as const);
  return { drawing: euTable(facts, { language, columns, energy }), values: euValues(facts.per100, true) };
}

const COLOURS: readonly Colours[] = [
  { ink: '#fff', paper: '#b5121b' },
  { ink: '#fff', paper: '#0b6b3a' },
  { ink: '#fff', paper: '#12489c' },
  { ink: '#fff', paper: '#e8730c' },
  { ink: '#fff', paper: '#7b3fa0' },
  { ink: '#fff6d8', paper: '#6b4423' },
  { ink: '#fff', paper: '#38a3c9' },
  { ink: '#c8102e', paper: '#f7d117' },
];

function kind(name: string, shotOf: (random: Random) => Shot, colours?: readonly Colours[]): LabelKind {
  const draw = (random: Random) => {
    const label = plain(random);
    return { ...label, shot: shotOf(random), ...(colours && { colours: pick(random, colours) }) };
  };
  return { name, draw };
}

/** Kinds of photos of plain labels. */
export const PHOTO_KINDS: readonly LabelKind[] = [
  kind('can', (random) => ({
    cylinderDegrees: 35 + 25 * random(),
    turnDegrees: 8 * random() - 4,
    noise: 5,
    blur: 0.6,
  })),
  kind('can, strongly curved', (random) => ({
    cylinderDegrees: 62 + 14 * random(),
    turnDegrees: 10 * random() - 5,
    noise: 6,
    blur: 0.7,
  })),
  kind('crumpled bag', (random) => ({ crumple: 0.012 + 0.016 * random(), noise: 5, blur: 0.6 })),
  kind('aslant', (random) => ({
    turnDegrees: 40 * random() - 20,
    perspective: 0.5 * random() - 0.25,
    noise: 6,
    blur: 0.6,
  })),
  kind('glare', (random) => ({
    glare: 0.7 + 0.3 * random(),
    turnDegrees: 4 * random() - 2,
    noise: 5,
    blur: 0.6,
  })),
  kind('light on colour', () => ({ noise: 6, blur: 0.6 }), COLOURS),
  kind('noisy and blurred', (random) => ({
    noise: 14 + 10 * random(),
    blur: 1.2 + 0.6 * random(),
    quality: 50,
  })),
  kind('small in 12 megapixels', (random) => ({
    within: { width: 4032, height: 3024 },
    fills: 0.2 + 0.15 * random(),
    noise: 4,
    blur: 0.6,
  })),
];
