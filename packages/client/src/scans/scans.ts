import type { CreatedScan, ScanInput, ScanJob } from '../generated/types.gen.ts';
import type { CallOptions, CreateOptions } from '../http/options.ts';
import { path } from '../http/path.ts';
import type { Image, Transport } from '../http/transport.ts';
import { Scan } from './scan.ts';
import { announce, type UploadOptions, upload } from './upload.ts';

export interface ScanCreation extends UploadOptions, CreateOptions {
  /** The app or device that sends the photo; recorded with the scan. */
  readonly clientId: ScanInput['clientId'];
  /** `photo` from the camera (the default), `upload` from the gallery. */
  readonly imageType?: ScanInput['imageType'] | undefined;
}

/** Photo scans. */
export class Scans {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a scan and uploads its image. If the image cannot be uploaded, the scan is deleted. */
  async create(image: Image, creation: ScanCreation): Promise<Scan> {
    const { clientId, imageType, ...options } = creation;
    const body = { clientId, imageType, ...announce(image, creation) };
    const created = await this.#transport.json<CreatedScan>('POST', '/v1/scan/image', options, { body });
    await upload(this.#transport, created, image, options);
    return this.open(created.jobId);
  }

  /** An existing scan. */
  open(jobId: string): Scan {
    return new Scan(this.#transport, jobId);
  }

  get(jobId: string, options?: CallOptions): Promise<ScanJob> {
    return this.#transport.json('GET', path`/v1/scan/image/${jobId}`, options);
  }

  /** Deletes a scan, its image and its result. */
  remove(jobId: string, options?: CallOptions): Promise<void> {
    return this.#transport.json('DELETE', path`/v1/scan/image/${jobId}`, options);
  }
}
