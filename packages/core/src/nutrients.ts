/** Energy in kcal; masses in g, mg or ug. */
export type NutrientUnit = 'kcal' | 'g' | 'mg' | 'ug';

/** The names of a nutrient in each source. A source without one lacks the nutrient. */
export interface NutrientColumns {
  /**
   * `nutrient.id` and `nutrient.nutrient_nbr` of FoodData Central; the first available one counts. Of the
   * Atwater energies the specific one comes first, on which USDA's 1008 is based.
   */
  readonly fdc?: ReadonlyArray<readonly [id: number, number: number]>;
  /** Open Food Facts' names, https://wiki.openfoodfacts.org/Nutrients_handling_in_Open_Food_Facts. */
  readonly off?: readonly string[];
}

interface NutrientRow extends NutrientColumns {
  /** Name in the API. */
  readonly key: string;
  readonly unit: NutrientUnit;
  /** Every complete food has this nutrient. */
  readonly isRequired?: true;
  /** The nutrient that this one is a part of and cannot exceed. */
  readonly partOf?: string;
  /** Limit of nutrients in mg and ug: more in 1 g of food is a misread label. */
  readonly maxPerGram?: number;
  /**
   * Decimals to which FoodData Central rounds when it scales a label to 100 g or ml: the maximum in its branded foods of
   * 2018. Absent if it does not round.
   */
  readonly fdcDecimals?: number;
}

/**
 * All nutrients, one row each. Append only: the position of a row is the number of its nutrient in food
 * records and in stored entries, and never changes. The required ones come first. The columns of the diary's
 * tables are derived from the keys, so a new row needs a migration; programs without it preserve its amounts
 * in the records that they read.
 */
const ROWS = [
  {
    key: 'energy',
    unit: 'kcal',
    isRequired: true,
    fdcDecimals: 0,
    fdc: [
      [1008, 208],
      [2048, 958],
      [2047, 957],
    ],
    off: ['energy-kcal'],
  },
  {
    key: 'protein',
    unit: 'g',
    isRequired: true,
    fdcDecimals: 2,
    fdc: [[1003, 203]],
    off: ['proteins'],
  },
  {
    key: 'fat',
    unit: 'g',
    isRequired: true,
    fdcDecimals: 2,
    fdc: [[1004, 204]],
    off: ['fat'],
  },
  {
    // Available carbohydrates, as on European labels; FoodData Central's include fibre.
    key: 'carbohydrates',
    unit: 'g',
    isRequired: true,
    fdcDecimals: 2,
    fdc: [[1005, 205]],
    off: ['carbohydrates'],
  },
  {
    key: 'fiber',
    unit: 'g',
    fdcDecimals: 1,
    fdc: [
      [1079, 291],
      [2033, 293],
    ],
    off: ['fiber'],
  },
  {
    key: 'sugars',
    unit: 'g',
    partOf: 'carbohydrates',
    fdcDecimals: 2,
    fdc: [
      [2000, 269],
      [1063, 269.3],
    ],
    off: ['sugars'],
  },
  { key: 'addedSugars', unit: 'g', partOf: 'sugars', fdc: [[1235, 539]], off: ['added-sugars'] },
  {
    key: 'saturatedFat',
    unit: 'g',
    partOf: 'fat',
    fdcDecimals: 2,
    fdc: [[1258, 606]],
    off: ['saturated-fat'],
  },
  { key: 'transFat', unit: 'g', partOf: 'fat', fdcDecimals: 2, fdc: [[1257, 605]], off: ['trans-fat'] },
  {
    key: 'cholesterol',
    unit: 'mg',
    maxPerGram: 100,
    fdcDecimals: 0,
    fdc: [[1253, 601]],
    off: ['cholesterol'],
  },
  {
    key: 'sodium',
    unit: 'mg',
    // Pure salt.
    maxPerGram: 400,
    fdcDecimals: 0,
    fdc: [[1093, 307]],
    off: ['sodium'],
  },
  {
    key: 'potassium',
    unit: 'mg',
    maxPerGram: 600,
    fdcDecimals: 0,
    fdc: [[1092, 306]],
    off: ['potassium'],
  },
  {
    key: 'calcium',
    unit: 'mg',
    maxPerGram: 500,
    fdcDecimals: 0,
    fdc: [[1087, 301]],
    off: ['calcium'],
  },
  {
    key: 'iron',
    unit: 'mg',
    maxPerGram: 100,
    fdcDecimals: 2,
    fdc: [[1089, 303]],
    off: ['iron'],
  },
  {
    key: 'vitaminD',
    unit: 'ug',
    maxPerGram: 1000,
    fdc: [[1114, 328]],
    off: ['vitamin-d'],
  },
] as const satisfies readonly NutrientRow[];

