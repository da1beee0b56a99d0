import { computed, signal } from '@preact/signals';
import type { account } from './account/en.ts';
import type { adding } from './adding/en.ts';
import { en } from './en.ts';
import type { recordTexts } from './records/en.ts';
import type { settingTexts } from './settings/en.ts';
import type { sheetTexts } from './sheets/en.ts';
import type { viewTexts } from './views/en.ts';

export type Language = 'en' | 'de' | 'fr' | 'es';
type Tables<Table> = Readonly<Record<Language, () => Promise<Table>>>;

/** What the first view shows. The other languages are loaded when they are chosen. */
const CORE: Tables<typeof en> = {
  en: async () => en,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
};

/** What other parts of the page show, loaded with their code: `loadTexts`. */
interface Parts {
  readonly account: typeof account;
  readonly adding: typeof adding;
  readonly records: typeof recordTexts;
  readonly settings: typeof settingTexts;
  readonly sheets: typeof sheetTexts;
  readonly views: typeof viewTexts;
}
export type TextGroup = keyof Parts;
const PARTS: { readonly [Part in TextGroup]: Tables<Parts[Part]> } = {
  account: {
    en: async () => (await import('./account/en.ts')).account,
    de: async () => (await import('./account/de.ts')).account,
    fr: async () => (await import('./account/fr.ts')).account,
    es: async () => (await import('./account/es.ts')).account,
  },
  adding: {
    en: async () => (await import('./adding/en.ts')).adding,
    de: async () => (await import('./adding/de.ts')).adding,
    fr: async () => (await import('./adding/fr.ts')).adding,
    es: async () => (await import('./adding/es.ts')).adding,
  },
  records: {
    en: async () => (await import('./records/en.ts')).recordTexts,
    de: async () => (await import('./records/de.ts')).recordTexts,
    fr: async () => (await import('./records/fr.ts')).recordTexts,
    es: async () => (await import('./records/es.ts')).recordTexts,
  },
  settings: {
    en: async () => (await import('./settings/en.ts')).settingTexts,
    de: async () => (await import('./settings/de.ts')).settingTexts,
    fr: async () => (await import('./settings/fr.ts')).settingTexts,
    es: async () => (await import('./settings/es.ts')).settingTexts,
  },
  sheets: {
    en: async () => (await import('./sheets/en.ts')).sheetTexts,
    de: async () => (await import('./sheets/de.ts')).sheetTexts,
    fr: async () => (await import('./sheets/fr.ts')).sheetTexts,
    es: async () => (await import('./sheets/es.ts')).sheetTexts,
  },
  views: {
    en: async () => (await import('./views/en.ts')).viewTexts,
    de: async () => (await import('./views/de.ts')).viewTexts,
    fr: async () => (await import('./views/fr.ts')).viewTexts,
    es: async () => (await import('./views/es.ts')).viewTexts,
  },
};

/** Those of a part are there once `loadTexts` has loaded them. */
type Texts = typeof en &
  Parts['account'] &
  Parts['adding'] &
  Parts['records'] &
  Parts['settings'] &
  Parts['sheets'] &
  Parts['views'];

/** Each in its own language. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
};

export const language = signal<Language>('en');
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
const wantedParts = new Set<TextGroup>();

/** Shows the page in the first of these languages that it has. */
export async function chooseLanguage(wanted: readonly string[]): Promise<void> {
  const isOurs = (tag: string): tag is Language => tag in CORE;
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
    const tables = await Promise.all([CORE[chosen](), ...parts.map((part) => PARTS[part][chosen]())]);
    // Another language or part was wanted meanwhile.
    if (chosen !== wantedLanguage || parts.length !== wantedParts.size) continue;
    texts.value = Object.assign({}, ...tables);
    language.value = chosen;
    document.documentElement.lang = chosen;
    return;
  }
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
