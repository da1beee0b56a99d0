import type { CreatedScan, ScanInput } from '../generated/types.gen.ts';
import type { CreateOptions } from '../http/options.ts';
import type { Image } from '../http/transport.ts';
import { ScansMethods } from '../methods/methods.gen.ts';
import { Scan } from './scan.ts';
import { announce, type UploadOptions, upload } from './upload.ts';

export interface ScanCreation extends UploadOptions, CreateOptions {
  /** The app or device that sends the photo; recorded with the scan. */
  readonly clientId: ScanInput['clientId'];
  /** `photo` from the camera (the default), `upload` from the gallery. */
  readonly imageType?: ScanInput['imageType'] | undefined;
  /** `receipt` for a photo of a receipt (beta). */
  readonly kind?: ScanInput['kind'] | undefined;
}

/** Photo scans. */
export class Scans extends ScansMethods {
  /** Creates a scan and uploads its image. If the image cannot be uploaded, the scan is deleted. */
  async create(image: Image, creation: ScanCreation): Promise<Scan> {
    const { clientId, imageType, kind, ...options } = creation;
    const body = { clientId, imageType, kind, ...announce(image, creation) };
    const call = { method: 'POST', path: this.path, body, options } as const;
    const created = await this.transport.json<CreatedScan>(call);
    await upload(this.transport, created, image, options);
    return this.open(created.jobId);
  }

  /** An existing scan. */
  open(jobId: string): Scan {
    return new Scan(this.transport, jobId);
  }
}
