import type { CreatedScan, ScanInput } from '../generated/types.gen.ts';
import { LarderError } from '../http/error.ts';
import type { CallOptions } from '../http/options.ts';
import { encode } from '../http/path.ts';
import { readText } from '../http/response.ts';
import type { Image, Transport } from '../http/transport.ts';

/** Uploading an image may take long on a phone. */
const TIMEOUT_MS = 120_000;

export interface Upload {
  readonly jobId: string;
  readonly sentBytes: number;
  readonly totalBytes: number;
}

export interface UploadOptions extends CallOptions {
  /** The type of the image, by default that of the blob. */
  readonly contentType?: ScanInput['contentType'] | undefined;
  /** Called when the upload begins and when it is complete; `fetch` reports no progress. */
  readonly onUpload?: ((upload: Upload) => void) | undefined;
}

/** Properties of an image that the caller states before the upload. */
export function announce(
  image: Image,
  { contentType }: UploadOptions,
): Required<Pick<ScanInput, 'contentType' | 'contentLength'>> {
  const [type, contentLength] = image instanceof Blob ? [image.type, image.size] : ['', image.byteLength];
  return { contentType: contentType ?? (type as ScanInput['contentType']), contentLength };
}

/** Uploads the image of a scan to its signed URL, which needs no credential. If that fails, the scan is deleted. */
export async function upload(
  transport: Transport,
  { jobId, uploadUrl }: Pick<CreatedScan, 'jobId' | 'uploadUrl'>,
  image: Image,
  { onUpload, signal, maxRetries, timeoutMs = TIMEOUT_MS, ...options }: UploadOptions,
): Promise<void> {
  const { contentType, contentLength: totalBytes } = announce(image, options);
  const job = `/v1/scan/image/${encode(jobId)}`;
  onUpload?.({ jobId, sentBytes: 0, totalBytes });
  try {
    await transport.send(
      {
        method: 'PUT',
        path: uploadUrl,
        as: 'nobody',
        type: contentType,
        bytes: image,
        options: { signal, maxRetries, timeoutMs },
      },
      readText,
    );
  } catch (error) {
    // The URL takes one image: if an attempt without a response arrived after all, the next one is rejected.
    const state =
      error instanceof LarderError ? await transport.json<{ status: string }>({ path: job }) : undefined;
    if (state === undefined || state.status === 'upload_pending') {
      // Not awaited, because it only frees the quota early.
      transport.json({ method: 'DELETE', path: job }).catch(() => {});
      throw error;
    }
  }
  onUpload?.({ jobId, sentBytes: totalBytes, totalBytes });
}
