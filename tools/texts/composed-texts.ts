/** Texts composed from names of shipped foods, amounts and connectors, so that the truth about them is known. */
import { languageBit } from '@larder/core/name-languages.ts';
import { type LanguageCode, TABLES } from '@larder/text/language.ts';
import { readStarterFoods } from '../../src/foods/starter/starter-foods.ts';

/** A food of a composed text: where its name is, and its amount. */
export interface ComposedFood {
  readonly start: number;
  readonly end: number;
  readonly quantity: number | undefined;
  readonly unit: string | undefined;
}

export interface ComposedText {
  readonly text: string;
  readonly language: LanguageCode;
  readonly foods: readonly ComposedFood[];
}

const WITH: Readonly<Partial<Record<LanguageCode, readonly string[]>>> = {
  en: ['with', 'and', '&', 'plus'],
  de: ['mit', 'und'],
  fr: ['avec', 'et'],
  es: ['con', 'y'],
  it: ['con', 'e'],
  pt: ['com', 'e'],
  nl: ['met', 'en'],
  pl: ['z', 'i'],
};
const SEPARATORS = [', ', ', ', ', ', ' + ', '; ', '\n'] as const;
const UNITS = ['g', 'g', 'ml', 'tbsp', 'cup', 'slice', 'glass', 'piece'] as const;
/** Languages in which adjectives precede their nouns. */
const PRECEDING: ReadonlySet<string> = new Set(['en', 'de', 'nl', 'pl']);
const MEASURED: ReadonlySet<string> = new Set(['g', 'ml']);
const PLAIN_NAME = /^\p{L}+(?:[ -]\p{L}+){0,2}$/u;
const LINKS =
  /(?:^|\s)(?:and|with|or|in|on|und|mit|et|avec|y|con|e|com|o|ou|oder|en|met|of|z|i|w|lub)(?:\s|$)/iu;
const MOST_FOODS = 4;

/** The same texts for each call. */
export function composedTexts(
  language: LanguageCode,
  count: number,
  isKnown: (name: string) => boolean,
): ComposedText[] {
  const composer = new Composer(language, namesIn(language).filter(isKnown));
  return Array.from({ length: count }, () => composer.next());
}

interface SaidAmount {
  readonly text: string;
  readonly quantity: number | undefined;
  readonly unit: string | undefined;
}

class Composer {
  readonly #language: LanguageCode;
  readonly #names: readonly string[];
  readonly #adjectives: readonly string[];
  readonly #random: () => number;

  constructor(language: LanguageCode, names: readonly string[]) {
    this.#language = language;
    this.#names = names;
    this.#adjectives = TABLES[language].preparations.filter((word) => /^\p{L}+$/u.test(word));
    this.#random = randomOf(language);
  }

  next(): ComposedText {
    const isAfter = this.#random() < 0.35;
    const isJoined = this.#random() < 0.2;
    const foods: ComposedFood[] = [];
    let text = '';
    const size = 1 + Math.floor(this.#random() * MOST_FOODS);
    for (let at = 0; at < size; at++) {
      const said = this.#amount();
      // Without a separator only amounts tell foods apart.
      const isBare = isJoined && said.text !== '' && foods.at(-1)?.quantity !== undefined;
      if (at > 0) text += isBare ? ' ' : this.#separator();
      const { before, name, after } = this.#named();
      text += isAfter ? before : `${this.#withOf(said)}${before}`;
      const { quantity, unit } = said;
      foods.push({ start: text.length, end: text.length + name.length, quantity, unit });
      text += `${name}${after}${isAfter && said.text !== '' ? ` ${said.text}` : ''}`;
    }
    return { text, language: this.#language, foods };
  }

  #pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.#random() * all.length)]!;
  }

  #separator(): string {
    return this.#random() < 0.35 ? ` ${this.#pick(WITH[this.#language] ?? [','])} ` : this.#pick(SEPARATORS);
  }

  #amount(): SaidAmount {
    const kind = this.#random();
    if (kind < 0.3) return { text: '', quantity: undefined, unit: undefined };
    const count = this.#pick([1, 2, 3]);
    const unit = this.#pick(UNITS);
    const word = TABLES[this.#language].units[unit]?.[0]?.replace('*', '');
    if (kind < 0.5 || word === undefined) return { text: `${count}`, quantity: count, unit: undefined };
    const isMeasured = MEASURED.has(unit);
    const quantity = isMeasured ? this.#pick([50, 80, 120, 200, 350]) : count;
    const space = isMeasured && this.#random() < 0.5 ? '' : ' ';
    return { text: `${quantity}${space}${word}`, quantity, unit };
  }

  #withOf({ text, unit }: SaidAmount): string {
    const { of } = TABLES[this.#language];
    if (text === '') return '';
    const isOf = unit !== undefined && of.length > 0 && this.#random() < 0.6;
    return `${text} ${isOf ? `${of[0]} ` : ''}`;
  }

  #named() {
    const name = this.#pick(this.#names);
    if (this.#random() >= 0.15) return { before: '', name, after: '' };
    const adjective = this.#pick(this.#adjectives);
    const follows = !PRECEDING.has(this.#language);
    return follows
      ? { before: '', name, after: ` ${adjective}` }
      : { before: `${adjective} `, name, after: '' };
  }
}

function namesIn(language: LanguageCode): string[] {
  const bit = languageBit(language);
  return [...readStarterFoods()].flatMap(({ name, aliases, nameLanguages = [] }) =>
    [name, ...aliases].filter(
      (each, at) => PLAIN_NAME.test(each) && !LINKS.test(each) && ((nameLanguages[at] ?? 0) & bit) !== 0,
    ),
  );
}

/** A generator of numbers from 0 to 1 (mulberry32). */
function randomOf(seed: string): () => number {
  let state = [...seed].reduce((sum, letter) => sum * 31 + letter.codePointAt(0)!, 7);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
