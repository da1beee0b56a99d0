import type {
  UnversionedCreatedScan,
  UnversionedFood,
  UnversionedGetFoodByBarcodeData,
  UnversionedListFoodsData,
  UnversionedParsedText,
  UnversionedScan,
  UnversionedScannedFood,
  UnversionedSearchFoodsData,
  UnversionedTextInput,
} from './generated/types.gen.ts';
import { List } from './http/list.ts';
import type { CallOptions } from './http/options.ts';
import { barcodePath, path } from './http/path.ts';
import type { Image, Transport } from './http/transport.ts';
import type { ScanCreation } from './scans/scans.ts';
import { announce, upload } from './scans/upload.ts';

export type UnversionedSearchQuery = NonNullable<UnversionedSearchFoodsData['query']>;
export type UnversionedBarcodeQuery = NonNullable<UnversionedGetFoodByBarcodeData['query']>;
export type UnversionedListQuery = NonNullable<UnversionedListFoodsData['query']>;

/** The paths without /v1, which have other field names and take an API key alone. */
export class Unversioned {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  search(query: UnversionedSearchQuery, options?: CallOptions): List<UnversionedFood> {
    return new List(this.#transport, { path: '/foods/search', as: 'api-key', options }, query, { offset: 0 });
  }

  byBarcode(
    code: string,
    query: UnversionedBarcodeQuery = {},
    options?: CallOptions,
  ): Promise<UnversionedScannedFood> {
    return this.#transport.json('GET', barcodePath('', code, query), options, { as: 'api-key' });
  }

  parse(input: UnversionedTextInput, options?: CallOptions): Promise<UnversionedParsedText> {
    return this.#transport.json('POST', '/foods/parse', options, { as: 'api-key', body: input });
  }

  list(query: UnversionedListQuery = {}, options?: CallOptions): List<UnversionedFood> {
    return new List(this.#transport, { path: '/foods', as: 'api-key', options }, query);
  }

  /** Creates a scan and uploads its image; `scan` returns its state. */
  async createScan(
    image: Image,
    creation: Omit<ScanCreation, 'imageType'>,
  ): Promise<Pick<UnversionedCreatedScan, 'jobId'>> {
    const { clientId, ...options } = creation;
    const body = { clientId, ...announce(image, creation) };
    const created = await this.#transport.json<UnversionedCreatedScan>('POST', '/scan/image', options, {
      as: 'api-key',
      body,
    });
    await upload(this.#transport, created, image, options);
    return { jobId: created.jobId };
  }

  scan(jobId: string, options?: CallOptions): Promise<UnversionedScan> {
    return this.#transport.json('GET', path`/scan/image/${jobId}`, options, { as: 'api-key' });
  }
}
