import { REGISTRY } from './nutrients.ts';

/** The authority that recommends an intake. */
export const REFERENCE_SOURCES = {
  efsa: {
    name: 'European Food Safety Authority: Dietary Reference Values, summary report, 2017, and sodium and chloride, 2019',
    link: 'https://doi.org/10.2903/sp.efsa.2017.e15121',
  },
  nih: {
    name: 'National Institutes of Health, Office of Dietary Supplements: Dietary Reference Intakes of the National Academies',
    link: 'https://ods.od.nih.gov/HealthInformation/nutrientrecommendations.aspx',
  },
} as const;
export type ReferenceSource = keyof typeof REFERENCE_SOURCES;

/**
 * `recommended`: covers nearly everybody (EFSA's PRI, the RDA). `adequate`: an intake that healthy people have (AI); EFSA calls
 * that of sodium and chloride safe and adequate.
 */
export const REFERENCE_KINDS = ['recommended', 'adequate'] as const;

/** An intake in a day, in the unit of the nutrient. */
export interface ReferenceValue {
  readonly nutrient: string;
  readonly source: ReferenceSource;
  readonly kind: (typeof REFERENCE_KINDS)[number];
  /** Absent if it is the same for both. */
  readonly sex?: 'female' | 'male';
  /** Age in whole years, `toAge` included; absent without an end. */
  readonly fromAge: number;
  readonly toAge?: number;
  readonly value: number;
}

/**
 * `age:value` from this age on, `age:male/female` where they differ. A row is recommended unless its name is followed by `~`
 * (adequate). Left out: values for pregnancy and lactation, those per energy (EFSA's thiamin and niacin) and shares of the energy.
 * EFSA's iron of women falls with menopause, for which 51 stands, and its zinc of adults depends on phytate, here 600 mg.
 */
const TABLES: Readonly<Record<ReferenceSource, string>> = {
  efsa: `
fiber ~ 1:10 4:14 7:16 11:19 15:21 18:25
sodium ~ 1:1100 4:1300 7:1700 11:2000
potassium ~ 1:800 4:1100 7:1800 11:2700 15:3500
calcium 1:450 4:800 11:1150 18:1000 25:950
iron 1:7 7:11 12:11/13 18:11/16 51:11
vitaminD ~ 1:15
vitaminA 1:250 4:300 7:400 11:600 15:750/650
vitaminE ~ 1:6 3:9 10:13/11
vitaminK ~ 1:12 4:20 7:30 11:45 15:65 18:70
vitaminC 1:20 4:30 7:45 11:70 15:100/90 18:110/95
riboflavin 1:0.6 4:0.7 7:1 11:1.4 15:1.6
vitaminB6 1:0.6 4:0.7 7:1 11:1.4 15:1.7/1.6
folate 1:120 4:140 7:200 11:270 15:330
vitaminB12 ~ 1:1.5 7:2.5 11:3.5 15:4
biotin ~ 1:20 4:25 11:35 18:40
pantothenicAcid ~ 1:4 11:5
choline ~ 1:140 4:170 7:250 11:340 15:400
magnesium ~ 1:170 3:230 10:300/250 18:350/300
phosphorus ~ 1:250 4:440 11:640 18:550
zinc 1:4.3 4:5.5 7:7.4 11:10.7 15:14.2/11.9 18:11.7/9.3
copper ~ 1:0.7 3:1 10:1.3/1.1 18:1.6/1.3
manganese ~ 1:0.5 4:1 7:1.5 11:2 15:3
selenium ~ 1:15 4:20 7:35 11:55 15:70
iodine ~ 1:90 11:120 15:130 18:150
fluoride ~ 1:600 4:1000/900 7:1500/1400 11:2200/2300 15:3200/2800 18:3400/2900
molybdenum ~ 1:15 4:20 7:30 11:45 15:65
chloride ~ 1:1700 4:2000 7:2600 11:3100`,
  nih: `
protein 1:13 4:19 9:34 14:52/46 19:56/46
carbohydrates 1:130
fiber ~ 1:19 4:25 9:31/26 14:38/26 19:38/25 51:30/21
linoleicAcid ~ 1:7 4:10 9:12/10 14:16/11 19:17/12 51:14/11
alphaLinolenicAcid ~ 1:0.7 4:0.9 9:1.2/1 14:1.6/1.1
sodium ~ 1:800 4:1000 9:1200 14:1500
potassium ~ 1:2000 4:2300 9:2500/2300 14:3000/2300 19:3400/2600
calcium 1:700 4:1000 9:1300 19:1000 51:1000/1200 71:1200
iron 1:7 4:10 9:8 14:11/15 19:8/18 51:8
vitaminD 1:15 71:20
vitaminA 1:300 4:400 9:600 14:900/700
vitaminE 1:6 4:7 9:11 14:15
vitaminK ~ 1:30 4:55 9:60 14:75 19:120/90
vitaminC 1:15 4:25 9:45 14:75/65 19:90/75
thiamin 1:0.5 4:0.6 9:0.9 14:1.2/1 19:1.2/1.1
riboflavin 1:0.5 4:0.6 9:0.9 14:1.3/1 19:1.3/1.1
niacin 1:6 4:8 9:12 14:16/14
vitaminB6 1:0.5 4:0.6 9:1 14:1.3/1.2 19:1.3 51:1.7/1.5
folate 1:150 4:200 9:300 14:400
vitaminB12 1:0.9 4:1.2 9:1.8 14:2.4
biotin ~ 1:8 4:12 9:20 14:25 19:30
pantothenicAcid ~ 1:2 4:3 9:4 14:5
choline ~ 1:200 4:250 9:375 14:550/400 19:550/425
magnesium 1:80 4:130 9:240 14:410/360 19:400/310 31:420/320
phosphorus 1:460 4:500 9:1250 19:700
zinc 1:3 4:5 9:8 14:11/9 19:11/8
copper 1:0.34 4:0.44 9:0.7 14:0.89 19:0.9
manganese ~ 1:1.2 4:1.5 9:1.9/1.6 14:2.2/1.6 19:2.3/1.8
selenium 1:20 4:30 9:40 14:55
iodine 1:90 9:120 14:150
fluoride ~ 1:700 4:1000 9:2000 14:3000 19:4000/3000
chromium ~ 1:11 4:15 9:25/21 14:35/24 19:35/25 51:30/20
molybdenum 1:17 4:22 9:34 14:43 19:45
chloride ~ 1:1500 4:1900 9:2300 51:2000 71:1800`,
};