export type NutrientKey = (typeof ROWS)[number]['key'];
type RequiredNutrient = Extract<(typeof ROWS)[number], { isRequired: true }>['key'];

export interface Nutrient extends NutrientRow {
  readonly key: NutrientKey;
  readonly partOf?: NutrientKey;
}

/** By number. */
export const NUTRIENTS: readonly Nutrient[] = ROWS;
export const NUTRIENT_KEYS: readonly NutrientKey[] = ROWS.map(({ key }) => key);
export const NUTRIENT = byKey((nutrient) => nutrient);
export const NUTRIENT_UNITS = byKey(({ unit }) => unit);

/** Nutrients with fields of their own in entries and sums, by these fields, in the order of stored amounts. */
export const FIELD_NUTRIENTS = {
  calories: 'energy',
  protein: 'protein',
  carbs: 'carbohydrates',
  fat: 'fat',
  fiber: 'fiber',
  sodium: 'sodium',
} as const satisfies Readonly<Record<string, NutrientKey>>;

/** The nutrients that every complete food has. */
export const REQUIRED_NUTRIENTS = NUTRIENTS.filter(({ isRequired }) => isRequired).map(
  ({ key }) => key as RequiredNutrient,
);

/** Amounts in the unit of `REGISTRY_UNITS`; unknown nutrients are absent, never 0. */
export type PartialNutrients = Partial<Record<AnyNutrientKey, number>>;

/** The sum of each nutrient over the items that state it; a nutrient that no item states is absent. */
export function sumsOfKnown(items: readonly Readonly<PartialNutrients>[]): PartialNutrients {
  const sums: PartialNutrients = {};
  for (const item of items) {
    for (const [key, amount] of Object.entries(item) as [AnyNutrientKey, number | undefined][])
      if (amount !== undefined) sums[key] = (sums[key] ?? 0) + amount;
  }
  return sums;
}

/** The nutrients of a complete food. */
export type Nutrients = PartialNutrients & Record<RequiredNutrient, number>;

function byKey<T>(of: (nutrient: Nutrient) => T): Readonly<Record<NutrientKey, T>> {
  return Object.fromEntries(ROWS.map((row) => [row.key, of(row)])) as Record<NutrientKey, T>;
}

interface NutrientForm extends NutrientColumns {
  readonly key: string;
  readonly unit: 'kj' | 'g' | 'iu';
  /** The nutrient that it is converted to, and the amount of that in one unit. */
  readonly of?: NutrientKey;
  readonly factor?: number;
  /** Factor from Open Food Facts' unit, if it differs from `unit`. */
  readonly offFactor?: number;
}

export const KJ_PER_KCAL = 4.184;
/** EU regulation 1169/2011, annex I: salt is 2.5 times its sodium. */
export const MG_SODIUM_PER_G_SALT = 400;
const GRAMS_PER_ML_ALCOHOL = 0.789;

const FORMS = [
  {
    key: 'energyKj',
    unit: 'kj',
    of: 'energy',
    factor: 1 / KJ_PER_KCAL,
    fdc: [[1062, 268]],
    off: ['energy-kj', 'energy'],
  },
  { key: 'saltG', unit: 'g', of: 'sodium', factor: MG_SODIUM_PER_G_SALT, off: ['salt'] },
  { key: 'vitaminDIu', unit: 'iu', of: 'vitaminD', factor: 1 / 40, fdc: [[1110, 324]] },
  // Used only to compute energy, at 7 kcal per g. Open Food Facts states percent by volume.
  {
    key: 'alcoholG',
    unit: 'g',
    offFactor: GRAMS_PER_ML_ALCOHOL,
    fdc: [[1018, 221]],
    off: ['alcohol'],
  },
  // Carbohydrates with less energy.
  { key: 'polyolsG', unit: 'g', fdc: [[1086, 299]], off: ['polyols'] },
  { key: 'erythritolG', unit: 'g', off: ['erythritol'] },
] as const satisfies readonly NutrientForm[];

export type NutrientFormKey = (typeof FORMS)[number]['key'];

