import { drawFacts, type PrintedAmounts, type PrintedFacts, type Random } from '../printed-facts.ts';
import type { DrawnLabel, LabelKind } from './label-kind.ts';
import { drawTable, pick, usRows, written } from './table.ts';
import { euValues, usValues, withoutFiber } from './text-kinds.ts';
import { LABEL_LANGUAGES, LABEL_WORDS, type LabelWords } from './words.ts';

type Cell = (amounts: PrintedAmounts) => string;

/** Rows of a European table: name, and its cell of some amounts. */
export function euRows(
  words: LabelWords,
  language: string,
  unit = ' g',
): readonly (readonly [keyof PrintedAmounts, string, Cell])[] {
  const row = (key: keyof PrintedAmounts, name: string, digits = 1) =>
    [key, name, (amounts: PrintedAmounts) => `${written(amounts[key], language, digits)}${unit}`] as const;
  return [
    ['kcal', words.energy, ({ kj, kcal }) => `${kj} kJ / ${kcal} kcal`],
    row('fat', words.fat),
    row('saturatedFat', words.saturatedFat),
    row('carbohydrates', words.carbohydrates),
    row('sugars', words.sugars),
    row('protein', words.protein),
    row('salt', words.salt, 2),
  ];
}

/** Columns of a serving and of the container, with glare over one cell. */
function usDualCovered(random: Random): DrawnLabel {
  const facts = drawFacts(random, 1);
  const { servingAmount, basis, perServing } = facts;
  const rows = usRows(facts);
  const covered = Math.floor(random() * rows.length);
  const double = (text: string) => text.replace(/[\d.]+/u, (number) => `${2 * Number(number)}`);
  const percents = random() < 0.5;
  const cells = rows.map(([name, amount, percent], index): [string, ...string[]] => {
    const own = index === covered ? '' : amount;
    if (!percents) return [name, own, double(amount)];
    return [name, own, percent, double(amount), percent === '' ? '' : double(percent)];
  });
  const energy: [string, ...string[]] = percents
    ? ['Calories', `${perServing.kcal}`, '', `${2 * perServing.kcal}`, '']
    : ['Calories', `${perServing.kcal}`, `${2 * perServing.kcal}`];
  const heads = percents
    ? ['Per serving', '% DV*', 'Per container', '% DV*']
    : ['Per serving', 'Per container'];
  const drawing = drawTable({
    title: 'Nutrition Facts',
    intro: ['2 servings per container', `Serving size 1 cup (${servingAmount}${basis})`],
    heads: [heads],
    rows: [energy, ...cells],
    columnWidth: percents ? 130 : 180,
    nameWidth: 280,
    align: pick(random, ['start', 'end']),
  });
  const keys = ['fat', 'saturatedFat', '', '', 'sodium', 'carbohydrates', 'fiber', 'sugars', 'protein'];
  const { [keys[covered]!]: _, ...values } = usValues(facts) as Record<string, number>;
  return { drawing, values, servingAmount, covered: keys[covered]! };
}

/** Columns per 100 and per serving, with one covered cell per 100. */
function euDualCovered(random: Random): DrawnLabel {
  const language = pick(random, LABEL_LANGUAGES);
  const words = LABEL_WORDS[language]!;
  const facts = withoutFiber(drawFacts(random, 0.1));
  const { per100, perServing, servingAmount, basis } = facts;
  const rows = euRows(words, language);
  const covered = 1 + Math.floor(random() * (rows.length - 1));
  const isFirst = random() < 0.5;
  const drawing = drawTable({
    title: words.title,
    heads: [order(isFirst, `${words.per} 100 ${basis}`, `${words.serving} (${servingAmount} ${basis})`)],
    rows: rows.map(([, name, cell], index) => {
      const own = index === covered ? '' : cell(per100);
      return [name, ...order(isFirst, own, cell(perServing))];
    }),
    columnWidth: 260,
    align: pick(random, ['start', 'end', 'middle']),
  });
  const key = rows[covered]![0] === 'salt' ? 'sodium' : rows[covered]![0];
  return { drawing, values: euValues(per100, false), covered: key };
}

