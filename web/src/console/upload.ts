import { LarderError } from 'larder-client';
import { BASE, larder } from '../larder.ts';

/** The part of a file that was uploaded, in bytes. */
export interface Sent {
  readonly sent: number;
  readonly total: number;
}

/** Uploads a file, a part after the other. */
export async function upload(
  file: File,
  url: string,
  partBytes: number,
  onProgress: (sent: number) => void,
): Promise<void> {
  const address = new URL(url, BASE);
  for (let sent = 0; sent < file.size || sent === 0; sent += partBytes) {
    onProgress(sent);
    address.searchParams.set('offset', String(sent));
    const response = await larder.request(address.href, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: file.slice(sent, sent + partBytes),
    });
    if (!response.ok) throw new LarderError({ ...(await response.json()).error, status: response.status });
  }
}
