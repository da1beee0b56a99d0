import { signal } from '@preact/signals';
import { type Language, language } from '../../texts/texts.ts';
import { en } from './en.ts';

const LANGUAGES: Readonly<Record<Language, () => Promise<typeof en>>> = {
  en: async () => en,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
};

export const words = signal<typeof en>(en);

/** Shows the console in the language of the page. */
export async function loadWords(): Promise<void> {
  words.value = await LANGUAGES[language.peek()]();
}
