import { effect } from '@preact/signals';
import { tellOfReset } from '../account/reset-notice.tsx';
import { person } from '../account/session.ts';
import { larder } from '../larder.ts';
import { areSettingsRead, changeSettings, ownSettings } from '../offline/own-records.ts';
import { isOffered } from './offered.ts';

/** Asks whoever signs in once, on the first of all devices. */
export function offerFirstRun(): void {
  effect(() => {
    if (person.value?.id !== undefined) tellOfReset().catch(() => {});
  });
  effect(() => {
    const id = person.value?.id;
    isOffered.value = false;
    // Another device may have asked: nothing is offered before this one knows.
    if (id !== undefined && areSettingsRead.value) look(id).catch(() => {});
  });
}

async function look(id: string): Promise<void> {
  if (ownSettings.peek()?.firstRunDone === true) return;
  const user = larder.user(id);
  const [eaten, goals] = await Promise.all([user.foods.recent({ limit: 1 }), user.goals.get()]);
  // Who has used the page before needs no questions.
  if (eaten.length > 0 || goals.calories !== undefined) await changeSettings({ firstRunDone: true });
  else if (person.peek()?.id === id) isOffered.value = true;
}

/** Keeps that the questions were answered or skipped, so that no device asks again. */
export async function endFirstRun(): Promise<void> {
  isOffered.value = false;
  await changeSettings({ firstRunDone: true });
}
