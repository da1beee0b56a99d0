import EN from './languages/en.json' with { type: 'json' };
import { Phrases } from './phrases.ts';
import type { Token } from './tokens.ts';
import type { UnitName } from './units.ts';

export type LanguageCode = 'en';

/** What a file of `languages/` states. A further language is a further file. */
interface LanguageTable {
  readonly code: string;
  /** The decimal sign; the other one separates thousands. */
  readonly decimal: string;
  readonly cardinals: Readonly<Record<string, number>>;
  /** Count as one: "a banana". */
  readonly articles: readonly string[];
  readonly fractions: Readonly<Record<string, number>>;
  /** Multiply what stands before: "two dozen". */
  readonly groups: Readonly<Record<string, number>>;
  /** Stand for a number that nobody counted: "a few". */
  readonly vague: Readonly<Record<string, number>>;
  /** Begin like an amount and are none: "7 up". */
  readonly notAmounts: readonly string[];
  readonly range: readonly string[];
  readonly between: readonly string[];
  readonly times: readonly string[];
  readonly by: readonly string[];
  readonly and: readonly string[];
  readonly plus: readonly string[];
  readonly of: readonly string[];
  readonly each: readonly string[];
  /** Before a number, without meaning for it: "about", "a good". */
  readonly about: readonly string[];
  /** Between number and unit, without meaning for the amount: "heaped", "refreshing". */
  readonly qualifiers: readonly string[];
  /** Say that the number before them is no amount of food: "2%", "8 pm". */
  readonly otherUnits: readonly string[];
  /** Words that no food begins with. */
  readonly connectors: readonly string[];
  /** Before a preparation: "finely". */
  readonly adverbs: readonly string[];
  /** What is done to a food and leaves it the same food: "chopped". */
  readonly preparations: readonly string[];
  /** Where the name of a food ends: "to taste", "for", "such as". */
  readonly afterNames: readonly string[];
  /** How other words end that say what was done: "deglazed". */
  readonly participleEndings: readonly string[];
  readonly optional: readonly string[];
  readonly or: readonly string[];
  /** After these, a preparation is a part of the name: "canned chopped tomatoes". */
  readonly preserved: readonly string[];
  /** Skipped before a name: "the". */
  readonly leading: readonly string[];
  /** Parts of a food that stand before its amount: "juice of 1 lemon". */
  readonly parts: readonly string[];
  /** Words that name no food alone: "boneless, skinless chicken". */
  readonly descriptors: readonly string[];
  /** Units that follow the food that they count: "8 garlic cloves". */
  readonly trailingUnits: readonly string[];
  readonly units: Readonly<Partial<Record<UnitName, readonly string[]>>>;
  readonly sizes: Readonly<Record<string, readonly string[]>>;
}

const set = (words: readonly string[]) => new Phrases(words.map((word) => [word, true] as const));
const numbers = (words: Readonly<Record<string, number>>) => new Phrases(Object.entries(words));

export class Language {
  readonly code: LanguageCode;
  readonly decimal: string;
  readonly cardinals: Phrases<number>;
  readonly articles: Phrases<true>;
  readonly fractions: Phrases<number>;
  readonly groups: Phrases<number>;
  readonly vague: Phrases<number>;
  readonly notAmounts: Phrases<true>;
  readonly range: Phrases<true>;
  readonly between: Phrases<true>;
  readonly times: Phrases<true>;
  readonly by: Phrases<true>;
  readonly and: Phrases<true>;
  readonly plus: Phrases<true>;
  readonly of: Phrases<true>;
  readonly each: Phrases<true>;
  readonly about: Phrases<true>;
  readonly qualifiers: Phrases<true>;
  readonly otherUnits: Phrases<true>;
  readonly connectors: Phrases<true>;
  readonly adverbs: Phrases<true>;
  readonly preparations: Phrases<true>;
  readonly afterNames: Phrases<true>;
  readonly participle: RegExp | undefined;
  readonly optional: Phrases<true>;
  readonly or: Phrases<true>;
  readonly preserved: Phrases<true>;
  readonly leading: Phrases<true>;
  readonly parts: Phrases<true>;
  readonly descriptors: Phrases<true>;
  readonly trailingUnits: ReadonlySet<string>;
  readonly units: Phrases<UnitName>;
  readonly sizes: Phrases<string>;

  constructor(table: LanguageTable) {
    this.code = table.code as LanguageCode;
    this.decimal = table.decimal;
    this.cardinals = numbers(table.cardinals);
    this.articles = set(table.articles);
    this.fractions = numbers(table.fractions);
    this.groups = numbers(table.groups);
    this.vague = numbers(table.vague);
    this.notAmounts = set(table.notAmounts);
    this.range = set(table.range);
    this.between = set(table.between);
    this.times = set(table.times);
    this.by = set(table.by);
    this.and = set(table.and);
    this.plus = set(table.plus);
    this.of = set(table.of);
    this.each = set(table.each);
    this.about = set(table.about);
    this.qualifiers = set(table.qualifiers);
    this.otherUnits = set(table.otherUnits);
    this.connectors = set(table.connectors);
    this.adverbs = set(table.adverbs);
    this.preparations = set(table.preparations);
    this.afterNames = set(table.afterNames);
    const endings = table.participleEndings.join('|');
    this.participle = endings === '' ? undefined : new RegExp(`(?:${endings})$`);
    this.or = set(table.or);
    this.preserved = set(table.preserved);
    this.leading = set(table.leading);
    this.optional = set(table.optional);
    this.parts = set(table.parts);
    this.descriptors = set(table.descriptors);
    this.trailingUnits = new Set(table.trailingUnits);
    this.units = new Phrases(
      Object.entries(table.units).flatMap(([unit, names]) =>
        names.map((name) => [name, unit as UnitName] as const),
      ),
    );
    this.sizes = new Phrases(
      Object.entries(table.sizes).flatMap(([size, names]) => names.map((name) => [name, size] as const)),
    );
  }
}

const LANGUAGES: Readonly<Record<LanguageCode, Language>> = { en: new Language(EN) };

export function languageOf(code: LanguageCode): Language {
  return LANGUAGES[code];
}

export function detectLanguage(_tokens: readonly Token[]): Language {
  return LANGUAGES.en;
}
