import { AppError } from '@larder/core/errors.ts';
import FindMyWay from 'find-my-way';
import { MAX_URL_LENGTH } from './connection/limits.ts';
import type { Endpoint } from './endpoint.ts';

/** The meaning of an address, whichever method it is asked with. */
export interface FoundPath {
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** The methods of the endpoints, sorted. */
  readonly allowed: readonly string[];
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[]>>;
}

interface Path {
  readonly endpoints: Map<string, Endpoint>;
  readonly allowed: string[];
}

const NO_PATH: FoundPath = { endpoints: new Map(), allowed: [], params: {}, query: {} };
/** `OPTIONS *` asks about the server, not about a path of it (RFC 9110, 9.3.7). */
const WHOLE_SERVER = '*';

/**
 * Finds the endpoints of an address. All paths are in one tree, whatever their methods: `DELETE /foods/search` is a wrong
 * method of that path, not the deletion of the food "search".
 */
export class Router {
  // Paths are registered under one method, since the tree is only asked for paths.
  readonly #tree = FindMyWay<FindMyWay.HTTPVersion.V1>({
    maxParamLength: MAX_URL_LENGTH,
    onBadUrl: () => {},
  });
  readonly #paths = new Map<string, Path>();

  constructor(endpoints: readonly Endpoint[]) {
    for (const endpoint of endpoints) this.#add(endpoint);
  }

  /** Without endpoints where there is no such path. Throws `invalid_request` for an address that cannot be decoded. */
  find(url: string): FoundPath {
    const found = url === WHOLE_SERVER ? null : this.#tree.find('GET', url);
    if (found === null) return NO_PATH;
    const { params, searchParams, store } = found;
    if (store === null) {
      throw new AppError({ code: 'invalid_request', message: 'The path is not valid percent-encoding.' });
    }
    // `/v1/foods/` is not `/v1/foods/:id`.
    for (const name in params) if (params[name] === '') return NO_PATH;
    const { endpoints, allowed } = store as Path;
    return {
      endpoints,
      allowed,
      params: params as FoundPath['params'],
      query: searchParams as FoundPath['query'],
    };
  }

  #add(endpoint: Endpoint): void {
    const { method, path } = endpoint.operation;
    let added = this.#paths.get(path);
    if (added === undefined) {
      added = { endpoints: new Map(), allowed: [] };
      this.#paths.set(path, added);
      this.#tree.on('GET', path, () => {}, added);
    }
    const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
    for (const each of methods) added.endpoints.set(each, endpoint);
    added.allowed.push(...methods);
    added.allowed.sort();
  }
}
