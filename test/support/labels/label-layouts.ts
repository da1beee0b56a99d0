import { australian, type EuLanguage, type EuStyle, euTable, ukWithLights } from './eu-labels.ts';
import { BLACK_ON_WHITE, type Colours, type LabelDrawing } from './label-svg.ts';
import type { Shot } from './photograph.ts';
import type { PrintedFacts } from './printed-facts.ts';
import { canadian, usDualColumn, usLinear, usTabular, usVertical } from './us-labels.ts';

export interface LabelLayout {
  readonly name: string;
  /** Value of the last printed digit of g. */
  readonly step: 0.1 | 1;
  /** Whether amounts per 100 are printed; otherwise only those of a serving. */
  readonly hasHundred: boolean;
  readonly draw: (facts: PrintedFacts) => LabelDrawing;
  readonly colours: Colours;
  readonly shot: Shot;
}

const WHITE_ON_DARK: Colours = { ink: '#f4f4f4', paper: '#1d2b45' };
const LOW_CONTRAST: Colours = { ink: '#777', paper: '#bbb' };
const PLAIN: Shot = { blur: 0.5, noise: 4 };
const LEANING: Shot = { turnDegrees: 4, perspective: 0.15, noise: 6, blur: 0.6 };
const CURVED: Shot = { curve: 0.03, noise: 5, blur: 0.6 };
const ROUGH: Shot = { turnDegrees: -3, perspective: 0.2, noise: 12, blur: 1, quality: 60 };
const SMALL: Shot = { fills: 0.5, noise: 5, blur: 0.5 };
const SQUASHED: Shot = { quality: 30, blur: 0.8, noise: 5 };

function us(name: string, draw: LabelLayout['draw'], shot: Shot, colours = BLACK_ON_WHITE): LabelLayout {
  return { name, step: 1, hasHundred: false, draw, colours, shot };
}

function eu(
  language: EuLanguage,
  style: Omit<EuStyle, 'language'>,
  shot: Shot,
  colours = BLACK_ON_WHITE,
): LabelLayout {
  const { columns, energy } = style;
  const name = `EU ${language}, ${columns.map((column) => (column === 'hundred' ? '100' : 'serving')).join(' + ')}, ${energy}`;
  const draw = (facts: PrintedFacts) => euTable(facts, { language, ...style });
  return { name, step: 0.1, hasHundred: columns.includes('hundred'), draw, colours, shot };
}

const BOTH = { columns: ['hundred', 'serving'], energy: 'one cell' } as const;
const BOTH_ROWS = { columns: ['hundred', 'serving'], energy: 'two rows' } as const;
const SERVING_FIRST = { columns: ['serving', 'hundred'], energy: 'one cell' } as const;
const ALONE = { columns: ['hundred'], energy: 'one cell' } as const;
const ALONE_ROWS = { columns: ['hundred'], energy: 'two rows' } as const;

/** Thirty ways in which labels are laid out and photographed. */
export const LABEL_LAYOUTS: readonly LabelLayout[] = [
  us('US vertical', (facts) => usVertical(facts, 'new'), PLAIN),
  us('US vertical, leaning', (facts) => usVertical(facts, 'new'), LEANING),
  us('US vertical, curved', (facts) => usVertical(facts, 'new'), CURVED),
  us('US vertical, rough', (facts) => usVertical(facts, 'new'), ROUGH),
  us('US vertical, small', (facts) => usVertical(facts, 'new'), SMALL),
  us('US vertical before 2016', (facts) => usVertical(facts, 'old'), PLAIN),
  us('US vertical before 2016, leaning', (facts) => usVertical(facts, 'old'), LEANING),
  us('US vertical, white on dark', (facts) => usVertical(facts, 'new'), PLAIN, WHITE_ON_DARK),
  us('US vertical, low contrast', (facts) => usVertical(facts, 'old'), PLAIN, LOW_CONTRAST),
  us('US tabular', usTabular, PLAIN),
  us('US linear', usLinear, PLAIN),
  us('US dual column', usDualColumn, LEANING),
  us('Canada', canadian, PLAIN),
  us('Canada, curved', canadian, CURVED),
  eu('en', BOTH, PLAIN),
  eu('en', SERVING_FIRST, LEANING),
  eu('de', BOTH, LEANING),
  eu('de', ALONE_ROWS, ROUGH),
  eu('fr', BOTH, PLAIN),
  eu('fr', ALONE, CURVED),
  eu('es', BOTH_ROWS, PLAIN),
  eu('it', BOTH, SQUASHED),
  eu('it', ALONE, LEANING),
  eu('nl', SERVING_FIRST, PLAIN),
  eu('pt', ALONE, PLAIN),
  eu('pl', BOTH, PLAIN),
  eu('sv', ALONE_ROWS, PLAIN),
  eu('da', BOTH, PLAIN, WHITE_ON_DARK),
  {
    name: 'UK with lights',
    step: 0.1,
    hasHundred: true,
    draw: ukWithLights,
    colours: BLACK_ON_WHITE,
    shot: PLAIN,
  },
  {
    name: 'Australia',
    step: 0.1,
    hasHundred: true,
    draw: australian,
    colours: BLACK_ON_WHITE,
    shot: LEANING,
  },
];
