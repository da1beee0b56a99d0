import { computed, signal } from '@preact/signals';
import { en } from './en.ts';
import type { settingTexts } from './settings/en.ts';

type SettingTexts = typeof settingTexts;
/** Those of the settings are there once `loadSettingTexts` has been called. */
type Texts = typeof en & SettingTexts;
export type Language = 'en' | 'de' | 'fr' | 'es';

/** The other languages are loaded when they are chosen. */
const LANGUAGES: Readonly<Record<Language, () => Promise<typeof en>>> = {
  en: async () => en,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
};

/** Only the settings need them, so that no other view loads them. */
const SETTINGS: Readonly<Record<Language, () => Promise<SettingTexts>>> = {
  en: async () => (await import('./settings/en.ts')).settingTexts,
  de: async () => (await import('./settings/de.ts')).settingTexts,
  fr: async () => (await import('./settings/fr.ts')).settingTexts,
  es: async () => (await import('./settings/es.ts')).settingTexts,
};
let hasSettings = false;

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
export async function chooseLanguage(wanted: readonly string[]): Promise<void> {
  const short = wanted.map(languageOf);
  const chosen = short.find((tag): tag is Language => tag in LANGUAGES) ?? 'en';
  const [table, ofSettings] = await Promise.all([
    LANGUAGES[chosen](),
    hasSettings ? SETTINGS[chosen]() : undefined,
  ]);
  texts.value = { ...table, ...ofSettings } as Texts;
  language.value = chosen;
  document.documentElement.lang = chosen;
}

/** Loads the texts of the settings, in each language that is chosen from now on. */
export async function loadSettingTexts(): Promise<void> {
  hasSettings = true;
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
