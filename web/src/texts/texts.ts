import { computed, signal } from '@preact/signals';
import { en } from './en.ts';
import type { settingTexts } from './settings/en.ts';
import type { sheetTexts } from './sheets/en.ts';
import type { viewTexts } from './views/en.ts';

interface LaterTexts {
  readonly settings: typeof settingTexts;
  readonly sheets: typeof sheetTexts;
  readonly views: typeof viewTexts;
}
/** Texts of views that `loadTexts` brings with them. */
export type TextGroup = keyof LaterTexts;
type Texts = typeof en & LaterTexts['settings'] & LaterTexts['sheets'] & LaterTexts['views'];
export type Language = 'en' | 'de' | 'fr' | 'es';

/** The other languages are loaded when they are chosen. */
const LANGUAGES: Readonly<Record<Language, () => Promise<typeof en>>> = {
  en: async () => en,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
};

/** What the day does not need at once: loaded with the views that show it. */
const LATER: { readonly [G in TextGroup]: Readonly<Record<Language, () => Promise<LaterTexts[G]>>> } = {
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
/** The groups that were asked for. */
const wanted = new Set<TextGroup>();

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

/** Shows the page in the first of these languages that it has. */
export async function chooseLanguage(tags: readonly string[]): Promise<void> {
  const short = tags.map(languageOf);
  const chosen = short.find((tag): tag is Language => tag in LANGUAGES) ?? 'en';
  const tables = await Promise.all([
    LANGUAGES[chosen](),
    ...[...wanted].map((group) => LATER[group][chosen]()),
  ]);
  texts.value = Object.assign({}, ...tables) as Texts;
  language.value = chosen;
  document.documentElement.lang = chosen;
}

/** Loads texts of views, in each language that is chosen from now on. */
export async function loadTexts(...groups: readonly TextGroup[]): Promise<void> {
  for (const group of groups) wanted.add(group);
  await chooseLanguage([language.peek()]);
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
