/** Facts that a source states of a food beside name, servings and the nutrients of foods. Unknown parts are absent. */
export interface FoodFacts {
  /** Amounts of `FURTHER_NUTRIENTS` in 100 g or ml. */
  readonly nutrients?: Readonly<Record<string, number>>;
  /** By language (ISO 639-1); `und` where the source does not say. */
  readonly genericNames?: Readonly<Record<string, string>>;
  readonly ingredients?: Readonly<Record<string, string>>;
  /** Tags of the source, as `en:milk`. */
  readonly allergens?: readonly string[];
  /** Allergens of which the label says that there may be traces. */
  readonly traces?: readonly string[];
  readonly additives?: readonly string[];
  readonly labels?: readonly string[];
  /** Each with the categories that it belongs to. */
  readonly categories?: readonly string[];
  /** Where it is sold. */
  readonly countries?: readonly string[];
  readonly packaging?: readonly string[];
  readonly vegan?: Answer;
  readonly vegetarian?: Answer;
  readonly palmOil?: Answer;
  readonly nutriScore?: NutriScore;
  /** 1, unprocessed, to 4, ultra-processed. */
  readonly nova?: number;
  /** `a-plus` to `f`. */
  readonly environmentalScore?: string;
  /** Content of the package, as printed. */
  readonly quantity?: string;
  /** Addresses of photos. */
  readonly images?: Readonly<Partial<Record<(typeof FACT_IMAGES)[number], string>>>;
  /** The source's doubts about the data. */
  readonly qualityNotes?: readonly string[];
  /** Page of the maker. */
  readonly link?: string;
  /** FoodData Central's kind of data: `Branded`, `Foundation`, `SR Legacy`, `Survey (FNDDS)`. */
  readonly dataType?: string;
  /** FoodData Central's category. */
  readonly category?: string;
  readonly portions?: readonly FactPortion[];
  /** Unix seconds. */
  readonly createdAt?: number;
  readonly updatedAt?: number;
}

export const FACT_ANSWERS = ['yes', 'no', 'maybe'] as const;
type Answer = (typeof FACT_ANSWERS)[number];

export const NUTRI_SCORES = ['a', 'b', 'c', 'd', 'e'] as const;
export type NutriScore = (typeof NUTRI_SCORES)[number];

export const ENVIRONMENTAL_SCORES = ['a-plus', 'a', 'b', 'c', 'd', 'e', 'f'] as const;

export const FACT_IMAGES = ['front', 'ingredients', 'nutrition', 'packaging'] as const;

/** A portion as the source states it, whether or not it is a serving. */
export interface FactPortion {
  readonly amount?: number;
  readonly unit?: string;
  readonly description?: string;
  readonly modifier?: string;
  readonly grams: number;
}

/** The allergens that labels have to state (EU regulation 1169/2011, annex II), with other words for them. */
export const ALLERGENS: Readonly<Record<string, readonly string[]>> = {
  celery: [],
  crustaceans: ['crustacean', 'shellfish'],
  eggs: ['egg'],
  fish: [],
  gluten: ['wheat', 'cereals'],
  lupin: ['lupine'],
  milk: ['dairy', 'lactose'],
  molluscs: ['mollusc', 'mollusks', 'mollusk'],
  mustard: [],
  nuts: ['nut', 'tree-nuts', 'tree-nut'],
  peanuts: ['peanut'],
  'sesame-seeds': ['sesame', 'sesame-seed'],
  soybeans: ['soybean', 'soy', 'soya'],
  'sulphur-dioxide-and-sulphites': ['sulphites', 'sulfites', 'sulphur-dioxide', 'sulfur-dioxide'],
};

const ALLERGEN_BY_WORD: ReadonlyMap<string, string> = new Map(
  Object.entries(ALLERGENS).flatMap(([allergen, others]) =>
    [allergen, ...others].map((word) => [word, allergen] as const),
  ),
);

/** The allergen that a word or an English tag (`en:milk`) means; undefined for any other. */
export function allergenOf(word: string): string | undefined {
  return ALLERGEN_BY_WORD.get(word.trim().toLowerCase().replace(/^en:/, ''));
}

/** The facts of two records of one food: the first counts, the second adds what it lacks. */
export function mergeFacts(first: FoodFacts, second: FoodFacts): FoodFacts {
  const texts = (key: 'genericNames' | 'ingredients' | 'nutrients' | 'images') =>
    first[key] && second[key] ? { [key]: { ...second[key], ...first[key] } } : {};
  const tags = (key: 'allergens' | 'traces') =>
    first[key] && second[key] ? { [key]: [...new Set([...first[key], ...second[key]])] } : {};
  return {
    ...second,
    ...first,
    ...texts('genericNames'),
    ...texts('ingredients'),
    ...texts('nutrients'),
    ...texts('images'),
    ...tags('allergens'),
    ...tags('traces'),
  };
}
