import { signal } from '@preact/signals';
import { keep, keptAs } from '../parts/kept.ts';
import type { Macro } from '../parts/macro-energy.ts';
import { ask } from './ask.ts';
import { person } from './session.ts';

/** What a person chose, on every device. */
export interface OwnSettings {
  readonly language?: string | undefined;
  readonly measures?: 'metric' | 'us' | undefined;
  readonly energyUnit?: 'kcal' | 'kJ' | undefined;
  readonly goalsInPercent?: Readonly<Partial<Record<Macro, number>>> | undefined;
  readonly weightTarget?: WeightTarget | undefined;
  readonly body?:
    | {
        readonly sex?: 'female' | 'male' | undefined;
        readonly birthYear?: number | undefined;
        readonly heightCm?: number | undefined;
        readonly activity?: 'low' | 'light' | 'moderate' | 'high' | 'very_high' | undefined;
      }
    | undefined;
  readonly firstRunDone?: boolean | undefined;
}

export interface WeightTarget {
  readonly value: number;
  readonly unit: 'kg' | 'lb' | 'st';
}

/** Those of who is signed in, as this browser or the service knows them; undefined until they are read. */
export const ownSettings = signal<OwnSettings | undefined>(undefined);

const KEPT = 'settings';

const pathOf = (id: string) => `/v1/users/${id}/settings`;

/** Reads the settings; without the service those that were read last on this device. */
export async function loadOwnSettings(): Promise<void> {
  const id = person.peek()?.id;
  if (id === undefined) return;
  ownSettings.value = keptAs<OwnSettings>(KEPT);
  show(id, await ask<OwnSettings>('GET', pathOf(id)));
}

/** Changes single settings; null removes one. */
export async function changeOwnSettings(
  change: {
    readonly [Key in keyof OwnSettings]: OwnSettings[Key] | null;
  },
): Promise<void> {
  const id = person.peek()!.id;
  show(id, await ask<OwnSettings>('PATCH', pathOf(id), change));
}

function show(id: string, settings: OwnSettings): void {
  // Somebody else may have signed in meanwhile.
  if (person.peek()?.id !== id) return;
  ownSettings.value = settings;
  keep(KEPT, settings);
}
