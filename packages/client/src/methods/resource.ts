import { List } from '../http/list.ts';
import { encode, queryOf } from '../http/path.ts';
import { readJson, readText } from '../http/response.ts';
import type { Call, Transport } from '../http/transport.ts';

/** A part of the API: of the service, or of the user with an id. */
declare class Resource {
  protected readonly transport: Transport;
  /** The path that all its methods begin with. */
  protected readonly path: string;
}

export type ResourceClass<Methods> = new (transport: Transport, id?: string) => Resource & Methods;

/**
 * A class with methods for operations, each written as a method, words and the rest of the path: `PATCH body /{}`. A method takes the ids
 * in its path, then a body or a query, then options.
 */
export function resource<Methods>(
  prefix: string,
  methods: Readonly<Record<string, string>>,
): ResourceClass<Methods> {
  class Described {
    constructor(transport: Transport, id = '') {
      Object.assign(this, { transport, path: prefix.replace('{}', () => encode(id)) });
    }
  }
  for (const [name, written] of Object.entries(methods))
    (Described.prototype as Record<string, unknown>)[name] = function (
      this: { transport: Transport; path: string },
      ...given: unknown[]
    ) {
      return perform(this.transport, this.path, written.split(' '), given);
    };
  return Described as never;
}

function perform(transport: Transport, prefix: string, words: string[], given: unknown[]): unknown {
  const has = (word: string) => words.includes(word);
  const below = words.find((word) => word[0] === '/') ?? '';
  const path = prefix + below.replaceAll('{}', () => encode(given.shift() as string));
  const body = has('body') ? (given.shift() ?? {}) : undefined;
  const query = (has('query') && given.shift()) || {};
  const as = words.find((word) => word === 'nobody' || word === 'api-key');
  const call = { method: words[0], path, body, options: given[0], once: has('once'), as } as Call;
  if (has('list')) return new List(transport, call, query, has('offset') ? { offset: 0 } : {});
  const asked = { ...call, path: path + queryOf(query) };
  return transport.send<unknown>(asked, has('text') ? readText : readJson);
}
