import { computed, signal } from '@preact/signals';
import { texts as en } from './en.ts';
import { LANGUAGES, type Language } from './languages.ts';
import { loadTable, type Tables, type Texts } from './tables.ts';

/** Parts of the texts that are loaded with their code: `loadTexts`. */
export type TextGroup = Exclude<keyof Tables, 'core'>;

export const language = signal<Language>('en');
/** Those of a part are there once `loadTexts` has loaded them. */
export const texts = signal<Texts>(en as Texts);

/** The language with the region of the browser where that speaks it: dates and numbers are written as there. */
export const locale = computed(() => localeOf(language.value, globalThis.navigator?.languages ?? []));

/** The first of these tags that is of the language and that `Intl` knows; the language alone without one. */
export function localeOf(wanted: Language, tags: readonly string[]): string {
  return tags.find((tag) => languageOf(tag) === wanted && isKnown(tag)) ?? wanted;
}

/** Formats numbers as the language of the page does. */
export const numbers = computed(() => {
  const whole = new Intl.NumberFormat(locale.value, { maximumFractionDigits: 0 });
  const precise = new Intl.NumberFormat(locale.value, { maximumFractionDigits: 2 });
  return { whole: (n: number) => whole.format(n), precise: (n: number) => precise.format(n) };
});

let wantedLanguage: Language = 'en';

/** The language that was chosen, before its texts are there. */
export function chosenLanguage(): Language {
  return wantedLanguage;
}

const wantedParts = new Set<TextGroup>();

/** Shows the page in the first of these languages that it has. */
export async function chooseLanguage(wanted: readonly string[]): Promise<void> {
  const isOurs = (tag: string): tag is Language => tag in LANGUAGES;
  wantedLanguage = wanted.map(languageOf).find(isOurs) ?? 'en';
  await showTexts();
}

/** Loads the texts of parts of the page, in each language that is chosen from now on. */
export async function loadTexts(...parts: readonly TextGroup[]): Promise<void> {
  const added = parts.filter((part) => !wantedParts.has(part));
  for (const part of added) wantedParts.add(part);
  try {
    await showTexts();
  } catch (error) {
    // They are asked for again with the part.
    for (const part of added) wantedParts.delete(part);
    throw error;
  }
}

async function showTexts(): Promise<void> {
  for (;;) {
    const chosen = wantedLanguage;
    const parts = [...wantedParts];
    const tables = await Promise.all((['core', ...parts] as const).map((part) => loadTable(part, chosen)));
    // Another language or part was wanted meanwhile.
    if (chosen !== wantedLanguage || parts.length !== wantedParts.size) continue;
    texts.value = Object.assign({}, ...tables);
    language.value = chosen;
    document.documentElement.lang = chosen;
    document.documentElement.dir = directionOf(chosen);
    return;
  }
}

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur']);

/** The direction in which a language is written. */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(languageOf(tag)) ? 'rtl' : 'ltr';
}

function languageOf(tag: string): string {
  return tag.slice(0, 2).toLowerCase();
}

/** Some systems give their browser a tag that is none, such as "en-US@posix". */
function isKnown(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
