import { withTexts } from '../parts/later.tsx';
import { showSheet } from '../parts/sheet-host.tsx';
import type { NutrientSheetProps } from './nutrient-sheet.tsx';

const load = withTexts(async () => (await import('./nutrient-sheet.tsx')).NutrientSheet, 'adding');

/** Opens the sheet with all nutrients of something eaten. */
export function showNutrients(props: Omit<NutrientSheetProps, 'onClose'>): void {
  showSheet(load, props);
}
