import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';

const SEARCHES = 200;
const SIDE_PX = 800;
const ASK_EVERY_MS = 100;
const PATIENCE_MS = 120_000;

interface WarmUpOptions {
  readonly url: string;
  readonly key: string;
  /** Address that the service names in links, if that is another one. */
  readonly publicUrl?: string | undefined;
}

/** Searches and a photo without barcode or label, so that code is compiled and models are loaded before memory is measured. */
export async function warmUp({ url, key, publicUrl = url }: WarmUpOptions): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  for (let at = 0; at < SEARCHES; at++) {
    await (await fetch(`${url}/v1/foods/search?q=banana+${at}`, { headers })).arrayBuffer();
  }
  const body = JSON.stringify({ clientId: 'warm-up', contentType: 'image/jpeg' });
  const created = await fetch(`${url}/v1/scan/image`, { method: 'POST', headers, body });
  const { jobId, uploadUrl } = (await created.json()) as { jobId: string; uploadUrl: string };
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
  const photo = sharp({
    create: { width: SIDE_PX, height: SIDE_PX, channels: 3, background: '#808080', noise },
  });
  const image = new Uint8Array(await photo.jpeg().toBuffer());
  const upload = await fetch(uploadUrl.replace(publicUrl, url), {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg' },
    body: image,
  });
  if (!upload.ok) throw new Error(`a first photo is refused: ${upload.status} ${await upload.text()}`);
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; ) {
    const { status } = (await (await fetch(`${url}/v1/scan/image/${jobId}`, { headers })).json()) as {
      status: string;
    };
    if (status === 'completed' || status === 'failed') return;
    await pause(ASK_EVERY_MS);
  }
  throw new Error('a first photo is not settled');
}
