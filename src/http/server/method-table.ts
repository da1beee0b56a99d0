import FindMyWay from 'find-my-way';
import { MAX_URL_LENGTH } from './limits.ts';
import type { Route } from './route.ts';

/** Which methods a path answers to: tells a wrong method (405) from an unknown path (404). */
export class MethodTable {
  readonly #paths = new Map<string, Set<string>>();
  /** All paths, whichever methods they have: an address means here what it means to the framework's own router. */
  readonly #router = FindMyWay<FindMyWay.HTTPVersion.V1>({ maxParamLength: MAX_URL_LENGTH });

  constructor(routes: readonly Pick<Route, 'method' | 'path'>[]) {
    for (const { method, path } of routes) {
      let methods = this.#paths.get(path);
      if (methods === undefined) {
        methods = new Set();
        this.#paths.set(path, methods);
        this.#router.on('GET', path, () => {}, methods);
      }
      methods.add(method);
      if (method === 'GET') methods.add('HEAD');
    }
  }

  /** Declared paths that lack the route's method and that its parameters would match. */
  mistakenFor({ method, path }: Pick<Route, 'method' | 'path'>): string[] {
    return [...this.#paths]
      .filter(([other, methods]) => isWithin(other, path) && !methods.has(method))
      .map(([other]) => other);
  }

  /** The methods that the path of this URL answers to, none where there is no such path. */
  allowedAt(url: string): string[] {
    const found = this.#router.find('GET', url);
    if (found === null || hasEmptyParameter(found.params)) return [];
    return [...(found.store as ReadonlySet<string>)].sort();
  }
}

/** Whether `outer` matches every address that `inner` does, as `/users/:id/:entry` does for `/users/:id/totals`. */
function isWithin(inner: string, outer: string): boolean {
  const [segments, wider] = [inner.split('/'), outer.split('/')];
  return (
    inner !== outer &&
    segments.length === wider.length &&
    wider.every((segment, place) => segment.startsWith(':') || segment === segments[place])
  );
}

/** Whether a parameter of the path is empty, as in `/v1/foods/`, which is not the declared path then. */
export function hasEmptyParameter(params: unknown): boolean {
  for (const name in params as Readonly<Record<string, string>>) {
    if ((params as Readonly<Record<string, string>>)[name] === '') return true;
  }
  return false;
}