/** Values that sources state instead of a nutrient, or in addition. */
export const NUTRIENT_FORMS: ReadonlyArray<NutrientForm & { readonly key: NutrientFormKey }> = FORMS;

/** All columns that an import reads from a source. */
export const STATED_NUTRIENTS = [...NUTRIENTS, ...NUTRIENT_FORMS];

/** A nutrient that the facts of a food state beside the fifteen above. */
export interface FurtherNutrient extends NutrientColumns {
  /** Name in the API. */
  readonly key: string;
  /** Vitamin A in IU has no factor to a mass: it depends on the form. */
  readonly unit: NutrientUnit | 'iu';
  /** Factor from Open Food Facts' unit, if it differs from `unit`. */
  readonly offFactor?: number;
}

/**
 * Nutrients beside those above, with the columns of their sources: the catalogue has them among the facts of foods. A row may be added
 * anywhere: whatever is stored names them by their keys, which therefore stay.
 */
const FURTHER = [
  { key: 'water', unit: 'g', fdc: [[1051, 255]], off: ['water'] },
  { key: 'ash', unit: 'g', fdc: [[1007, 207]] },
  { key: 'alcohol', unit: 'g', offFactor: GRAMS_PER_ML_ALCOHOL, fdc: [[1018, 221]], off: ['alcohol'] },
  { key: 'starch', unit: 'g', fdc: [[1009, 209]], off: ['starch'] },
  { key: 'sucrose', unit: 'g', fdc: [[1010, 210]], off: ['sucrose'] },
  { key: 'glucose', unit: 'g', fdc: [[1011, 211]], off: ['glucose'] },
  { key: 'fructose', unit: 'g', fdc: [[1012, 212]], off: ['fructose'] },
  { key: 'lactose', unit: 'g', fdc: [[1013, 213]], off: ['lactose'] },
  { key: 'maltose', unit: 'g', fdc: [[1014, 214]], off: ['maltose'] },
  { key: 'galactose', unit: 'g', fdc: [[1075, 287]], off: ['galactose'] },
  { key: 'maltodextrins', unit: 'g', off: ['maltodextrins'] },
  { key: 'polyols', unit: 'g', fdc: [[1086, 299]], off: ['polyols'] },
  { key: 'erythritol', unit: 'g', off: ['erythritol'] },
  { key: 'isomalt', unit: 'g', off: ['isomalt'] },
  { key: 'maltitol', unit: 'g', off: ['maltitol'] },
  { key: 'sorbitol', unit: 'g', fdc: [[1056, 261]], off: ['sorbitol'] },
  { key: 'xylitol', unit: 'g', fdc: [[1078, 290]] },
  { key: 'solubleFiber', unit: 'g', fdc: [[1082, 295]], off: ['soluble-fiber'] },
  { key: 'insolubleFiber', unit: 'g', fdc: [[1084, 297]], off: ['insoluble-fiber'] },
  { key: 'betaGlucan', unit: 'g', off: ['beta-glucan'] },
  { key: 'monounsaturatedFat', unit: 'g', fdc: [[1292, 645]], off: ['monounsaturated-fat'] },
  { key: 'polyunsaturatedFat', unit: 'g', fdc: [[1293, 646]], off: ['polyunsaturated-fat'] },
  { key: 'omega3', unit: 'g', off: ['omega-3-fat'] },
  { key: 'omega6', unit: 'g', off: ['omega-6-fat'] },
  { key: 'omega9', unit: 'g', off: ['omega-9-fat'] },
  { key: 'butyricAcid', unit: 'g', fdc: [[1259, 607]], off: ['butyric-acid'] },
  { key: 'caproicAcid', unit: 'g', fdc: [[1260, 608]], off: ['caproic-acid'] },
  { key: 'caprylicAcid', unit: 'g', fdc: [[1261, 609]], off: ['caprylic-acid'] },
  { key: 'capricAcid', unit: 'g', fdc: [[1262, 610]], off: ['capric-acid'] },
  { key: 'lauricAcid', unit: 'g', fdc: [[1263, 611]], off: ['lauric-acid'] },
  { key: 'myristicAcid', unit: 'g', fdc: [[1264, 612]], off: ['myristic-acid'] },
  { key: 'palmiticAcid', unit: 'g', fdc: [[1265, 613]], off: ['palmitic-acid'] },
  { key: 'stearicAcid', unit: 'g', fdc: [[1266, 614]], off: ['stearic-acid'] },
  { key: 'arachidicAcid', unit: 'g', fdc: [[1267, 615]], off: ['arachidic-acid'] },
  { key: 'behenicAcid', unit: 'g', fdc: [[1273, 624]], off: ['behenic-acid'] },
  { key: 'lignocericAcid', unit: 'g', fdc: [[1301, 654]], off: ['lignoceric-acid'] },
  { key: 'oleicAcid', unit: 'g', fdc: [[1268, 617]], off: ['oleic-acid'] },
  { key: 'linoleicAcid', unit: 'g', fdc: [[1269, 618]], off: ['linoleic-acid'] },
  { key: 'alphaLinolenicAcid', unit: 'g', fdc: [[1404, 851]], off: ['alpha-linolenic-acid'] },
  { key: 'gammaLinolenicAcid', unit: 'g', fdc: [[1321, 685]], off: ['gamma-linolenic-acid'] },
  { key: 'arachidonicAcid', unit: 'g', fdc: [[1271, 620]], off: ['arachidonic-acid'] },
  { key: 'epa', unit: 'g', fdc: [[1278, 629]], off: ['eicosapentaenoic-acid'] },
  { key: 'dpa', unit: 'g', fdc: [[1280, 631]] },
  { key: 'dha', unit: 'g', fdc: [[1272, 621]], off: ['docosahexaenoic-acid'] },
  { key: 'erucicAcid', unit: 'g', fdc: [[1317, 676]], off: ['erucic-acid'] },
  { key: 'elaidicAcid', unit: 'g', off: ['elaidic-acid'] },
  { key: 'vitaminA', unit: 'ug', fdc: [[1106, 320]], off: ['vitamin-a'] },
  { key: 'vitaminAIu', unit: 'iu', fdc: [[1104, 318]] },
  { key: 'retinol', unit: 'ug', fdc: [[1105, 319]] },
  { key: 'betaCarotene', unit: 'ug', fdc: [[1107, 321]], off: ['beta-carotene'] },
  { key: 'alphaCarotene', unit: 'ug', fdc: [[1108, 322]] },
  { key: 'betaCryptoxanthin', unit: 'ug', fdc: [[1120, 334]] },
  { key: 'lycopene', unit: 'ug', fdc: [[1122, 337]] },
  { key: 'luteinZeaxanthin', unit: 'ug', fdc: [[1123, 338]] },
  { key: 'vitaminD2', unit: 'ug', fdc: [[1111, 325]] },
  { key: 'vitaminD3', unit: 'ug', fdc: [[1112, 326]] },
  { key: 'vitaminE', unit: 'mg', fdc: [[1109, 323]], off: ['vitamin-e'] },
  { key: 'vitaminK', unit: 'ug', fdc: [[1185, 430]], off: ['vitamin-k', 'phylloquinone'] },
  { key: 'vitaminC', unit: 'mg', fdc: [[1162, 401]], off: ['vitamin-c'] },
  { key: 'thiamin', unit: 'mg', fdc: [[1165, 404]], off: ['vitamin-b1'] },
  { key: 'riboflavin', unit: 'mg', fdc: [[1166, 405]], off: ['vitamin-b2'] },
  { key: 'niacin', unit: 'mg', fdc: [[1167, 406]], off: ['vitamin-pp'] },
  { key: 'pantothenicAcid', unit: 'mg', fdc: [[1170, 410]], off: ['pantothenic-acid'] },
  { key: 'vitaminB6', unit: 'mg', fdc: [[1175, 415]], off: ['vitamin-b6'] },
  { key: 'biotin', unit: 'ug', fdc: [[1176, 416]], off: ['biotin'] },
  {
    key: 'folate',
    unit: 'ug',
    fdc: [
      [1190, 435],
      [1177, 417],
    ],
    off: ['vitamin-b9', 'folates'],
  },
  { key: 'folicAcid', unit: 'ug', fdc: [[1186, 431]] },
  { key: 'vitaminB12', unit: 'ug', fdc: [[1178, 418]], off: ['vitamin-b12'] },
  { key: 'choline', unit: 'mg', fdc: [[1180, 421]], off: ['choline'] },
  { key: 'betaine', unit: 'mg', fdc: [[1198, 454]] },
  { key: 'inositol', unit: 'mg', fdc: [[1181, 422]], off: ['inositol'] },
  { key: 'carnitine', unit: 'mg', off: ['carnitine'] },
  { key: 'magnesium', unit: 'mg', fdc: [[1090, 304]], off: ['magnesium'] },
  { key: 'phosphorus', unit: 'mg', fdc: [[1091, 305]], off: ['phosphorus'] },
  { key: 'zinc', unit: 'mg', fdc: [[1095, 309]], off: ['zinc'] },
  { key: 'copper', unit: 'mg', fdc: [[1098, 312]], off: ['copper'] },
  { key: 'manganese', unit: 'mg', fdc: [[1101, 315]], off: ['manganese'] },
  { key: 'selenium', unit: 'ug', fdc: [[1103, 317]], off: ['selenium'] },
  { key: 'iodine', unit: 'ug', fdc: [[1100, 314]], off: ['iodine'] },
  { key: 'fluoride', unit: 'ug', fdc: [[1099, 313]], off: ['fluoride'] },
  { key: 'chromium', unit: 'ug', fdc: [[1096, 310]], off: ['chromium'] },
  { key: 'molybdenum', unit: 'ug', fdc: [[1102, 316]], off: ['molybdenum'] },
  { key: 'chloride', unit: 'mg', fdc: [[1088, 302]], off: ['chloride'] },
  { key: 'silica', unit: 'mg', off: ['silica'] },
  { key: 'nitrate', unit: 'mg', off: ['nitrate'] },
  { key: 'caffeine', unit: 'mg', fdc: [[1057, 262]], off: ['caffeine'] },
  { key: 'theobromine', unit: 'mg', fdc: [[1058, 263]] },
  { key: 'taurine', unit: 'mg', off: ['taurine'] },
  { key: 'phytosterols', unit: 'mg', fdc: [[1283, 636]] },
  { key: 'tryptophan', unit: 'g', fdc: [[1210, 501]] },
  { key: 'threonine', unit: 'g', fdc: [[1211, 502]] },
  { key: 'isoleucine', unit: 'g', fdc: [[1212, 503]] },
  { key: 'leucine', unit: 'g', fdc: [[1213, 504]] },
  { key: 'lysine', unit: 'g', fdc: [[1214, 505]] },
  { key: 'methionine', unit: 'g', fdc: [[1215, 506]] },
  { key: 'cystine', unit: 'g', fdc: [[1216, 507]] },
  { key: 'phenylalanine', unit: 'g', fdc: [[1217, 508]] },
  { key: 'tyrosine', unit: 'g', fdc: [[1218, 509]] },
  { key: 'valine', unit: 'g', fdc: [[1219, 510]] },
  { key: 'arginine', unit: 'g', fdc: [[1220, 511]] },
  { key: 'histidine', unit: 'g', fdc: [[1221, 512]] },
  { key: 'alanine', unit: 'g', fdc: [[1222, 513]] },
  { key: 'asparticAcid', unit: 'g', fdc: [[1223, 514]] },
  { key: 'glutamicAcid', unit: 'g', fdc: [[1224, 515]] },
  { key: 'glycine', unit: 'g', fdc: [[1225, 516]] },
  { key: 'proline', unit: 'g', fdc: [[1226, 517]] },
  { key: 'serine', unit: 'g', fdc: [[1227, 518]] },
  { key: 'casein', unit: 'g', off: ['casein'] },
  { key: 'serumProteins', unit: 'g', off: ['serum-proteins'] },
] as const satisfies readonly FurtherNutrient[];

export type FurtherKey = (typeof FURTHER)[number]['key'];
export const FURTHER_NUTRIENTS: ReadonlyArray<FurtherNutrient & { readonly key: FurtherKey }> = FURTHER;
export const FURTHER_KEYS: readonly FurtherKey[] = FURTHER.map(({ key }) => key);
/** Every nutrient of the registry. */
export type AnyNutrientKey = NutrientKey | FurtherKey;

/** Every nutrient, the fifteen of foods first. */
export const REGISTRY: ReadonlyArray<Pick<FurtherNutrient, 'unit'> & { readonly key: AnyNutrientKey }> = [
  ...NUTRIENTS,
  ...FURTHER_NUTRIENTS,
];
export const REGISTRY_UNITS = Object.fromEntries(REGISTRY.map(({ key, unit }) => [key, unit])) as Readonly<
  Record<AnyNutrientKey, FurtherNutrient['unit']>
>;
