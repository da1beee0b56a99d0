import { describe, expect, it, test } from 'vitest';
import { ALL_TEXTS } from './all-texts.ts';
import { LANGUAGE_CODES, LANGUAGES, type Language } from './languages.ts';

const SOURCES = import.meta.glob<string>(['../**/*.{ts,tsx}', '!./**', '!../**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** All texts of the page, the console, the installed app and of facts. */
async function tableOf(language: Language): Promise<object> {
  const inConsole = await import(`../console/texts/${language}.ts`);
  const installed = await import(`../installed/texts/${language}.ts`);
  const facts = await import(`../facts/texts/${language}.ts`);
  const parts = { inConsole: inConsole.texts, installed: installed.texts, facts: facts.texts };
  return { ...ALL_TEXTS[language], ...parts };
}
const TABLES = Object.fromEntries(
  await Promise.all(LANGUAGE_CODES.map(async (code) => [code, await tableOf(code)] as const)),
) as Readonly<Record<Language, object>>;
const OTHERS = LANGUAGE_CODES.filter((code) => code !== 'en');

type Text = string | ((...values: unknown[]) => string);

/** Each text by its path. */
function textsOf(table: object, path = ''): [path: string, text: Text][] {
  return Object.entries(table).flatMap(([key, value]): [string, Text][] => {
    const at = path === '' ? key : `${path}.${key}`;
    return typeof value === 'object' ? textsOf(value, at) : [[at, value]];
  });
}
const ENGLISH = new Map(textsOf(TABLES.en));

/** What is put into a text, to be found in it. */
const MARKS = ['‹0›', '‹1›', '‹2›', '‹3›'];
const shown = (text: Text) => (typeof text === 'string' ? text : text(...MARKS));
const marksIn = (text: Text) => MARKS.filter((mark) => shown(text).includes(mark));

/** Names and measures. */
const NAMES = [
  ...[
    '100 g',
    '100 ml',
    'fl oz|fl oz',
    'Larder',
    'Larder (CSV)',
    'Larder (JSON)',
    'MyFitnessPal',
    'Cronometer',
  ],
  ...['FatSecret', 'SparkyFitness', 'OpenNutriTracker', 'Open Food Facts', 'FoodData Central'],
];
/** Words that English shares with another language. */
const SAME: Readonly<Record<Exclude<Language, 'en'>, readonly string[]>> = {
  de: [
    'App',
    'Barcodes',
    'Calcium',
    'Export',
    'Import',
    'In ‹0›',
    'Name',
    'Offline',
    'Passkeys',
    'Person',
    'Scans',
    'Snacks',
    'Version',
    'Vitamin D',
    'Webhooks',
    'vegan',
    '‹0›: ‹1›?',
  ],
  fr: [
    'Calcium',
    'Console',
    'Date',
    'Imports',
    'Invitations',
    'Mode',
    'Note',
    'Photos',
    'Potassium',
    'Scans',
    'Service',
    'Sodium',
    'Source',
    'Total',
    'Version',
    'Webhooks',
    'burger|burgers',
    'chip|chips',
    'cracker|crackers',
    'cube|cubes',
    'fruit|fruits',
    'gluten',
    'lupin',
    'olive|olives',
    'pizza|pizzas',
    'portion|portions',
    'webhook ‹0›',
  ],
  es: ['Total', 'Webhooks', 'gluten', 'pizza|pizzas', 'webhook ‹0›'],
  it: [
    'Account',
    'App',
    'Backup',
    'Console',
    'Database',
    'File',
    'In ‹0›',
    'Password',
    'cluster',
    'webhook ‹0›',
  ],
  pt: [
    'App',
    'Backup',
    'Backups',
    'Console',
    'Total',
    'Webhooks',
    'cluster',
    'pizza|pizzas',
    'webhook ‹0›',
    '“‹0›”',
  ],
  nl: [
    ...[
      'Account',
      'App',
      'Calcium',
      'Camera',
      'Cholesterol',
      'Lunch',
      'Passkeys',
      'Scans',
      'Webhooks',
      'Week',
    ],
    ...['burger|burgers', 'chip|chips', 'cluster', 'cracker|crackers', 'gluten', 'sandwich|sandwiches'],
    'webhook ‹0›',
  ],
  pl: ['Cholesterol', 'gluten', 'webhook ‹0›'],
};

describe.each(OTHERS)('in %s', (language) => {
  const own = textsOf(TABLES[language]);

  it('has every text', () => {
    expect(own.map(([path]) => path).toSorted()).toEqual([...ENGLISH.keys()].toSorted());
    expect(own.filter(([, text]) => shown(text).trim() === '')).toEqual([]);
  });

  it('has no English text', () => {
    const same = own.filter(([path, text]) => shown(ENGLISH.get(path)!) === shown(text));
    const words = new Set(same.map(([, text]) => shown(text)));
    expect([...words].filter((word) => !NAMES.includes(word)).toSorted()).toEqual(SAME[language].toSorted());
  });

  it('puts the same values into each text', () => {
    for (const [path, text] of own)
      expect([path, marksIn(text)]).toEqual([path, marksIn(ENGLISH.get(path)!)]);
  });
});

/** A text of a count without its number. */
const worded = (text: Text, count: number) =>
  typeof text === 'string' ? text : text(count, ...MARKS.slice(1)).replaceAll(/\d+/g, '#');
/** As above where the count is a text. */
const wordedText = (text: Text, count: number) =>
  typeof text === 'string' ? text : text(String(count), ...MARKS.slice(1)).replaceAll(/\d+/g, '#');
/** In English more than one is said in other words than one. */
const COUNTED = [worded, wordedText].flatMap((say) =>
  [...ENGLISH].filter(([, text]) => say(text, 1) !== say(text, 2)).map(([path]) => [path, say] as const),
);

/** Where few and many are the same words: "3 dni", "5 dni". */
const SHARED_FORMS: Readonly<Partial<Record<Language, readonly string[]>>> = {
  pl: ['incompleteDays', 'ofDays', 'recipesPage.saveWithout'],
};

describe.each(LANGUAGE_CODES)('counts in %s', (language) => {
  const texts = new Map(textsOf(TABLES[language]));
  const rules = new Intl.PluralRules(language);
  const MANY = [1, 2, 3, 4, 5, 11, 12, 14, 20, 21, 22, 25, 100, 101, 102, 112, 122, 1_000];

  it('have each form that the language has', () => {
    expect(COUNTED.length).toBeGreaterThan(20);
    const used = new Set(MANY.concat(0.5).map((count) => rules.select(count)));
    expect(new Set(LANGUAGES[language])).toEqual(used);
    for (const [path, say] of COUNTED) {
      const forms = new Map(
        [...used].map((rule) => [
          rule,
          new Set(MANY.filter((count) => rules.select(count) === rule).map((n) => say(texts.get(path)!, n))),
        ]),
      );
      // Where two rules share their words, they are one form.
      for (const [rule, words] of forms)
        if (rule !== 'other' || words.size > 0) expect([path, rule, words.size]).toEqual([path, rule, 1]);
      if (forms.has('few') && !SHARED_FORMS[language]?.includes(path))
        expect([path, forms.get('few')]).not.toEqual([path, forms.get('many')]);
    }
  });

  it('of units have each form', () => {
    const forms = LANGUAGES[language];
    for (const [unit, words] of Object.entries(ALL_TEXTS[language].unitForms))
      expect([unit, words.split('|').filter((word) => word.trim() !== '').length]).toEqual([
        unit,
        forms.length,
      ]);
  });
});

test('there is no text that the page does not show', () => {
  const sources = Object.values(SOURCES).join('\n');
  const words = new Set(sources.match(/\w+/g));
  // Tables whose texts are chosen by a value, such as a meal, are used as a whole.
  const isUsed = (path: string) => {
    const keys = path.split('.');
    return words.has(keys.at(-1)!) || (keys.length > 1 && isIndexed(keys.at(-2)!));
  };
  const isIndexed = (name: string) =>
    new RegExp(`\\b${name}(?:\\[|\\)|,)|Object\\.\\w+\\([\\w.]*${name}`).test(sources);
  expect(
    textsOf(ALL_TEXTS.en)
      .map(([path]) => path)
      .filter((path) => !isUsed(path)),
  ).toEqual([]);
});
