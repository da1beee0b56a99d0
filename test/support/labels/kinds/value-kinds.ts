import { drawFacts, type PrintedAmounts, type Random } from '../printed-facts.ts';
import { euRows } from './column-kinds.ts';
import type { DrawnLabel, LabelKind } from './label-kind.ts';
import { drawTable, pick, usRows, written } from './table.ts';
import { euValues, usValues, withoutFiber } from './text-kinds.ts';
import { LABEL_LANGUAGES, LABEL_WORDS } from './words.ts';

/** Approximate values, limits and traces. */
function approximate(random: Random): DrawnLabel {
  const language = pick(random, LABEL_LANGUAGES);
  const words = LABEL_WORDS[language]!;
  const { per100, basis } = withoutFiber(drawFacts(random, 0.1));
  const about = pick(random, words.about);
  const low = pick(random, ['<0.1', '<0.5', '< 0.1', 'less', 'trace'] as const);
  const limit = low === '<0.5' ? 0.5 : low === 'trace' ? 0 : 0.1;
  const text =
    low === 'trace'
      ? words.trace
      : low === 'less'
        ? `${words.less} ${written(0.1, language)} g`
        : `${language === 'en' ? low : low.replace('.', ',')} g`;
  const values = { ...euValues(per100, false), saturatedFat: limit / 2, sugars: limit / 2 };
  const rows = euRows(words, language).map(([key, name, cell]): [string, string] => {
    if (key === 'saturatedFat' || key === 'sugars') return [name, text];
    return [name, `${about} ${cell(per100)}`];
  });
  const head = `${words.per} 100 ${basis}`;
  const drawing = drawTable({
    title: words.title,
    heads: pick(random, [[[head]], [[`${about} ${head}`]], []]),
    intro: [],
    rows,
    columnWidth: 300,
  });
  const titled = drawing.prints.some(({ text: print }) => /100 (?:g|ml)/.test(print));
  const prints = titled
    ? drawing.prints
    : drawing.prints.map((print, index) =>
        index === 0 ? { ...print, text: `${print.text} ${head}`, size: 20 } : print,
      );
  return { drawing: { ...drawing, prints }, values, limits: { saturatedFat: limit, sugars: limit } };
}

/** Beer and wine, whose energy comes mostly from alcohol, which the table does not list. */
function drinks(random: Random): DrawnLabel {
  const language = pick(random, LABEL_LANGUAGES);
  const words = LABEL_WORDS[language]!;
  const percent = pick(random, [4.9, 5, 5.2, 11.5, 12.5, 13]);
  const isWine = percent > 10;
  const carbohydrates = isWine ? pick(random, [0.3, 1.2, 2.6]) : pick(random, [2.9, 3.6, 4.1]);
  const protein = isWine ? 0 : 0.5;
  const kcal = Math.round(percent * 0.789 * 7 + 4 * (carbohydrates + protein));
  const base = withoutFiber(drawFacts(random, 0.1)).per100;
  const per100: PrintedAmounts = {
    ...base,
    kcal,
    kj: Math.round(kcal * 4.184),
    fat: 0,
    saturatedFat: 0,
    carbohydrates,
    sugars: Math.min(carbohydrates, 0.3),
    protein,
    salt: 0.01,
  };
  const strength = pick(random, [
    'alc. # % vol',
    'alc #% vol.',
    '# % vol',
    'Alk. #% vol',
    'ALC. # % BY VOL.',
    '#% ABV',
  ]).replace('#', written(percent, language));
  const drawing = drawTable({
    title: words.title,
    heads: [[`${words.per} 100 ml`]],
    rows: euRows(words, language).map(([, name, cell]) => [name, cell(per100)]),
    footer: [strength],
    columnWidth: 260,
  });
  return { drawing, values: euValues(per100, false) };
}

const POLYOLS: Readonly<Record<string, readonly string[]>> = {
  en: ['of which polyols', 'polyols', 'of which erythritol', 'Isomalt'],
  de: ['davon mehrwertige Alkohole', 'davon Isomalt', 'davon Erythrit', 'davon Sorbit'],
  fr: ['dont polyols', 'polyols', 'dont érythritol', 'dont isomalt'],
  es: ['de los cuales polialcoholes', 'polialcoholes', 'eritritol', 'isomalt'],
  it: ['di cui polioli', 'polioli', 'di cui eritritolo', 'isomalto'],
  pt: ['dos quais polióis', 'polióis', 'eritritol', 'isomalte'],
};

/** Sweets made of polyols, which have 2.4 kcal/g, or none for erythritol. */
function polyols(random: Random): DrawnLabel {
  const language = pick(random, LABEL_LANGUAGES);
  const words = LABEL_WORDS[language]!;
  const name = pick(random, POLYOLS[language]!);
  const grams = pick(random, [94.6, 96, 62.3, 71]);
  const factor = /er[iy]t/iu.test(name.normalize('NFD').replace(/\p{M}/gu, '')) ? 0 : 2.4;
  const carbohydrates = Number((grams + pick(random, [0.4, 1.9])).toFixed(1));
  const fat = pick(random, [0, 0.6]);
  const kcal = Math.round(grams * factor + 4 * (carbohydrates - grams) + 9 * fat);
  const base = drawFacts(random, 0.1).per100;
  const per100 = {
    ...base,
    kcal,
    kj: Math.round(4.184 * kcal),
    fat,
    saturatedFat: 0,
    carbohydrates,
    sugars: 0,
    protein: 0,
    salt: 0,
  };
  const rows = euRows(words, language).flatMap(([key, own, cell]): [string, string][] => {
    const line: [string, string] = [own, cell(per100)];
    return key === 'sugars' ? [line, [name, `${written(grams, language)} g`]] : [line];
  });
  const drawing = drawTable({ title: words.title, heads: [[`${words.per} 100 g`]], rows, columnWidth: 260 });
  return { drawing, values: euValues(per100, false) };
}

