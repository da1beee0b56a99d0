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

  /** Whether a fixed path that lacks the route's method would be taken for one of the route's own. */
  hasFixedPathWithin({ method, path }: Pick<Route, 'method' | 'path'>): boolean {
    const { pattern } = this.#paths.get(path)!;
    return [...this.#paths].some(
      ([other, { methods }]) =>
        other !== path && !other.includes(':') && pattern.test(other) && !methods.has(method),
    );
  }

  /** The methods that the path of this URL answers to, none where there is no such path. */
  allowedAt(url: string): string[] {
    const path = url.split('?', 1)[0]!;
    // A fixed path is only itself, also where it would fit into a path with parameters.
    const fixed = this.#paths.get(path);
    if (fixed !== undefined) return [...fixed.methods].sort();
    const allowed = new Set<string>();
    for (const { pattern, methods } of this.#paths.values()) {
      if (pattern.test(path)) for (const method of methods) allowed.add(method);
    }
    return [...allowed].sort();
  }
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