function order<Item>(isFirst: boolean, a: Item, b: Item): Item[] {
  return isFirst ? [a, b] : [b, a];
}

/** Units in the name, in a separate column, or only in the heading. */
function unitsApart(random: Random): DrawnLabel {
  const language = pick(random, LABEL_LANGUAGES);
  const words = LABEL_WORDS[language]!;
  const { per100, perServing, servingAmount, basis } = withoutFiber(drawFacts(random, 0.1));
  const [style, isKjAlone, inMg, isDual] = [
    pick(random, ['name', 'column', 'comma'] as const),
    random() < 0.4,
    random() < 0.5,
    random() < 0.4,
  ];
  const unitOf = (key: string) =>
    key === 'kj' ? 'kJ' : key === 'kcal' ? 'kcal' : key === 'sodium' ? 'mg' : 'g';
  const keys: readonly (readonly [keyof PrintedAmounts, string])[] = [
    ['kj', words.energy],
    ...(isKjAlone ? [] : ([['kcal', style === 'column' ? '' : words.energy]] as const)),
    ['fat', words.fat],
    ['saturatedFat', words.saturatedFat],
    ['carbohydrates', words.carbohydrates],
    ['sugars', words.sugars],
    ['protein', words.protein],
    inMg ? ['sodium', words.sodium] : ['salt', words.salt],
  ];
  const digitsOf = (key: string) =>
    key === 'kj' || key === 'kcal' || key === 'sodium' ? 0 : key === 'salt' ? 2 : 1;
  const columns = isDual ? [per100, perServing] : [per100];
  const rows = keys.map(([key, name]): [string, ...string[]] => {
    const unit = unitOf(key);
    const cells = columns.map((amounts) => written(amounts[key], language, digitsOf(key)));
    if (style === 'column') return [name, unit, ...cells];
    return [style === 'name' ? `${name} (${unit})` : `${name}, ${unit}`, ...cells];
  });
  const heads = [
    `${words.per} 100 ${basis}`,
    ...(isDual ? [`${words.serving} (${servingAmount} ${basis})`] : []),
  ];
  const drawing = drawTable({
    title: words.title,
    heads: [style === 'column' ? ['', ...heads] : heads],
    rows,
    nameWidth: 380,
    columnWidth: isDual ? 250 : 170,
  });
  const { sodium: _, energy: __, ...others } = euValues(per100, false);
  const energy = isKjAlone ? per100.kj / 4.184 : per100.kcal;
  return { drawing, values: { ...others, energy, sodium: inMg ? per100.sodium : per100.salt * 400 } };
}

/** Columns of the food as sold and prepared. */
function prepared(random: Random): DrawnLabel {
  const language = pick(random, LABEL_LANGUAGES);
  const words = LABEL_WORDS[language]!;
  const { per100 } = withoutFiber(drawFacts(random, 0.1));
  const made = diluted(per100, pick(random, [0.15, 0.3, 0.6]));
  const isFirst = random() < 0.5;
  const rows = euRows(words, language);
  const [sold, ready] = [pick(random, words.asSold), pick(random, words.prepared)];
  const hundred = `${words.per} 100 g`;
  const heads = pick(random, [
    [order(isFirst, `100 g ${sold}`, `100 g ${ready}`)],
    [order(isFirst, sold, ready), [hundred, hundred]],
    [[hundred, hundred], order(isFirst, sold, ready)],
    [order(isFirst, `${hundred} (${sold})`, `${hundred} (${ready})`)],
  ]);
  const drawing = drawTable({
    title: words.title,
    heads,
    rows: rows.map(([, name, cell]) => [name, ...order(isFirst, cell(per100), cell(made))]),
    columnWidth: 310,
  });
  return { drawing, values: euValues(per100, false) };
}

