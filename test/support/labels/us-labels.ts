import type { LabelDrawing, Print } from './label-svg.ts';
import type { PrintedAmounts, PrintedFacts } from './printed-facts.ts';

const ROW = 34;
const LEFT = 24;

/** Rows of the United States' vertical label: name, amount, % daily value, indent. */
function rowsOf(amounts: PrintedAmounts): readonly (readonly [string, string, string, number])[] {
  const percent = (share: number) => `${Math.round(share * 100)}%`;
  const { fat, saturatedFat, cholesterol, sodium, carbohydrates, fiber, sugars, protein } = amounts;
  return [
    ['Total Fat', `${fat}g`, percent(fat / 78), 0],
    ['Saturated Fat', `${saturatedFat}g`, percent(saturatedFat / 20), 1],
    ['Trans Fat', '0g', '', 1],
    ['Cholesterol', `${cholesterol}mg`, percent(cholesterol / 300), 0],
    ['Sodium', `${sodium}mg`, percent(sodium / 2300), 0],
    ['Total Carbohydrate', `${carbohydrates}g`, percent(carbohydrates / 275), 0],
    ['Dietary Fiber', `${fiber}g`, percent(fiber / 28), 1],
    ['Total Sugars', `${sugars}g`, '', 1],
    ['Protein', `${protein}g`, '', 0],
  ];
}

export function usVertical(
  { perServing, servingAmount, basis }: PrintedFacts,
  style: 'old' | 'new',
): LabelDrawing {
  const width = 460;
  const prints: Print[] = [{ text: 'Nutrition Facts', x: LEFT, y: 62, size: 48, bold: true }];
  const rules = [{ y: 74, thickness: 2 }];
  let y = 104;
  if (style === 'new') {
    prints.push({ text: '8 servings per container', x: LEFT, y });
    y += ROW;
    prints.push({ text: 'Serving size', x: LEFT, y, bold: true });
    prints.push({
      text: `2/3 cup (${servingAmount}${basis})`,
      x: width - LEFT,
      y,
      bold: true,
      anchor: 'end',
    });
    rules.push({ y: y + 12, thickness: 12 });
    y += 60;
    prints.push({ text: 'Amount per serving', x: LEFT, y, size: 18, bold: true });
    y += 46;
    prints.push({ text: 'Calories', x: LEFT, y, size: 40, bold: true });
    prints.push({ text: `${perServing.kcal}`, x: width - LEFT, y, size: 54, bold: true, anchor: 'end' });
  } else {
    prints.push({ text: `Serving Size 2/3 cup (${servingAmount}${basis})`, x: LEFT, y });
    y += ROW - 4;
    prints.push({ text: 'Servings Per Container about 8', x: LEFT, y });
    rules.push({ y: y + 12, thickness: 12 });
    y += 54;
    prints.push({ text: 'Amount Per Serving', x: LEFT, y, size: 18, bold: true });
    y += ROW;
    prints.push({ text: `Calories ${perServing.kcal}`, x: LEFT, y, bold: true });
    prints.push({
      text: `Calories from Fat ${perServing.fat * 9}`,
      x: width - LEFT,
      y,
      size: 19,
      anchor: 'end',
    });
  }
  rules.push({ y: y + 12, thickness: 6 });
  y += 44;
  prints.push({ text: '% Daily Value*', x: width - LEFT, y, size: 18, bold: true, anchor: 'end' });
  for (const [name, amount, percent, indent] of rowsOf(perServing)) {
    rules.push({ y: y + 9, thickness: 1 });
    y += ROW;
    prints.push({ text: `${name} ${amount}`, x: LEFT + 24 * indent, y, bold: indent === 0 });
    prints.push({ text: percent, x: width - LEFT, y, bold: true, anchor: 'end' });
  }
  rules.push({ y: y + 12, thickness: 12 });
  y += 54;
  prints.push(
    { text: 'Vitamin D 2mcg 10%', x: LEFT, y },
    { text: 'Iron 1mg 6%', x: width - LEFT, y, anchor: 'end' },
  );
  y += ROW;
  prints.push({ text: '*Percent Daily Values are based on a 2,000', x: LEFT, y, size: 16 });
  return { width, height: y + 30, prints, rules };
}

/** Two blocks of nutrients side by side. */
export function usTabular({ perServing, servingAmount, basis }: PrintedFacts): LabelDrawing {
  const width = 1060;
  const rows = rowsOf(perServing);
  const prints: Print[] = [
    { text: 'Nutrition', x: LEFT, y: 60, size: 40, bold: true },
    { text: 'Facts', x: LEFT, y: 104, size: 40, bold: true },
    { text: `Serving size 1 bar (${servingAmount}${basis})`, x: LEFT, y: 146, size: 18 },
    { text: 'Calories', x: LEFT, y: 196, size: 34, bold: true },
    { text: `${perServing.kcal}`, x: 300, y: 196, size: 40, bold: true, anchor: 'end' },
  ];
  for (const [index, [name, amount, percent, indent]] of rows.entries()) {
    const left = index < 5 ? 340 : 710;
    const y = 60 + (index % 5) * ROW;
    prints.push({ text: `${name} ${amount}`, x: left + 16 * indent, y, bold: indent === 0, size: 20 });
    prints.push({ text: percent, x: left + 330, y, bold: true, anchor: 'end', size: 20 });
  }
  return { width, height: 240, prints, rules: [] };
}

