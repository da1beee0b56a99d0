import { withTexts } from '../parts/later.tsx';
import { showSheet } from '../parts/sheet-host.tsx';

const load = withTexts(async () => (await import('./weight-sheet.tsx')).WeightSheet, 'views');

/** Opens the sheet that takes a weight. */
export function showWeight(): void {
  showSheet(load, {});
}
