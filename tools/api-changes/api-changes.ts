import { follow, type Schema } from './schema.ts';
import { type ComparisonOptions, SchemaComparison } from './schema-changes.ts';

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Response {
  readonly $ref?: string;
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface ApiDocument {
  readonly components: object;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: Operation }>>;
}

export type Allowed = Pick<ComparisonOptions, 'growing' | 'widened'>;

const FIRST_ERROR = 400;

/** Changes that break clients of the old document: one sentence each, see docs/stability.md. */
export function breakingChanges(before: ApiDocument, after: ApiDocument, allowed: Allowed): string[] {
  const problems = new Set<string>();
  for (const [path, methods] of Object.entries(before.paths)) {
    for (const [method, old] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      const found = now === undefined ? ['is gone'] : compareOperations({ before, after, old, now, allowed });
      for (const problem of found) problems.add(`${name}: ${problem}`);
    }
  }
  for (const [event, { post }] of Object.entries(before.webhooks ?? {})) {
    const now = after.webhooks?.[event]?.post;
    const found =
      now === undefined ? ['is gone'] : compareDeliveries({ before, after, old: post, now, allowed });
    for (const problem of found) problems.add(`event ${event}: ${problem}`);
  }
  return [...problems];
}

/** Two documents, and the operation in each. */
interface Versions {
  readonly before: ApiDocument;
  readonly after: ApiDocument;
  readonly old: Operation;
  readonly now: Operation;
  readonly allowed: Allowed;
}

function compareOperations(versions: Versions): string[] {
  const { old, now } = versions;
  const isRenamed = old.operationId !== now.operationId;
  return [
    ...(isRenamed ? [`its id was ${old.operationId} and is ${now.operationId}`] : []),
    ...compareSecurity(old, now),
    ...compareParameters(versions),
    ...compareBodies(versions),
    ...compareResponses(versions),
  ];
}

function compareParameters({ before, after, old, now, allowed }: Versions): string[] {
  const problems: string[] = [];
  const [oldParameters, newParameters] = [parametersOf(before, old), parametersOf(after, now)];
  for (const [key, { schema }] of oldParameters) {
    const other = newParameters.get(key);
    if (other === undefined) problems.push(`${key} is gone`);
    else
      problems.push(
        ...compareSchemas({ before, after, direction: 'request', ...allowed }, key, schema, other.schema),
      );
  }
  for (const [key, { required }] of newParameters) {
    if (required && !oldParameters.get(key)?.required) problems.push(`${key} is newly required`);
  }
  return problems;
}

function compareBodies({ before, after, old, now, allowed }: Versions): string[] {
  const isNeeded = now.requestBody?.required && !old.requestBody?.required;
  const problems = isNeeded ? ['a body is newly required'] : [];
  const takes = now.requestBody?.content ?? {};
  for (const [type, { schema }] of Object.entries(old.requestBody?.content ?? {})) {
    const other = takes[type];
    if (other === undefined) problems.push(`takes no longer ${type}`);
    else
      problems.push(
        ...compareSchemas({ before, after, direction: 'request', ...allowed }, 'body', schema, other.schema),
      );
  }
  return problems;
}

/** The service sends them, and clients read them. */
function compareDeliveries({ before, after, old, now, allowed }: Versions): string[] {
  const [told, tells] = [parametersOf(before, old), parametersOf(after, now)];
  const lost = [...told.keys()].filter((key) => !tells.has(key)).map((key) => `${key} is gone`);
  const options = { before, after, direction: 'response', ...allowed } as const;
  const bodies = Object.entries(old.requestBody?.content ?? {}).flatMap(([type, { schema }]) => {
    const other = now.requestBody?.content[type];
    return other === undefined
      ? [`is no longer ${type}`]
      : compareSchemas(options, 'body', schema, other.schema);
  });
  return [...lost, ...bodies];
}

function compareResponses({ before, after, old, now, allowed }: Versions): string[] {
  const problems: string[] = [];
  for (const [status, response] of Object.entries(old.responses)) {
    const other = now.responses[status];
    if (other === undefined) {
      if (Number(status) < FIRST_ERROR) problems.push(`answers no longer ${status}`);
      continue;
    }
    const [told, tells] = [resolved(before, response), resolved(after, other)];
    for (const header of Object.keys(told.headers ?? {})) {
      if (tells.headers?.[header] === undefined)
        problems.push(`${status} has no longer the header ${header}`);
    }
    for (const [type, { schema }] of Object.entries(told.content ?? {})) {
      const content = tells.content?.[type];
      if (content === undefined) problems.push(`${status} is no longer ${type}`);
      else
        problems.push(
          ...compareSchemas(
            { before, after, direction: 'response', ...allowed },
            status,
            schema,
            content.schema,
          ),
        );
    }
  }
  return problems;
}

function compareSchemas(
  options: ComparisonOptions,
  place: string,
  old: Schema = {},
  now: Schema = {},
): readonly string[] {
  const comparison = new SchemaComparison(options);
  comparison.compare(old, now, place);
  return comparison.problems;
}

/** Each way to authenticate must remain. */
function compareSecurity({ security: old = [] }: Operation, { security: now = [] }: Operation): string[] {
  const ways = now.map((way) => Object.keys(way).join(' and '));
  if (ways.length === 0) return [];
  const lost = old.map((way) => Object.keys(way).join(' and ')).filter((way) => !ways.includes(way));
  return old.length === 0 ? ['is no longer open to all'] : lost.map((way) => `takes no longer ${way}`);
}

function parametersOf(document: ApiDocument, { parameters = [] }: Operation): Map<string, Parameter> {
  return new Map(
    parameters.map((parameter) => {
      const found = resolved(document, parameter);
      return [`${found.in} parameter ${found.name}`, found];
    }),
  );
}

function resolved<T extends { readonly $ref?: string }>(document: ApiDocument, value: T): T {
  return value.$ref === undefined ? value : follow<T>(document, value.$ref);
}
