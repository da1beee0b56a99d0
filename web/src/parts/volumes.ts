import { computed } from '@preact/signals';
import { preferences } from '../preferences.ts';
import { numbers } from '../texts/texts.ts';

/** A US fluid ounce. */
const FL_OZ_ML = 29.5735295625;

export const volumeUnit = computed(() => (preferences.value.units === 'us' ? 'fl oz' : 'ml'));

const unitMl = () => (preferences.value.units === 'us' ? FL_OZ_ML : 1);

/** A volume in the unit that is shown, whole. */
export function inVolumeUnit(ml: number): number {
  return Math.round(ml / unitMl());
}

/** What was typed in the unit that is shown. */
export function mlOf(typed: number): number {
  return Math.round(typed * unitMl() * 10) / 10;
}

/** `250 ml` or `8 fl oz`. */
export function volumeText(ml: number): string {
  return `${numbers.value.whole(inVolumeUnit(ml))} ${volumeUnit.value}`;
}
