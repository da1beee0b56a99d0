import type { FaultRecord, RequestRecord } from '../history-record.ts';

/** Possible responses without a fault; other rules check whether they are right. */
const GOOD: Readonly<Record<RequestRecord['kind'], readonly number[]>> = {
  search: [200],
  barcode: [200],
  add: [201],
  change: [200, 404, 412],
  remove: [204, 404, 412],
  list: [200],
  read: [200, 404],
  totals: [200],
  begin: [201],
  upload: [200, 201],
  poll: [200],
  stream: [200, 204],
};

/** How the request failed, as `503 unavailable` or `no answer`; undefined if it did not. */
export function failureOf({ kind, status, code }: RequestRecord): string | undefined {
  if (GOOD[kind].includes(status)) return undefined;
  return status === 0 ? 'no answer' : `${status} ${code ?? ''}`.trim();
}

/** The fault that explains the failure. */
export function excuseOf(record: RequestRecord, faults: readonly FaultRecord[]): FaultRecord | undefined {
  const failure = failureOf(record);
  return faults.find(
    ({ startMs, endMs, allows }) =>
      record.endMs >= startMs &&
      allows.some(
        (allowed) =>
          allowed.failure === failure &&
          allowed.kinds.includes(record.kind) &&
          !(allowed.unnamedOnly === true && isNamed(record)) &&
          record.startMs <= endMs + allowed.graceMs,
      ),
  );
}

function isNamed(record: RequestRecord): boolean {
  return 'key' in record && record.key !== undefined;
}
