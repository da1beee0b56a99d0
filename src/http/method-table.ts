import type { Route } from './route.ts';

interface Path {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/** Which methods a path answers to: tells a wrong method (405) from an unknown path (404). */
export class MethodTable {
  readonly #paths = new Map<string, Path>();

  constructor(routes: readonly Pick<Route, 'method' | 'path'>[]) {
    for (const { method, path } of routes) {
      let known = this.#paths.get(path);
      if (known === undefined) {
        known = { pattern: toPattern(path), methods: new Set() };
        this.#paths.set(path, known);
      }
      known.methods.add(method);
      if (method === 'GET') known.methods.add('HEAD');
    }
  }

  /** Paths that lack the route's method and would therefore be taken for its own. */
  mistakenFor({ method, path }: Pick<Route, 'method' | 'path'>): string[] {
    return [...this.#paths]
      .filter(([other, { methods }]) => isWithin(other, path) && !methods.has(method))
      .map(([other]) => other);
  }

  /** The methods that the path of this URL answers to, none where there is no such path. */
  allowedAt(url: string): string[] {
    const asked = url.split('?', 1)[0]!;
    const fitting = [...this.#paths].filter(([, { pattern }]) => pattern.test(asked));
    // What is written out is only itself, also where it would fit into a parameter.
    const nearest = fitting.filter(([path]) => !fitting.some(([other]) => isWithin(other, path)));
    return [...new Set(nearest.flatMap(([, { methods }]) => [...methods]))].sort();
  }
}

/** Whether each address of `inner` would fit `outer` too, as those of `/users/:id/totals` fit `/users/:id/:entry`. */
function isWithin(inner: string, outer: string): boolean {
  const [segments, wider] = [inner.split('/'), outer.split('/')];
  return (
    inner !== outer &&
    segments.length === wider.length &&
    wider.every((segment, place) => segment.startsWith(':') || segment === segments[place])
  );
}

function toPattern(path: string): RegExp {
  const literal = path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll(/:\w+/g, '[^/]+')}$`);
}

/** Whether a parameter of a path is empty, as in `/v1/foods/`; then it is not the path that was declared. */
export function hasEmptyParameter(params: unknown): boolean {
  for (const name in params as Readonly<Record<string, string>>) {
    if ((params as Readonly<Record<string, string>>)[name] === '') return true;
  }
  return false;
}
