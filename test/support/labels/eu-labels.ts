import type { LabelDrawing, Print } from './label-svg.ts';
import type { PrintedAmounts, PrintedFacts } from './printed-facts.ts';

const ROW = 36;
const LEFT = 24;

/** Words of one language: heading, per 100, per serving, then the seven rows and fibre in the order of EU regulation 1169/2011. */
const EU_WORDS = {
  en: [
    'Nutrition information',
    'per 100 g',
    'per serving',
    'Energy',
    'Fat',
    'of which saturates',
    'Carbohydrate',
    'of which sugars',
    'Fibre',
    'Protein',
    'Salt',
  ],
  de: [
    'Nährwertangaben',
    'pro 100 g',
    'pro Portion',
    'Energie',
    'Fett',
    'davon gesättigte Fettsäuren',
    'Kohlenhydrate',
    'davon Zucker',
    'Ballaststoffe',
    'Eiweiß',
    'Salz',
  ],
  fr: [
    'Valeurs nutritionnelles',
    'pour 100 g',
    'par portion',
    'Énergie',
    'Matières grasses',
    'dont acides gras saturés',
    'Glucides',
    'dont sucres',
    'Fibres alimentaires',
    'Protéines',
    'Sel',
  ],
  es: [
    'Información nutricional',
    'por 100 g',
    'por porción',
    'Valor energético',
    'Grasas',
    'de las cuales saturadas',
    'Hidratos de carbono',
    'de los cuales azúcares',
    'Fibra alimentaria',
    'Proteínas',
    'Sal',
  ],
  it: [
    'Dichiarazione nutrizionale',
    'per 100 g',
    'per porzione',
    'Energia',
    'Grassi',
    'di cui acidi grassi saturi',
    'Carboidrati',
    'di cui zuccheri',
    'Fibre',
    'Proteine',
    'Sale',
  ],
  nl: [
    'Voedingswaarde',
    'per 100 g',
    'per portie',
    'Energie',
    'Vetten',
    'waarvan verzadigde vetzuren',
    'Koolhydraten',
    'waarvan suikers',
    'Vezels',
    'Eiwitten',
    'Zout',
  ],
  pt: [
    'Declaração nutricional',
    'por 100 g',
    'por porção',
    'Energia',
    'Lípidos',
    'dos quais saturados',
    'Hidratos de carbono',
    'dos quais açúcares',
    'Fibra',
    'Proteínas',
    'Sal',
  ],
  pl: [
    'Wartość odżywcza',
    'w 100 g',
    'w porcji',
    'Wartość energetyczna',
    'Tłuszcz',
    'w tym kwasy nasycone',
    'Węglowodany',
    'w tym cukry',
    'Błonnik',
    'Białko',
    'Sól',
  ],
  sv: [
    'Näringsdeklaration',
    'per 100 g',
    'per portion',
    'Energi',
    'Fett',
    'varav mättat fett',
    'Kolhydrat',
    'varav sockerarter',
    'Fiber',
    'Protein',
    'Salt',
  ],
  da: [
    'Næringsdeklaration',
    'pr. 100 g',
    'pr. portion',
    'Energi',
    'Fedt',
    'heraf mættede fedtsyrer',
    'Kulhydrat',
    'heraf sukkerarter',
    'Kostfibre',
    'Protein',
    'Salt',
  ],
} as const;

export type EuLanguage = keyof typeof EU_WORDS;

export interface EuStyle {
  readonly language: EuLanguage;
  readonly columns: readonly ('hundred' | 'serving')[];
  /** kJ and kcal with a stroke in one cell, or in two rows. */
  readonly energy: 'one cell' | 'two rows';
}