/** Running text, for small packages. */
export function usLinear({ perServing, servingAmount, basis }: PrintedFacts): LabelDrawing {
  const rows = rowsOf(perServing).map(([name, amount, percent]) =>
    percent === '' ? `${name} ${amount}` : `${name} ${amount} (${percent} DV)`,
  );
  const parts = [
    `Serv. size: 1 bar (${servingAmount}${basis})`,
    'Amount per serving:',
    `Calories ${perServing.kcal}`,
    ...rows,
  ];
  const lines: string[] = ['Nutrition Facts'];
  for (const [index, part] of parts.entries()) {
    const text = index < parts.length - 1 ? `${part},` : `${part}.`;
    if (`${lines.at(-1)} ${text}`.length > 52) lines.push(text);
    else lines[lines.length - 1] += ` ${text}`;
  }
  const prints = lines.map((text, index) => ({
    text,
    x: LEFT,
    y: 50 + index * 32,
    size: 21,
    bold: index === 0,
  }));
  return { width: 720, height: 60 + lines.length * 32, prints, rules: [] };
}

/** Draws a label with the amounts of a serving and of the whole package. */
export function usDualColumn({ perServing, servingAmount, basis }: PrintedFacts): LabelDrawing {
  const width = 720;
  const prints: Print[] = [
    { text: 'Nutrition Facts', x: LEFT, y: 60, size: 46, bold: true },
    { text: '2 servings per container', x: LEFT, y: 98 },
    { text: `Serving size 1 cup (${servingAmount}${basis})`, x: LEFT, y: 132, bold: true },
    { text: 'Per serving', x: 420, y: 176, bold: true, anchor: 'end' },
    { text: 'Per container', x: width - LEFT, y: 176, bold: true, anchor: 'end' },
    { text: 'Calories', x: LEFT, y: 222, size: 36, bold: true },
    { text: `${perServing.kcal}`, x: 420, y: 222, size: 40, bold: true, anchor: 'end' },
    { text: `${perServing.kcal * 2}`, x: width - LEFT, y: 222, size: 40, bold: true, anchor: 'end' },
  ];
  const rules = [
    { y: 144, thickness: 10 },
    { y: 232, thickness: 6 },
  ];
  let y = 236;
  for (const [name, amount, percent, indent] of rowsOf(perServing)) {
    y += ROW;
    const twice = amount.replace(/[\d.]+/, (number) => `${Number(number) * 2}`);
    prints.push({ text: name, x: LEFT + 20 * indent, y, bold: indent === 0 });
    prints.push({ text: amount, x: 340, y }, { text: percent, x: 450, y, bold: true, anchor: 'end' });
    prints.push(
      { text: twice, x: 540, y },
      {
        text: percent && `${Number.parseInt(percent, 10) * 2}%`,
        x: width - LEFT,
        y,
        bold: true,
        anchor: 'end',
      },
    );
    rules.push({ y: y + 9, thickness: 1 });
  }
  return { width, height: y + 40, prints, rules };
}

export function canadian({ perServing, servingAmount, basis }: PrintedFacts): LabelDrawing {
  const { kcal, fat, saturatedFat, cholesterol, sodium, carbohydrates, fiber, sugars, protein } = perServing;
  const width = 480;
  const prints: Print[] = [
    { text: 'Nutrition Facts', x: LEFT, y: 56, size: 40, bold: true },
    { text: 'Valeur nutritive', x: LEFT, y: 98, size: 40, bold: true },
    {
      text: `Per 1 cup (${servingAmount} ${basis}) / pour 1 tasse (${servingAmount} ${basis})`,
      x: LEFT,
      y: 130,
      size: 17,
    },
    { text: 'Amount', x: LEFT, y: 168, size: 18, bold: true },
    { text: '% Daily Value', x: width - LEFT, y: 168, size: 18, bold: true, anchor: 'end' },
    { text: `Calories / Calories ${kcal}`, x: LEFT, y: 200, bold: true },
  ];
  const rows: readonly (readonly [string, string])[] = [
    [`Fat / Lipides ${fat} g`, `${Math.round((fat / 65) * 100)} %`],
    [`   Saturated / saturés ${saturatedFat} g`, `${Math.round((saturatedFat / 20) * 100)} %`],
    [`Cholesterol / Cholestérol ${cholesterol} mg`, ''],
    [`Sodium / Sodium ${sodium} mg`, `${Math.round((sodium / 2400) * 100)} %`],
    [`Carbohydrate / Glucides ${carbohydrates} g`, `${Math.round((carbohydrates / 300) * 100)} %`],
    [`   Fibre / Fibres ${fiber} g`, `${Math.round((fiber / 25) * 100)} %`],
    [`   Sugars / Sucres ${sugars} g`, ''],
    [`Protein / Protéines ${protein} g`, ''],
  ];
  let y = 202;
  const rules = [{ y: 140, thickness: 6 }];
  for (const [text, percent] of rows) {
    y += ROW;
    prints.push({ text: text.trim(), x: LEFT + (text.startsWith(' ') ? 20 : 0), y });
    prints.push({ text: percent, x: width - LEFT, y, anchor: 'end' });
    rules.push({ y: y + 9, thickness: 1 });
  }
  return { width, height: y + 40, prints, rules };
}
