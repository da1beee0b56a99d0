import '../styles/trends.css';
import { Sheet } from '../parts/sheet.tsx';
import { texts } from '../texts/texts.ts';
import { WeightForm } from './weight-form.tsx';

/** A weight in two taps, from the day or from a shortcut of the installed app. */
export function WeightSheet({ onClose }: { readonly onClose: () => void }) {
  return (
    <Sheet title={texts.value.trendsPage.enterWeight} onClose={onClose}>
      <WeightForm onSaved={onClose} />
    </Sheet>
  );
}
