import { isDeepStrictEqual } from 'node:util';

interface Described {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly components: object;
}

/** The documents of both variants as one. What they share means the same in both; ids of unversioned operations say so. */
export function wholeDocument<Document extends Described>(
  versioned: Document,
  unversioned: Described,
): Document {
  const { components, paths } = versioned;
  const names = Object.keys({ ...components, ...unversioned.components }) as never[];
  const whole = names.map((name) => [
    name,
    joined<unknown>(components[name] ?? {}, unversioned.components[name] ?? {}),
  ]);
  return {
    ...versioned,
    paths: joined(paths, withOwnIds(unversioned.paths)),
    components: Object.fromEntries(whole),
  };
}

/** Both variants have an operation `searchFoods`. */
function withOwnIds(paths: Described['paths']): Described['paths'] {
  const named = JSON.stringify(paths).replaceAll(
    /"operationId":"(.)/g,
    (_, first: string) => `"operationId":"unversioned${first.toUpperCase()}`,
  );
  return JSON.parse(named);
}

function joined<Value>(some: Readonly<Record<string, Value>>, others: Readonly<Record<string, Value>>) {
  const different = Object.keys(others).filter(
    (name) => Object.hasOwn(some, name) && !isDeepStrictEqual(some[name], others[name]),
  );
  if (different.length > 0) throw new Error(`means two things in two documents: ${different.join(', ')}`);
  return { ...some, ...others };
}
