import type { FoodInput, ScanFailure, ScanResult, UnknownProduct } from 'larder-client';
import { useEffect } from 'preact/hooks';
import { unknownBarcodeText } from '../add/check-digit.ts';
import { step } from '../add/dialog-state.ts';
import { labelBarcode } from '../add/unknown-barcode.tsx';
import { texts } from '../texts/texts.ts';
import { foodOfLabel } from './label-food.ts';
import { photoKind, photoScan, photoUrl, repeatScan, resumeScan } from './photo-scan.ts';
import { ReceiptLines } from './receipt-lines.tsx';
import { ScanItems } from './scan-items.tsx';

/** A photo on its way from the file to entries of the diary. */
export function PhotoView() {
  useEffect(() => {
    if (photoScan.peek() === undefined) resumeScan();
  }, []);
  const scan = photoScan.value;
  const { photoOf } = texts.value;
  return (
    <div class="photo">
      {photoUrl.value !== undefined && (
        <div class="photo-frame" data-busy={scan?.phase === 'uploading' || scan?.phase === 'recognizing'}>
          <img src={photoUrl.value} alt={photoOf} />
        </div>
      )}
      <Kind />
      <Progress />
      {scan?.phase === 'done' && <Result jobId={scan.jobId} result={scan.result} />}
      {scan?.phase === 'done' && <Unknown products={scan.result.unknownProducts} />}
      {scan?.phase === 'failed' && <Failed failure={scan.failure} />}
      {scan?.phase === 'unfit' && (
        <p class="problem photo-part" role="alert">
          {texts.value.scanFailures[scan.reason]}
        </p>
      )}
      {scan?.phase === 'broken' && (
        <div class="photo-part">
          <p class="problem" role="alert">
            {scan.problem}
          </p>
          <Repeat />
        </div>
      )}
    </div>
  );
}

/** What the photo shows: a receipt is read only where somebody says that it is one. */
function Kind() {
  const { photoShows, photoKinds } = texts.value;
  // The file is only there until the page is closed.
  if (photoUrl.value === undefined) return null;
  return (
    <div class="photo-part">
      <p class="quiet">{photoShows}</p>
      <fieldset class="segments" aria-label={photoShows}>
        {(['food', 'receipt'] as const).map((kind) => (
          <button
            key={kind}
            type="button"
            aria-pressed={photoKind.value === kind}
            onClick={() => photoKind.peek() !== kind && repeatScan(kind)}
          >
            {photoKinds[kind]}
          </button>
        ))}
      </fieldset>
    </div>
  );
}

function Progress() {
  const { sending, recognizing } = texts.value;
  const scan = photoScan.value;
  if (scan?.phase !== 'uploading' && scan?.phase !== 'recognizing') return null;
  const isSending = scan.phase === 'uploading' && scan.share < 1;
  return (
    <div class="photo-part">
      <p role="status">{isSending ? sending : recognizing}</p>
      <progress
        aria-label={isSending ? sending : recognizing}
        {...(isSending ? { max: 1, value: scan.share } : {})}
      />
    </div>
  );
}

/** A label alone fills the form of an own food; everything else is a list to confirm. */
function Result({ jobId, result }: { readonly jobId: string; readonly result: ScanResult }) {
  const { items, servingSize, receipt } = result;
  const [only] = items;
  const isLabel = items.length === 1 && only!.origin === 'label' && only!.foodId === undefined;
  const { saveAsFood, labelRead } = texts.value;
  if (receipt !== undefined) return <ReceiptLines key={jobId} lines={receipt.lines} />;
  return (
    <>
      {isLabel && (
        <div class="photo-part">
          <p>{labelRead}</p>
          <button type="button" class="primary" onClick={() => openForm(foodOfLabel(only!, servingSize))}>
            {saveAsFood}
          </button>
        </div>
      )}
      <ScanItems key={jobId} jobId={jobId} items={items} />
    </>
  );
}

function Failed({ failure: { code, retryable, unknownProducts } }: { readonly failure: ScanFailure }) {
  const { scanFailures } = texts.value;
  const known = scanFailures[code as keyof typeof scanFailures] ?? scanFailures.internal_error;
  return (
    <>
      <div class="photo-part">
        <p class="problem" role="alert">
          {known}
        </p>
        {retryable && <Repeat />}
      </div>
      <Unknown products={unknownProducts} />
    </>
  );
}

function Repeat() {
  return (
    <button type="button" onClick={() => repeatScan()}>
      {texts.value.retry}
    </button>
  );
}

/** Barcodes on the photo that no food has: each can become an own food. */
function Unknown({ products = [] }: { readonly products?: readonly UnknownProduct[] | undefined }) {
  const { makeFood } = texts.value;
  return products.map((product) => (
    <div key={product.barcode} class="photo-part">
      <p>{unknownBarcodeText(product.barcode)}</p>
      <button type="button" onClick={() => openForm(product)}>
        {makeFood}
      </button>
    </div>
  ));
}

function openForm(initial: Partial<FoodInput>): void {
  const barcode = labelBarcode.peek();
  labelBarcode.value = undefined;
  step.value = { kind: 'food', initial: { ...(barcode !== undefined && { barcode }), ...initial } };
}
