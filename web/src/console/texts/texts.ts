import { signal } from '@preact/signals';
import { language } from '../../texts/texts.ts';

type Words = typeof import('./en.ts').texts;

/** Empty until `loadWords` has loaded them. */
export const words = signal({} as Words);

/** Shows the console in the language of the page. */
export async function loadWords(): Promise<void> {
  words.value = (await import(`./${language.peek()}.ts`)).texts;
}