function diluted(amounts: PrintedAmounts, share: number): PrintedAmounts {
  const scaled = Object.fromEntries(
    Object.entries(amounts).map(([key, value]) => [
      key,
      Number((value * share).toFixed(key === 'salt' ? 2 : 1)),
    ]),
  ) as unknown as PrintedAmounts;
  const kcal = 9 * scaled.fat + 4 * (scaled.carbohydrates + scaled.protein);
  return { ...scaled, kcal: Math.round(kcal), kj: Math.round(4.184 * kcal) };
}

/** Servings in the heading, in a second line of it, or in brackets alone. */
function servingHeads(random: Random): DrawnLabel {
  const language = pick(random, LABEL_LANGUAGES);
  const words = LABEL_WORDS[language]!;
  const facts: PrintedFacts = withoutFiber(drawFacts(random, 0.1));
  const servingAmount = pick(random, [12.5, 15, 25, 30, 80, 125, 250]);
  const { per100, basis } = facts;
  const perServing = diluted(per100, servingAmount / 100);
  const size = `${written(servingAmount, language, servingAmount % 1 === 0 ? 0 : 1)} ${basis}`;
  const hundred = `${words.per} 100 ${basis}`;
  const heads = pick(random, [
    [[hundred, `${words.serving} (${size})`]],
    [
      [hundred, words.serving],
      ['', `(${size})`],
    ],
    [
      [hundred, words.serving],
      ['', size],
    ],
    [[`100 ${basis}`, size]],
    [[hundred, `${words.per} ${size}`]],
    [
      [words.per, words.per],
      [`100 ${basis}`, size],
    ],
  ]);
  const rows = euRows(words, language);
  const drawing = drawTable({
    title: words.title,
    heads,
    rows: rows.map(([, name, cell]) => [name, cell(per100), cell(perServing)]),
    columnWidth: 260,
    align: pick(random, ['end', 'middle']),
  });
  return { drawing, values: euValues(per100, false), servingAmount };
}

/** Amino acids, which are no nutrients of a table but have amounts in g. */
const AMINO_ACIDS = ['isoleucine', 'leucine', 'valine', 'lysine', 'methionine', 'threonine', 'histidine'];

/** A table between texts with percentages and the table of something else. */
function betweenOthers(random: Random): DrawnLabel {
  const { per100, perServing, basis, servingAmount } = withoutFiber(drawFacts(random, 0.1));
  const language = pick(random, LABEL_LANGUAGES);
  const words = LABEL_WORDS[language]!;
  const table = drawTable({
    title: words.title,
    heads: [[`${words.per} 100 ${basis}`, `${words.serving} (${servingAmount} ${basis})`]],
    rows: euRows(words, language).map(([, name, cell]) => [name, cell(per100), cell(perServing)]),
    columnWidth: 230,
  });
  const left = 420;
  const prints = table.prints.map((print) => ({ ...print, x: print.x + left }));
  const right = left + table.width + pick(random, [30, 60]);
  const ys = [...new Set(table.prints.map(({ y }) => y))].slice(2, 2 + AMINO_ACIDS.length);
  for (const [index, y] of ys.entries()) {
    const amount = written(0.4 + 0.3 * index, language);
    prints.push({ text: 'whey protein', x: 20, y, size: 18 });
    if (index % 2 === 1) prints.push({ text: `${90 - 9 * index}%`, x: 360, y, size: 18, anchor: 'end' });
    prints.push({ text: `${AMINO_ACIDS[index]} (g)`, x: right, y, size: 18 });
    prints.push({ text: amount, x: right + 260, y, size: 18, anchor: 'end' });
  }
  const drawing = { ...table, width: right + 290, prints };
  return { drawing, values: euValues(per100, false), servingAmount };
}

export const COLUMN_KINDS: readonly LabelKind[] = [
  { name: 'between texts and other tables', draw: betweenOthers },
  { name: 'covered cell, US serving + container', draw: usDualCovered },
  { name: 'covered cell, 100 + serving', draw: euDualCovered },
  { name: 'units in names or a column', draw: unitsApart },
  { name: 'prepared and as sold', draw: prepared },
  { name: 'servings in heads', draw: servingHeads },
];