/** Reference values for display, which are no advice: by nutrient, source, age and sex. */
export const REFERENCE_VALUES: readonly ReferenceValue[] = (
  Object.entries(TABLES) as [ReferenceSource, string][]
).flatMap(([source, table]) =>
  table
    .trim()
    .split('\n')
    .flatMap((line) => valuesOf(source, line)),
);

function valuesOf(source: ReferenceSource, line: string): ReferenceValue[] {
  const [nutrient = '', ...rest] = line.split(' ');
  if (!REGISTRY.some(({ key }) => key === nutrient)) throw new RangeError(`no nutrient "${nutrient}"`);
  const isAdequate = rest[0] === '~';
  const steps = (isAdequate ? rest.slice(1) : rest).map((step) => step.split(':') as [string, string]);
  return steps.flatMap(([from, values], at) => {
    const next = steps[at + 1];
    const span = {
      nutrient,
      source,
      kind: isAdequate ? ('adequate' as const) : ('recommended' as const),
      fromAge: Number(from),
      ...(next && { toAge: Number(next[0]) - 1 }),
    };
    const [male, female] = values.split('/').map(Number);
    if (female === undefined) return [{ ...span, value: male! }];
    return [
      { ...span, sex: 'female' as const, value: female },
      { ...span, sex: 'male' as const, value: male! },
    ];
  });
}

/** The values that a person of this sex and age is shown, by nutrient. Without a sex only values that are the same for both. */
export function referenceValuesFor(
  source: ReferenceSource,
  { sex, age }: { readonly sex?: 'female' | 'male'; readonly age: number },
): ReadonlyMap<string, ReferenceValue> {
  return new Map(
    REFERENCE_VALUES.filter(
      (value) =>
        value.source === source &&
        value.fromAge <= age &&
        age <= (value.toAge ?? age) &&
        (value.sex === undefined || value.sex === sex),
    ).map((value) => [value.nutrient, value]),
  );
}
