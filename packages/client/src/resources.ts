import type {
  CreatedScan,
  FoodBatch,
  GetFoodByBarcodeData,
  ImportFoodsData,
  ImportResult,
  ScannedFood,
  Token,
  UnversionedCreatedScan,
  UnversionedGetFoodByBarcodeData,
  UnversionedScannedFood,
} from './generated/types.gen.ts';
import type { CallOptions, LarderOptions } from './http/options.ts';
import { barcodePath, queryOf } from './http/path.ts';
import { type Image, Transport } from './http/transport.ts';
import { FactsMethods, FoodsMethods, TokensMethods, UnversionedMethods } from './methods/methods.gen.ts';
import type { ScanCreation } from './scans/scans.ts';
import { announce, upload } from './scans/upload.ts';

type QueryOf<Data extends { query?: unknown }> = NonNullable<Data['query']>;

/** Foods of the catalogue, and custom foods. */
export class Foods extends FoodsMethods {
  /** The food of a code as the scanner reads it: digits, a GS1 element string or a link; else `barcode_not_found`. */
  byBarcode(
    code: string,
    query: QueryOf<GetFoodByBarcodeData> = {},
    options?: CallOptions,
  ): Promise<ScannedFood> {
    return this.transport.json({ path: barcodePath('/v1', code, query), options });
  }

  /** Up to 100 foods by their ids, and the ids without a food. */
  batch(ids: readonly string[], options?: CallOptions): Promise<FoodBatch> {
    return this.transport.json({ path: `${this.path}/batch${queryOf({ ids: ids.join(',') })}`, options });
  }

  /** Adds the new rows of a CSV table of custom foods. With `preview` it writes nothing and reports what it would write. */
  import(file: Image, query: QueryOf<ImportFoodsData> = {}, options?: CallOptions): Promise<ImportResult> {
    const path = `${this.path}/import${queryOf(query)}`;
    return this.transport.json({ method: 'POST', path, bytes: file, type: 'text/csv', options });
  }
}

/** Reads the facts of foods. It is a client of its own, so that apps that show no facts do not load it. */
export class Facts extends FactsMethods {
  constructor(options: LarderOptions) {
    super(new Transport(options));
  }
}

export interface TokenRequest {
  /** The user of your app whom the token is for. */
  readonly userId: string;
  /** Separated by spaces; by default all scopes of the key except `foods:write`, `admin` and `metrics`. */
  readonly scope?: string | undefined;
}

/** Access tokens, each for one user and a short time. */
export class Tokens extends TokensMethods {
  /** Creates a token from this client's API key. Call it on your server and give the token to your app. */
  create({ userId, scope }: TokenRequest, options?: CallOptions): Promise<Token> {
    const { key } = this.transport;
    if (key === undefined) throw new TypeError('Only a client with an API key can create tokens.');
    const body = { grant_type: 'client_credentials', client_secret: key, user_id: userId, scope };
    return this.transport.json({ method: 'POST', path: '/v1/auth/token', as: 'nobody', body, options });
  }
}

/** The paths without /v1, which have other field names and take an API key alone. */
export class Unversioned extends UnversionedMethods {
  byBarcode(
    code: string,
    query: QueryOf<UnversionedGetFoodByBarcodeData> = {},
    options?: CallOptions,
  ): Promise<UnversionedScannedFood> {
    return this.transport.json({ path: barcodePath('', code, query), as: 'api-key', options });
  }

  /** Creates a scan and uploads its image; `scan` returns its state. */
  async createScan(
    image: Image,
    { clientId, ...options }: Omit<ScanCreation, 'imageType'>,
  ): Promise<Pick<UnversionedCreatedScan, 'jobId'>> {
    const body = { clientId, ...announce(image, options) };
    const call = { method: 'POST', path: '/scan/image', as: 'api-key', body, options } as const;
    const created = await this.transport.json<CreatedScan>(call);
    await upload(this.transport, created, image, options);
    return { jobId: created.jobId };
  }
}