/** Labels with erythritol or isomalt only in the ingredients. */
function polyolsOfIngredients(random: Random): DrawnLabel {
  const language = pick(random, LABEL_LANGUAGES);
  const words = LABEL_WORDS[language]!;
  const [name, factor] = pick(random, [
    ['Isomalt', 2.4],
    ['Sorbitol', 2.4],
    ['Erythritol', 0],
    ['Xylitol', 2.4],
  ] as const);
  const carbohydrates = pick(random, [95, 97.5, 99.8]);
  const kcal = Math.round(carbohydrates * factor);
  const base = drawFacts(random, 0.1).per100;
  const per100 = {
    ...base,
    kcal,
    kj: Math.round(4.184 * kcal),
    fat: 0,
    saturatedFat: 0,
    carbohydrates,
    sugars: 0,
    protein: 0,
    salt: 0,
  };
  const drawing = drawTable({
    title: words.title,
    heads: [[`${words.per} 100 g`]],
    rows: euRows(words, language).map(([, own, cell]) => [own, cell(per100)]),
    footer: [
      `${{ en: 'Ingredients', de: 'Zutaten', fr: 'Ingrédients', es: 'Ingredientes', it: 'Ingredienti', pt: 'Ingredientes' }[language]}: ${name} (98 %), aroma.`,
    ],
    columnWidth: 260,
  });
  return { drawing, values: euValues(per100, false) };
}

/** Only the traffic lights on the front of a package, without a table. */
function trafficLights(random: Random): DrawnLabel {
  const { perServing, servingAmount } = drawFacts(random, 0.1);
  const { kj, kcal, fat, saturatedFat, sugars, salt } = perServing;
  const language = pick(random, LABEL_LANGUAGES);
  const words = LABEL_WORDS[language]!;
  const isStacked = random() < 0.5;
  const lights: readonly (readonly [string, string])[] = [
    [words.energy, isStacked ? `${kj}kJ ${kcal}kcal` : `${kcal}`],
    [words.fat, `${written(fat, language)}g`],
    [
      pick(random, ['Saturates', words.saturatedFat.split(' ').slice(-1)[0]!]),
      `${written(saturatedFat, language)}g`,
    ],
    [words.sugars.split(' ').at(-1)!, `${written(sugars, language)}g`],
    [words.salt, `${written(salt, language, 2)}g`],
  ];
  const prints = lights.flatMap(([name, amount], index) => {
    const x = 100 + index * 190;
    return [
      { text: name, x, y: 60, size: 20, anchor: 'middle' as const },
      { text: amount, x, y: 98, size: 22, bold: true, anchor: 'middle' as const },
      { text: `${3 + index * 4}%`, x, y: 134, size: 20, anchor: 'middle' as const },
    ];
  });
  prints.unshift({
    text: `${{ en: 'Each serving', de: 'Eine Portion', fr: 'Une portion', es: 'Una porción', it: 'Una porzione', pt: 'Uma porção' }[language]} (${servingAmount}g)`,
    x: 480,
    y: 24,
    size: 18,
    anchor: 'middle',
  });
  if (random() < 0.5)
    prints.push({
      text: `${words.per} 100g: ${Math.round((kj * 100) / servingAmount)}kJ/${Math.round((kcal * 100) / servingAmount)}kcal`,
      x: 480,
      y: 170,
      size: 18,
      anchor: 'middle',
    });
  return { drawing: { width: 1000, height: 200, prints, rules: [] }, values: undefined };
}

/** A serving in pieces without its weight, or a panel whose top is cut off; its values are of one serving. */
function unweighed(random: Random): DrawnLabel {
  const facts = drawFacts(random, 1);
  const { perServing } = facts;
  const isCut = random() < 0.4;
  const isDual = !isCut && random() < 0.3;
  const double = (text: string) => text.replace(/[\d.]+/u, (number) => `${2 * Number(number)}`);
  const cells = (name: string, amount: string, percent: string): [string, ...string[]] =>
    isDual ? [name, amount, double(amount)] : [name, amount, percent];
  const size = pick(random, ['1 bottle', '2 cookies', '1 bar', '1/2 package', '1 cup']);
  const drawing = drawTable({
    title: isCut ? '' : 'Nutrition Facts',
    intro: isCut ? [] : ['8 servings per container', `Serving size ${size}`],
    heads: isDual ? [['Per serving', 'Per container']] : [['', '% Daily Value*']],
    rows: [
      cells('Calories', `${perServing.kcal}`, ''),
      ...usRows(facts).map(([name, amount, percent]) => cells(name, amount, percent)),
    ],
    columnWidth: 180,
  });
  const { servingAmount } = facts;
  const values = Object.fromEntries(
    Object.entries(usValues(facts)).map(([key, value]) => [key, (value * servingAmount) / 100]),
  );
  return { drawing, values, isUnweighed: true };
}

export const VALUE_KINDS: readonly LabelKind[] = [
  { name: 'servings of unknown weight', draw: unweighed },
  { name: 'approximate values, limits, traces', draw: approximate },
  { name: 'beer and wine', draw: drinks },
  { name: 'polyols in a row', draw: polyols },
  { name: 'polyols of the ingredients', draw: polyolsOfIngredients },
  { name: 'traffic lights alone', draw: trafficLights },
];
