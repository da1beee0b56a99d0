import { computed, effect, signal, untracked } from '@preact/signals';
import type { Favourite, SavedMeal, UserSettings, UserSettingsPatch } from 'larder-client';
import { person } from '../account/session.ts';
import { larder } from '../larder.ts';
import { type Preferences, prefer, preferences, preferred } from '../preferences.ts';
import { LANGUAGES, type Language } from '../texts/languages.ts';
import { changeCount, local } from './device.ts';
import { refusalOf, write } from './queue/write.ts';
import type { NewWrite, Shown, Things, Value } from './queue/writes.ts';

/** What the person chose on any device; undefined until this device knows it. */
export const ownSettings = signal<Shown<UserSettings> | undefined>(undefined);
/** Whether this device is in step with the service, so that settings that it does not know were never chosen. */
export const areSettingsRead = signal(false);
/** The newest first. */
export const favourites = signal<readonly Shown<Favourite>[]>([]);
export const savedMeals = signal<readonly Shown<SavedMeal>[]>([]);

/** The version of the settings that the page shows. */
let takenOver: number | undefined;
/** Changes of this page that its copy does not have yet. */
let changing = 0;

const personId = computed(() => person.value?.id);

// Nobody sees what somebody else has chosen.
effect(() => {
  if (personId.value === undefined) return;
  ownSettings.value = undefined;
  areSettingsRead.value = false;
  takenOver = undefined;
});

effect(() => {
  const id = personId.value;
  const isNew = changeCount.value >= 0;
  if (id !== undefined && isNew) untracked(() => void read(id));
});

async function read(id: string): Promise<void> {
  try {
    const { copy } = local();
    const [settings, meals, starred, isComplete] = await Promise.all([
      copy.findShown('settings', 'settings'),
      copy.all('meal'),
      copy.all('favourite'),
      copy.note('isComplete'),
    ]);
    savedMeals.value = meals.toReversed();
    favourites.value = starred.toReversed();
    await show(settings);
    if (isComplete === true) areSettingsRead.value = true;
  } catch {
    // Without its database the page has what the service answers.
    if (areSettingsRead.peek()) return;
    const settings = await larder
      .user(id)
      .settings.get()
      .catch(() => undefined);
    if (settings === undefined || personId.peek() !== id) return;
    await show(settings);
    areSettingsRead.value = true;
  }
}

async function show(settings: Shown<UserSettings> | undefined): Promise<void> {
  if (settings === undefined) return;
  if (JSON.stringify(settings) !== JSON.stringify(ownSettings.peek())) ownSettings.value = settings;
  // What was chosen here last counts until the copy has it.
  if (changing > 0 || settings.version === takenOver) return;
  takenOver = settings.version;
  await takeOver(settings);
}

/** Resolves when this device is in step with the service. */
export function whenSettingsAreRead(): Promise<void> {
  return new Promise((resolve) => {
    const end = effect(() => {
      if (!areSettingsRead.value) return;
      resolve();
      queueMicrotask(() => end());
    });
  });
}

/** Shows the page as it was chosen on another device. */
async function takeOver({
  language,
  measures,
  energyUnit,
  mealNames,
  hiddenMeals,
}: UserSettings): Promise<void> {
  const chosen: Preferences = {
    ...(language !== undefined && language in LANGUAGES && { language: language as Language }),
    ...(measures !== undefined && { units: measures === 'us' ? 'us' : undefined }),
    ...(energyUnit !== undefined && { energy: energyUnit === 'kJ' ? 'kJ' : undefined }),
    ...(mealNames !== undefined && { mealNames }),
    ...(hiddenMeals !== undefined && { hiddenMeals }),
  };
  const known = preferences.peek();
  const isOther = (Object.keys(chosen) as (keyof Preferences)[]).some(
    (key) => JSON.stringify(chosen[key]) !== JSON.stringify(known[key]),
  );
  if (isOther) await prefer(chosen, false);
}

/** A change of a day or of settings; null removes a field. */
export function changeOf<K extends 'day' | 'settings'>(
  kind: K,
  id: string,
  shown: Shown<Things[K]> | undefined,
  patch: object,
): NewWrite {
  const { waiting: _, ...known } = (shown ?? { version: 0 }) as Shown<Value>;
  const fields = Object.entries({ ...known, ...patch }).filter(([, value]) => value !== null);
  return { kind, id, op: 'change', base: known, body: patch, preview: Object.fromEntries(fields) };
}

let lastChange: Promise<void> = Promise.resolve();

/** One change after the other, so that each is for the version that the one before made. Throws what the service refuses. */
export function changeSettings(patch: UserSettingsPatch): Promise<void> {
  changing++;
  const change = lastChange
    .catch(() => {})
    .then(() => writeSettings(patch))
    .finally(() => {
      changing--;
      const id = personId.peek();
      if (changing === 0 && id !== undefined) void read(id);
    });
  lastChange = change;
  return change;
}

async function writeSettings(patch: UserSettingsPatch): Promise<void> {
  const known = await local().copy.findShown('settings', 'settings');
  const taken = await write([changeOf('settings', 'settings', known, patch)]);
  const refusal = refusalOf(taken.left);
  if (refusal === undefined || refusal.code === 'version_conflict') return;
  await taken.discard();
  throw refusal;
}

// What is chosen here is shown on the other devices too.
preferred.push((change) => {
  if (person.peek() === null || person.peek() === undefined) return;
  const patch: UserSettingsPatch = {
    ...('language' in change && { language: change.language ?? null }),
    ...('units' in change && { measures: change.units ?? 'metric' }),
    ...('energy' in change && { energyUnit: change.energy ?? 'kcal' }),
    ...('mealNames' in change && { mealNames: change.mealNames ?? null }),
    ...('hiddenMeals' in change && { hiddenMeals: [...(change.hiddenMeals ?? [])] }),
  };
  // The device keeps its own choice where its database fails.
  if (Object.keys(patch).length > 0) void changeSettings(patch).catch(() => {});
});
