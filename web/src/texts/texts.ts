import { computed, signal } from '@preact/signals';
import { en } from './en.ts';

type Texts = typeof en;
export type Language = 'en' | 'de' | 'fr' | 'es';

/** The other languages are loaded when they are chosen. */
const LANGUAGES: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: async () => en,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
};

/** Each in its own language. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
};

export const language = signal<Language>('en');
export const texts = signal<Texts>(en);

/** Formats numbers as the language of the page does. */
export const numbers = computed(() => {
  const whole = new Intl.NumberFormat(language.value, { maximumFractionDigits: 0 });
  const precise = new Intl.NumberFormat(language.value, { maximumFractionDigits: 2 });
  return { whole: (n: number) => whole.format(n), precise: (n: number) => precise.format(n) };
});

/** Shows the page in the first of these languages that it has. */
export async function chooseLanguage(wanted: readonly string[]): Promise<void> {
  const short = wanted.map((tag) => tag.slice(0, 2).toLowerCase());
  const chosen = short.find((tag): tag is Language => tag in LANGUAGES) ?? 'en';
  texts.value = await LANGUAGES[chosen]();
  language.value = chosen;
  document.documentElement.lang = chosen;
}
