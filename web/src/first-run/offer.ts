import { effect } from '@preact/signals';
import {
  changeOwnSettings,
  loadOwnSettings,
  type OwnSettings,
  ownSettings,
} from '../account/own-settings.ts';
import { tellOfReset } from '../account/reset-notice.tsx';
import { person } from '../account/session.ts';
import { larder } from '../larder.ts';
import { prefer, preferences } from '../preferences.ts';
import type { Language } from '../texts/texts.ts';
import { isOffered } from './offered.ts';

/** Asks whoever signs in once, on the first of all devices; another one takes over the language and units of the person. */
export function offerFirstRun(): void {
  effect(() => {
    const id = person.value?.id;
    isOffered.value = false;
    // Without the service nothing is offered: the answers could not be kept.
    if (id === undefined) return;
    tellOfReset().catch(() => {});
    look(id).catch(() => {});
  });
}

async function look(id: string): Promise<void> {
  await loadOwnSettings();
  const settings = ownSettings.peek();
  if (settings === undefined || person.peek()?.id !== id) return;
  await adopt(settings);
  if (settings.firstRunDone === true) return;
  const user = larder.user(id);
  const [eaten, goals] = await Promise.all([user.foods.recent({ limit: 1 }), user.goals.get()]);
  // Who has used the page before needs no questions.
  if (eaten.length > 0 || goals.calories !== undefined) await changeOwnSettings({ firstRunDone: true });
  else if (person.peek()?.id === id) isOffered.value = true;
}

/** What this device has no choice of its own for is shown as on the others. */
async function adopt({ language, measures, energyUnit }: OwnSettings): Promise<void> {
  const chosen = preferences.peek();
  const change = {
    ...(language !== undefined && chosen.language === undefined && { language: language as Language }),
    ...(measures === 'us' && chosen.units === undefined && { units: measures }),
    ...(energyUnit === 'kJ' && chosen.energy === undefined && { energy: energyUnit }),
  };
  if (Object.keys(change).length > 0) await prefer(change);
}

/** Keeps that the questions were answered or skipped, so that no device asks again. */
export async function endFirstRun(): Promise<void> {
  isOffered.value = false;
  await changeOwnSettings({ firstRunDone: true });
}
