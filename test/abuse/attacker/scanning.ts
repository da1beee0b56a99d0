import { setTimeout as pause } from 'node:timers/promises';
import type { Scene } from '../attack.ts';

export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/heic';

export interface SentScan {
  /** `completed`, the code of its failure, or what kept it from being begun. */
  readonly outcome: string;
  readonly tookMs: number;
}

/** Some twenty images that take as long as they may wait for each other, on processors that others use as well. */
const PATIENCE_MS = 110_000;
const ASK_EVERY_MS = 400;
/** Pause after a refusal because of too many scans or requests. */
const REFUSED_MS = 250;

/** Sends one image from the first request to the result, whoever it belongs to. */
export async function sendScan(
  { client, endsAtMs }: Pick<Scene, 'client' | 'endsAtMs'>,
  key: string,
  type: ImageType,
  image: Uint8Array,
): Promise<SentScan> {
  const startedAt = performance.now();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const done = (outcome: string) => ({ outcome, tookMs: performance.now() - startedAt });
  const body = JSON.stringify({ clientId: 'abuse', contentType: type });
  let created = await client.send('/v1/scan/image', { method: 'POST', headers, body });
  while ([403, 429, 503, 507].includes(created.status) && performance.now() < endsAtMs) {
    await pause(REFUSED_MS);
    created = await client.send('/v1/scan/image', { method: 'POST', headers, body });
  }
  if (created.status !== 201) return done(`refused with ${created.status}`);
  const { jobId, uploadUrl } = JSON.parse(created.body);
  const upload = await client.send(uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': type },
    body: image,
  });
  if (upload.status !== 200 && upload.status !== 201) return done(`upload refused with ${upload.status}`);
  while (performance.now() < startedAt + PATIENCE_MS) {
    const asked = await client.send(`/v1/scan/image/${jobId}`, { headers });
    const job = asked.status === 200 ? JSON.parse(asked.body) : {};
    if (job.status === 'completed') return done('completed');
    if (job.status === 'failed') return done(job.error.code);
    await pause(ASK_EVERY_MS);
  }
  return done('never settled');
}

/** Outcomes by how often they came. */
export function tally(outcomes: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
}
