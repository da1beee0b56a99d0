import type { ImageType } from '../scan-job.ts';

/** The facts that the header of an image states, before decoding. */
export interface ImageFacts {
  readonly type: ImageType;
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface ImageRefusal {
  readonly code: 'image_too_large' | 'unsupported_image' | 'image_unreadable';
  /** One sentence for the client. */
  readonly message: string;
}

export type HeaderReading = ImageFacts | ImageRefusal;

export function isRefusal(reading: HeaderReading): reading is ImageRefusal {
  return 'code' in reading;
}

export function unreadable(what: string): ImageRefusal {
  return { code: 'image_unreadable', message: `The image is damaged: ${what}.` };
}

export function unsupported(what: string): ImageRefusal {
  return { code: 'unsupported_image', message: `${what}; send a JPEG, a PNG, a HEIC or a WebP.` };
}
