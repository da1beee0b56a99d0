import { computed } from '@preact/signals';
import { preferences } from '../preferences.ts';
import { numbers } from '../texts/texts.ts';

const KJ_PER_KCAL = 4.184;

const KG_PER: Readonly<Record<string, number>> = { kg: 1, g: 0.001, lb: 0.45359237, st: 6.35029318 };

export const energyUnit = computed(() => preferences.value.energy ?? 'kcal');
export const bodyUnit = computed(() => (preferences.value.units === 'us' ? 'lb' : 'kg'));

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

/** A weight in the unit that is shown. */
export function inBodyUnit(value: number, unit: string): number {
  return (value * (KG_PER[unit] ?? 1)) / KG_PER[bodyUnit.value]!;
}

/** The US unit of weight or volume that is offered beside grams or milliliters, where US measures are chosen. */
export function usMeasureOf(basis: 'g' | 'ml'): 'oz' | 'fl_oz' | undefined {
  return preferences.value.units === 'us' ? ({ g: 'oz', ml: 'fl_oz' } as const)[basis] : undefined;
}