/** The table that the European Union prescribes. */
export function euTable(
  { per100, perServing, servingAmount, basis }: PrintedFacts,
  { language, columns, energy }: EuStyle,
): LabelDrawing {
  const [title, hundred, serving, ...names] = EU_WORDS[language];
  const comma = language !== 'en';
  const write = (value: number, unit: string, digits = 1) =>
    `${comma ? value.toFixed(digits).replace('.', ',') : value.toFixed(digits)} ${unit}`;
  const amounts = columns.map((column) => (column === 'hundred' ? per100 : perServing));
  const rights = columns.length === 1 ? [640] : [590, 800];
  const width = rights.at(-1)! + LEFT;
  const heads = columns.map((column) =>
    column === 'hundred' ? hundred.replace(/g$/, basis) : `${serving} (${servingAmount} ${basis})`,
  );
  const cells = (of: (amounts: PrintedAmounts) => string) => amounts.map(of);
  const [nEnergy, nFat, nSaturated, nCarbs, nSugars, nFibre, nProtein, nSalt] = names as readonly string[];
  const energyRows: [string, string[]][] =
    energy === 'one cell'
      ? [[nEnergy!, cells(({ kj, kcal }) => `${kj} kJ/${kcal} kcal`)]]
      : [
          [nEnergy!, cells(({ kj }) => `${kj} kJ`)],
          ['', cells(({ kcal }) => `${kcal} kcal`)],
        ];
  const rows: [string, string[]][] = [
    ...energyRows,
    [nFat!, cells(({ fat }) => write(fat, 'g'))],
    [nSaturated!, cells(({ saturatedFat }) => write(saturatedFat, 'g'))],
    [nCarbs!, cells(({ carbohydrates }) => write(carbohydrates, 'g'))],
    [nSugars!, cells(({ sugars }) => write(sugars, 'g'))],
    [nFibre!, cells(({ fiber }) => write(fiber, 'g'))],
    [nProtein!, cells(({ protein }) => write(protein, 'g'))],
    [nSalt!, cells(({ salt }) => write(salt, 'g', 2))],
  ];
  const prints: Print[] = [{ text: title, x: LEFT, y: 52, size: 26, bold: true }];
  let y = 92;
  for (const [index, text] of heads.entries())
    prints.push({ text, x: rights[index]!, y, size: 19, bold: true, anchor: 'end' });
  const rules = [{ y: 64, thickness: 3 }];
  for (const [name, values] of rows) {
    rules.push({ y: y + 10, thickness: 1 });
    y += ROW;
    const isPart = /^(?:of|davon|dont|de l|di|waarvan|dos|w tym|varav|heraf)/u.test(name);
    prints.push({ text: name, x: LEFT + (isPart ? 16 : 0), y });
    for (const [index, text] of values.entries()) prints.push({ text, x: rights[index]!, y, anchor: 'end' });
  }
  return { width, height: y + 36, prints, rules };
}

/** Adds the five traffic lights of the front, which show energy and four nutrients above their amounts. */
export function ukWithLights(facts: PrintedFacts): LabelDrawing {
  const table = euTable(facts, { language: 'en', columns: ['hundred', 'serving'], energy: 'one cell' });
  const { kj, kcal, fat, saturatedFat, sugars, salt } = facts.perServing;
  const lights: readonly (readonly [string, string])[] = [
    ['Energy', `${kj}kJ ${kcal}kcal`],
    ['Fat', `${fat}g`],
    ['Saturates', `${saturatedFat}g`],
    ['Sugars', `${sugars}g`],
    ['Salt', `${salt}g`],
  ];
  const prints = lights.flatMap(([name, amount], index) => {
    const x = 90 + index * 160;
    return [
      { text: name, x, y: table.height + 30, size: 18, anchor: 'middle' as const },
      { text: amount, x, y: table.height + 58, size: 18, bold: true, anchor: 'middle' as const },
      { text: `${5 + index * 3}%`, x, y: table.height + 84, size: 18, anchor: 'middle' as const },
    ];
  });
  return { ...table, height: table.height + 110, prints: [...table.prints, ...prints] };
}

export function australian({ per100, perServing, servingAmount, basis }: PrintedFacts): LabelDrawing {
  const width = 720;
  const rows: readonly (readonly [string, (amounts: PrintedAmounts) => string])[] = [
    ['Energy', ({ kj }) => `${kj} kJ`],
    ['Protein', ({ protein }) => `${protein.toFixed(1)} g`],
    ['Fat, total', ({ fat }) => `${fat.toFixed(1)} g`],
    ['– saturated', ({ saturatedFat }) => `${saturatedFat.toFixed(1)} g`],
    ['Carbohydrate', ({ carbohydrates }) => `${carbohydrates.toFixed(1)} g`],
    ['– sugars', ({ sugars }) => `${sugars.toFixed(1)} g`],
    ['Dietary fibre', ({ fiber }) => `${fiber.toFixed(1)} g`],
    ['Sodium', ({ sodium }) => `${sodium} mg`],
  ];
  const prints: Print[] = [
    { text: 'NUTRITION INFORMATION', x: LEFT, y: 50, size: 26, bold: true },
    { text: 'Servings per package: 6', x: LEFT, y: 84 },
    { text: `Serving size: ${servingAmount} ${basis}`, x: LEFT, y: 116 },
    { text: 'Avg. Quantity', x: 470, y: 152, size: 18, anchor: 'end' },
    { text: 'Avg. Quantity', x: width - LEFT, y: 152, size: 18, anchor: 'end' },
    { text: 'Per Serving', x: 470, y: 176, size: 18, bold: true, anchor: 'end' },
    { text: `Per 100 ${basis}`, x: width - LEFT, y: 176, size: 18, bold: true, anchor: 'end' },
  ];
  const rules = [{ y: 60, thickness: 3 }];
  let y = 182;
  for (const [name, of] of rows) {
    y += ROW;
    prints.push(
      { text: name, x: LEFT, y },
      { text: of(perServing), x: 470, y, anchor: 'end' },
      { text: of(per100), x: width - LEFT, y, anchor: 'end' },
    );
    rules.push({ y: y + 10, thickness: 1 });
  }
  return { width, height: y + 36, prints, rules };
}
