import { effect, signal } from '@preact/signals';
import { language } from '../../texts/texts.ts';
import type { texts as en } from './en.ts';

/** Texts of facts. Empty until `loadFactTexts` has loaded them. */
export const factTexts = signal({} as typeof en);

const FILES = import.meta.glob<{ readonly texts: typeof en }>(['./*.ts', '!./texts.ts']);

let isFollowing = false;

/** Loads the texts, which follow the language of the page from then on. */
export async function loadFactTexts(): Promise<void> {
  await load();
  if (isFollowing) return;
  isFollowing = true;
  // Former texts stay if the new ones do not arrive.
  effect(() => void (language.value && load().catch(() => {})));
}

async function load(): Promise<void> {
  const wanted = language.peek();
  const { texts } = await FILES[`./${wanted}.ts`]!();
  if (wanted === language.peek()) factTexts.value = texts;
}
