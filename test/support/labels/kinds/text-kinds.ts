import { drawFacts, type PrintedAmounts, type Random } from '../printed-facts.ts';
import type { DrawnLabel, LabelKind } from './label-kind.ts';
import { drawText, pick, usRows, valuesOf, written } from './table.ts';
import { LABEL_LANGUAGES, LABEL_WORDS } from './words.ts';

const SHORT_NAMES: Readonly<Record<string, string>> = {
  'Saturated Fat': 'Sat. Fat',
  Cholesterol: 'Cholest.',
  'Total Carbohydrate': 'Total Carb.',
  'Dietary Fiber': 'Fiber',
  'Total Sugars': 'Sugars',
};

/** The linear label of small packages, 21 CFR 101.9(j)(13). */
function usLinear(random: Random): DrawnLabel {
  const facts = drawFacts(random, 1);
  const { servingAmount, basis, perServing } = facts;
  const [join, isShort, percents] = [
    pick(random, [',', ' •', ' |', ',', ';']),
    random() < 0.5,
    random() < 0.6,
  ];
  const rows = usRows(facts).map(([name, amount, percent]) => {
    const short = isShort ? (SHORT_NAMES[name] ?? name) : name;
    return percents && percent !== '' ? `${short} ${amount} (${percent} DV)` : `${short} ${amount}`;
  });
  const size = pick(random, [
    `Serv. Size: 1 bar (${servingAmount}${basis})`,
    `Serving size: 2 pieces (${servingAmount} ${basis})`,
    `Serv. Size ${servingAmount}${basis}`,
    `Servings: 1, Serv. size: 1 package (${servingAmount}${basis})`,
  ]);
  const amount = pick(random, ['Amount per serving:', 'Amount/serving:', 'Amount Per Serving']);
  const parts = [size, `${amount} Calories ${perServing.kcal}`, ...rows].map((part) => `${part}${join}`);
  const drawing = drawText('Nutrition Facts', parts, pick(random, [40, 52, 66]));
  return { drawing, values: usValues(facts), servingAmount };
}

export function usValues(facts: ReturnType<typeof drawFacts>) {
  const scale = 100 / facts.servingAmount;
  return { ...valuesOf(facts.perServing, scale), sodium: facts.perServing.sodium * scale };
}

/** Running text of the European Union, on packages without room for a table. */
function euLinear(random: Random): DrawnLabel {
  const { per100, basis } = withoutFiber(drawFacts(random, 0.1));
  const language = pick(random, LABEL_LANGUAGES);
  const words = LABEL_WORDS[language]!;
  const write = (value: number) => `${written(value, language)} g`;
  const { kj, kcal, fat, saturatedFat, carbohydrates, sugars, protein, salt } = per100;
  const colon = pick(random, [':', '', ' =']);
  const join = pick(random, [',', ';', ' ·', ',']);
  const parts = [
    `${words.per} 100 ${basis}: ${words.energy}${colon} ${pick(random, [`${kj} kJ / ${kcal} kcal`, `${kj} kJ (${kcal} kcal)`, `${kj}kJ/${kcal}kcal`])}`,
    `${words.fat}${colon} ${write(fat)}`,
    `${words.saturatedFat}${colon} ${write(saturatedFat)}`,
    `${words.carbohydrates}${colon} ${write(carbohydrates)}`,
    `${words.sugars}${colon} ${write(sugars)}`,
    `${words.protein}${colon} ${write(protein)}`,
    `${words.salt}${colon} ${written(salt, language, 2)} g.`,
  ];
  const drawing = drawText(
    words.title,
    parts.map((part, index) => (index < parts.length - 1 ? `${part}${join}` : part)),
    pick(random, [44, 58, 72]),
  );
  return { drawing, values: euValues(per100, false) };
}

/** Fibre is absent if the label has none. */
export function euValues(amounts: PrintedAmounts, hasFiber: boolean): Record<string, number> {
  const { fiber, ...others } = valuesOf(amounts);
  return { ...others, ...(hasFiber && { fiber: fiber! }), sodium: amounts.salt * 400 };
}

/** Facts whose energy is that of the rows without fibre. */
export function withoutFiber(facts: ReturnType<typeof drawFacts>): ReturnType<typeof drawFacts> {
  const strip = (amounts: PrintedAmounts): PrintedAmounts => {
    const { fat, carbohydrates, protein } = amounts;
    const kcal = 9 * fat + 4 * (carbohydrates + protein);
    return { ...amounts, fiber: 0, kcal: Math.round(kcal), kj: Math.round(kcal * 4.184) };
  };
  return { ...facts, per100: strip(facts.per100), perServing: strip(facts.perServing) };
}

/** Adjacent blocks: head, then nutrients in two columns with their percentages. */
function usSideBySide(random: Random): DrawnLabel {
  const facts = drawFacts(random, 1);
  const { servingAmount, basis, perServing } = facts;
  const rows = usRows(facts);
  const isOld = random() < 0.5;
  const prints = [
    { text: 'Nutrition', x: 20, y: 50, size: 38, bold: true },
    { text: 'Facts', x: 20, y: 92, size: 38, bold: true },
    ...(isOld
      ? [
          { text: `Serv. Size 1/3 cup (${servingAmount}${basis})`, x: 20, y: 124, size: 17 },
          { text: 'Servings about 4', x: 20, y: 146, size: 17 },
          { text: `Calories ${perServing.kcal}`, x: 20, y: 176, size: 22, bold: true },
          { text: `Fat Cal. ${perServing.fat * 9}`, x: 40, y: 202, size: 19 },
        ]
      : [
          { text: '4 servings per container', x: 20, y: 122, size: 16 },
          { text: 'Serving size', x: 20, y: 144, size: 17, bold: true },
          { text: `1/3 cup (${servingAmount}${basis})`, x: 20, y: 166, size: 17, bold: true },
          { text: 'Calories', x: 20, y: 200, size: 26, bold: true },
          { text: 'per serving', x: 20, y: 222, size: 16 },
          { text: `${perServing.kcal}`, x: 290, y: 214, size: 40, bold: true, anchor: 'end' as const },
        ]),
  ];
  const perBlock = pick(random, [4, 5]);
  const blocks = Math.ceil(rows.length / perBlock);
  for (let block = 0; block < Math.min(2, blocks); block++) {
    const left = 320 + block * 330;
    prints.push({ text: 'Amount/serving', x: left, y: 40, size: 16, bold: true });
    prints.push({ text: '%DV*', x: left + 305, y: 40, size: 16, bold: true, anchor: 'end' });
  }
  for (const [index, [name, amount, percent]] of rows.entries()) {
    const block = Math.min(1, Math.floor(index / perBlock));
    const left = 320 + block * 330;
    const y = 70 + (index - block * perBlock) * 32;
    prints.push({
      text: `${name} ${amount}`,
      x: left,
      y,
      size: 19,
      bold: !/Sat|Trans|Fiber|Sugars/.test(name),
    });
    if (percent !== '') prints.push({ text: percent, x: left + 305, y, size: 19, bold: true, anchor: 'end' });
  }
  return { drawing: { width: 990, height: 260, prints, rules: [] }, values: usValues(facts), servingAmount };
}

export const TEXT_KINDS: readonly LabelKind[] = [
  { name: 'linear, US', draw: usLinear },
  { name: 'linear, EU', draw: euLinear },
  { name: 'side by side, US', draw: usSideBySide },
];
