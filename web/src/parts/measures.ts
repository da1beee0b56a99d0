import { computed } from '@preact/signals';
import { preferences } from '../preferences.ts';
import { numbers } from '../texts/texts.ts';

const KJ_PER_KCAL = 4.184;

export const energyUnit = computed(() => preferences.value.energy ?? 'kcal');

/** Energy in the unit that is shown, from kcal. */
export function energyOf(kcal: number): number {
  return energyUnit.value === 'kJ' ? kcal * KJ_PER_KCAL : kcal;
}

/** What was typed in the unit that is shown, in kcal. */
export function kcalOf(typed: number): number {
  return energyUnit.value === 'kJ' ? Math.round((typed / KJ_PER_KCAL) * 1000) / 1000 : typed;
}

/** `194 kcal` or `812 kJ`. */
export function energyText(kcal: number): string {
  return `${numbers.value.whole(energyOf(kcal))} ${energyUnit.value}`;
}
