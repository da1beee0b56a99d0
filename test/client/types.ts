/** Code that a user's compiler must accept or reject; `package.process.test.ts` compiles it in an empty project. */
import {
  type DailyTotals,
  type DatedTotals,
  type DiaryEntry,
  type Food,
  Larder,
  LarderError,
  type ScanJob,
  type TextEntries,
  verifyWebhook,
} from '#larder-client';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(proof: Same<A, B>) => proof;

const url = 'http://127.0.0.1:8080';
const larder = new Larder({ url, key: 'lrd_…' });
new Larder({ url, token: 'eyJ…' });
new Larder({ url: new URL(url), token: async () => 'eyJ…', fetch, timeoutMs: 5_000 });
// @ts-expect-error: either a key or a token.
new Larder({ url, key: 'lrd_…', token: 'eyJ…' });
// @ts-expect-error: an address is needed.
new Larder({ key: 'lrd_…' });

export async function calls(signal: AbortSignal | undefined, ifMatch: number): Promise<void> {
  const foods = await larder.foods.search({ q: 'banana', limit: 3 }, { signal });
  same<typeof foods, Food[]>(true);
  for await (const food of larder.foods.search({ q: 'banana' })) same<typeof food, Food>(true);
  // @ts-expect-error: no such parameter.
  larder.foods.search({ q: 'banana', colour: 'yellow' });
  // @ts-expect-error: no number.
  larder.foods.search({ q: 'banana', limit: '3' });

  const { diary } = larder.user('ann');
  const day = { date: '2026-01-31', mealType: 'lunch' } as const;
  const entry = await diary.add({ ...day, foodId: 'fdc:1', quantity: 1, unit: 'cup' });
  same<typeof entry, DiaryEntry>(true);
  const entries = await diary.add([{ ...day, barcode: '0747599322198', quantity: 1, unit: 'g' }]);
  same<typeof entries, DiaryEntry[]>(true);
  const texts = await diary.add({ ...day, text: '2 eggs' });
  same<typeof texts, TextEntries>(true);
  const scanned = await diary.add({ ...day, scanJobId: 'j' });
  same<typeof scanned, DiaryEntry[]>(true);
  // @ts-expect-error: a food needs a quantity and a unit.
  diary.add({ ...day, foodId: 'fdc:1' });
  // @ts-expect-error: there are four meals.
  diary.add({ date: '2026-01-31', mealType: 'brunch', text: '2 eggs' });

  const totals = await diary.totals({ date: '2026-01-31' });
  same<typeof totals, DailyTotals>(true);
  const range = await diary.totals({ from: '2026-01-31', to: '2026-02-01', by: 'meal' });
  same<typeof range, DatedTotals[]>(true);
  // @ts-expect-error: a range has two ends.
  diary.totals({ from: '2026-01-31' });
  await diary.change('1', { quantity: 2 }, { ifMatch, signal });
  // @ts-expect-error: what an entry is computed from is not a field of entries.
  diary.change('1', { grams: 2 });
  const csv = await diary.export('csv');
  same<typeof csv, string>(true);

  const scan = await larder.scans.create(new Blob([]), { clientId: 'app', onUpload: undefined });
  for await (const { status, result } of scan.states({ signal })) {
    same<typeof status, 'upload_pending' | 'processing' | 'completed' | 'failed'>(true);
    result?.items.map(({ name }) => name);
  }
  // @ts-expect-error: no image type.
  larder.scans.create(new Uint8Array(), { clientId: 'app', contentType: 'image/gif' });

  const event = await verifyWebhook({ 'webhook-id': 'm' }, '{}', 'whsec_…');
  if (event.type === 'diary.changed') same<typeof event.data.cursor, string>(true);
  if (event.type === 'scan.failed') same<typeof event.data, ScanJob>(true);
}

export function explain(error: unknown): string {
  if (!(error instanceof LarderError)) throw error;
  switch (error.code) {
    case 'barcode_not_found':
      return error.details.candidates.join();
    case 'rate_limit_exceeded':
      return String(error.details.retryAfter + 1);
    case 'unresolved_items':
      return error.details.items.map(({ text }) => text).join();
    case 'scan_failed':
      return String(error.details.retryable);
    case 'version_conflict':
      // @ts-expect-error: there are no such details.
      return error.details.candidates;
    // @ts-expect-error: the list is closed.
    case 'barcode_unknown':
      return '';
    default:
      return `${error.message} (${error.requestId}, ${error.status})`;
  }
}
