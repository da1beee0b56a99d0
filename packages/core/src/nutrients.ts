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
  /** Column names of Ciqual's table in English and French, without the unit: a pattern of lower-case text. */
  readonly ciqual?: string;
  /** Beginnings of BLS's column names, in lower case. */
  readonly bls?: string;
  /** Names of the field in composition tables as JSON lists, which are Italian. */
  readonly italian?: string;
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
    ciqual: 'energy, regulation eu.*|energie, règlement ue.*',
    bls: 'enercc',
    italian: 'calorie',
  },
  {
    key: 'protein',
    unit: 'g',
    isRequired: true,
    fdcDecimals: 2,
    fdc: [[1003, 203]],
    off: ['proteins'],
    ciqual: 'protein|protéines, n x facteur de jones',
    bls: 'prot625',
    italian: 'proteine',
  },
  {
    key: 'fat',
    unit: 'g',
    isRequired: true,
    fdcDecimals: 2,
    fdc: [[1004, 204]],
    off: ['fat'],
    ciqual: 'fat|lipides',
    bls: 'fat fett',
    italian: 'grassi',
  },
  {
    // Available carbohydrates, as on European labels; FoodData Central's include fibre.
    key: 'carbohydrates',
    unit: 'g',
    isRequired: true,
    fdcDecimals: 2,
    fdc: [[1005, 205]],
    off: ['carbohydrates'],
    ciqual: 'carbohydrate|glucides',
    bls: 'cho',
    italian: 'carboidrati_disponibili',
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
    ciqual: 'fibres|fibres alimentaires',
    bls: 'fibt',
    italian: 'fibre',
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
    ciqual: 'sugars|sucres',
    bls: 'sugar',
  },
  { key: 'addedSugars', unit: 'g', partOf: 'sugars', fdc: [[1235, 539]], off: ['added-sugars'] },
  {
    key: 'saturatedFat',
    unit: 'g',
    partOf: 'fat',
    fdcDecimals: 2,
    fdc: [[1258, 606]],
    off: ['saturated-fat'],
    ciqual: 'fa saturated|ag saturés',
    bls: 'fasat',
  },
  { key: 'transFat', unit: 'g', partOf: 'fat', fdcDecimals: 2, fdc: [[1257, 605]], off: ['trans-fat'] },
  {
    key: 'cholesterol',
    unit: 'mg',
    maxPerGram: 100,
    fdcDecimals: 0,
    fdc: [[1253, 601]],
    off: ['cholesterol'],
    ciqual: 'cholesterol|cholestérol',
    bls: 'chorl',
  },
  {
    key: 'sodium',
    unit: 'mg',
    // Pure salt.
    maxPerGram: 400,
    fdcDecimals: 0,
    fdc: [[1093, 307]],
    off: ['sodium'],
    ciqual: 'sodium',
    bls: 'na',
  },
  {
    key: 'potassium',
    unit: 'mg',
    maxPerGram: 600,
    fdcDecimals: 0,
    fdc: [[1092, 306]],
    off: ['potassium'],
    ciqual: 'potassium',
    bls: 'k',
  },
  {
    key: 'calcium',
    unit: 'mg',
    maxPerGram: 500,
    fdcDecimals: 0,
    fdc: [[1087, 301]],
    off: ['calcium'],
    ciqual: 'calcium',
    bls: 'ca',
  },
  {
    key: 'iron',
    unit: 'mg',
    maxPerGram: 100,
    fdcDecimals: 2,
    fdc: [[1089, 303]],
    off: ['iron'],
    ciqual: 'iron|fer',
    bls: 'fe',
  },
  {
    key: 'vitaminD',
    unit: 'ug',
    maxPerGram: 1000,
    fdc: [[1114, 328]],
    off: ['vitamin-d'],
    ciqual: 'vitamin d|vitamine d',
    bls: 'vitd',
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

/** Amounts in the unit of `NUTRIENT_UNITS`; unknown nutrients are absent, never 0. */
export type PartialNutrients = Partial<Record<NutrientKey, number>>;

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
    ciqual: 'energy, regulation eu.*|energie, règlement ue.*',
    bls: 'enercj',
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
    ciqual: 'alcohol|alcool',
    bls: 'alc',
  },
  // Carbohydrates with less energy.
  { key: 'polyolsG', unit: 'g', fdc: [[1086, 299]], off: ['polyols'], ciqual: 'polyols.*' },
  { key: 'erythritolG', unit: 'g', off: ['erythritol'] },
] as const satisfies readonly NutrientForm[];

export type NutrientFormKey = (typeof FORMS)[number]['key'];

/** Values that sources state instead of a nutrient, or in addition. */
export const NUTRIENT_FORMS: ReadonlyArray<NutrientForm & { readonly key: NutrientFormKey }> = FORMS;

/** All columns that an import reads from a source. */
export const STATED_NUTRIENTS = [...NUTRIENTS, ...NUTRIENT_FORMS];
