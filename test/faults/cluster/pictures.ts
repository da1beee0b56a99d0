import { type Product, photographed } from './products.ts';

/** An image with its expected result. */
export interface Picture {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly expected: string;
}

const PHOTOS = 10;

/** Photos of products, and one file that is not an image. */
export async function takePictures(products: readonly Product[]): Promise<Picture[]> {
  const photos = products.slice(0, PHOTOS).map(async (product) => ({
    contentType: 'image/jpeg',
    bytes: await photographed(product),
    expected: product.id,
  }));
  const document = {
    contentType: 'image/png',
    bytes: Buffer.from('%PDF-1.7'),
    expected: 'unsupported_image',
  };
  return [...(await Promise.all(photos)), document];
}
