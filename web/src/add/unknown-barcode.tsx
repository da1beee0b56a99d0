import { signal } from '@preact/signals';
import { Icon } from '../parts/icon.tsx';
import { Later, withTexts } from '../parts/later.tsx';
import { setTo } from '../parts/signals.ts';
import { startScan } from '../photo/photo-scan.ts';
import { texts } from '../texts/texts.ts';
import { unknownBarcodeText } from './check-digit.ts';
import { step } from './dialog-state.ts';

/** The barcode of the label that is photographed: the food that is made of it gets it. */
export const labelBarcode = signal<string | undefined>(undefined);

export const loadShopFoods = withTexts(
  async () => (await import('../foods/shop-foods.tsx')).ShopFoods,
  'views',
);

/** Says that no food has a barcode, and offers the ways to one: its label, by hand, or the products of shops. */
export function UnknownBarcode({ barcode }: { readonly barcode: string }) {
  const { photographLabel, makeFood } = texts.value;
  return (
    <div class="photo-part">
      <p role="alert">{unknownBarcodeText(barcode)}</p>
      <label class="way">
        <Icon name="camera" />
        {photographLabel}
        <input
          class="hidden-input"
          type="file"
          accept="image/*"
          capture="environment"
          onChange={({ currentTarget: { files } }) => {
            if (files?.[0] === undefined) return;
            labelBarcode.value = barcode;
            startScan(files[0], 'photo');
            step.value = { kind: 'photo' };
          }}
        />
      </label>
      <button type="button" onClick={() => setTo(step, { kind: 'food', initial: { barcode } })}>
        {makeFood}
      </button>
      <Later load={loadShopFoods} props={{}} />
    </div>
  );
}
