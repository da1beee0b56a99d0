import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DOCUMENT_FILES } from '../../src/http/openapi/document-files.ts';
import { wholeDocument } from './whole-document.ts';

const ROOT = join(import.meta.dirname, '..', '..');
export const METHODS_FILE = join(ROOT, 'packages', 'client', 'src', 'methods', 'methods.gen.ts');

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean };
  readonly security?: readonly object[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Answer>> }>>;
}

interface Answer {
  readonly schema?: { readonly type?: string };
}

/** A class of the client has the operations under a path; the longest path counts. */
const RESOURCES: Readonly<Record<string, string>> = {
  '/v1/foods': 'Foods',
  '/v1/keys': 'Keys',
  '/v1/webhooks': 'Webhooks',
  '/v1/scan/image': 'Scans',
  '/v1/users/{userId}': 'User',
  '/v1/users/{userId}/diary': 'Diary',
  '/v1/users/{userId}/diary/days': 'Days',
  '/v1/users/{userId}/recipes': 'Recipes',
  '/v1/users/{userId}/measurements': 'Measurements',
  '/v1/users/{userId}/meals': 'SavedMeals',
  '/v1/users/{userId}/favourites': 'Favourites',
  '/v1/users/{userId}/settings': 'Settings',
  '/v1/users/{userId}/goals': 'UserGoals',
  '/v1/users/{userId}/foods': 'EatenFoods',
};

/** Descriptions of the classes that have no method by hand. */
const ABOUT: Readonly<Record<string, string>> = {
  Keys: 'The API keys of a tenant; needs the scope `admin`.',
  Webhooks: 'The webhooks of a tenant; needs the scope `webhooks`.',
  Days: 'Notes on days, and whether they are complete. Each day is there; version 0 is one that nobody has written.',
  Measurements: 'Measurements of a user, such as the weight.',
  SavedMeals: 'Foods that are logged together.',
  Favourites: 'Foods, recipes and saved meals that are offered first.',
  Settings: 'The settings of a user, which all devices share; version 0 before the first change.',
  UserGoals: 'Daily goals.',
  EatenFoods: 'Foods that the user ate.',
  Service: 'The service itself.',
};

/** Methods whose names do not follow from the path. */
const NAMES: Readonly<Record<string, string>> = {
  createKey: 'Keys.create',
  revokeKey: 'Keys.revoke',
  createWebhook: 'Webhooks.create',
  changeDiaryEntries: 'Diary.changeAll',
  deleteDiaryEntries: 'Diary.removeAll',
  eraseUser: 'User.erase',
  getFoodFacts: 'Facts.of',
  listNutrients: 'Facts.nutrients',
  getTokenKeys: 'Tokens.publicKeys',
  getHealth: 'Service.health',
  getReadiness: 'Service.readiness',
  getMetrics: 'Service.metrics',
  unversionedSearchFoods: 'Unversioned.search',
  unversionedParseText: 'Unversioned.parse',
  unversionedListFoods: 'Unversioned.list',
  unversionedGetScan: 'Unversioned.scan',
};

/** Written by hand: files, streams, and methods that lead to several operations. */
const BY_HAND = new Set([
  ...[
    'getFoodByBarcode',
    'getFoodByCode',
    'getFoods',
    'importFoods',
    'createRecipe',
    'createScan',
    'exportDiary',
  ],
  ...['createDiaryEntry', 'createDiaryEntries', 'createDiaryEntriesFromText', 'createDiaryEntriesFromScan'],
  ...['listDiaryEntries', 'listDiaryEntriesOfRange', 'getDiaryTotals', 'listDailyTotals', 'importUser'],
  ...['getChanges', 'streamChanges', 'createChangesTicket', 'followChanges', 'streamScan', 'followScan'],
]);

/** A second rotation would be refused, because the first one revoked the key. */
const ONCE = new Set(['rotateKey']);
/** Parameters that the client's methods leave to `Accept-Language`, and to requests. */
const LEFT_OUT = ['lang', 'include'];
const STANDARD: Readonly<Record<string, string>> = {
  POST: 'add',
  GET: 'get',
  PATCH: 'change',
  PUT: 'set',
  DELETE: 'remove',
};

const ORDER = ['set', 'add', 'remove', 'change', 'get', 'list'];

interface Method {
  readonly resource: string;
  /** The path of all methods of the resource. */
  readonly prefix: string;
  readonly name: string;
  /** The method, words and the rest of the path, as `resource` of the client takes it. */
  readonly call: string;
  readonly declaration: string;
}

class Described {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly #operation: Operation;
  readonly #answer: Readonly<Record<string, Answer>>;

  constructor(path: string, method: string, operation: Operation) {
    this.id = operation.operationId;
    this.path = path;
    this.method = method.toUpperCase();
    this.#operation = operation;
    this.#answer = (operation.responses['200'] ?? operation.responses['201'])?.content ?? {};
  }

  get type(): string {
    return this.id[0]!.toUpperCase() + this.id.slice(1);
  }

  get isList(): boolean {
    const { schema } = this.#answer['application/json'] ?? {};
    return this.method === 'GET' && schema?.type === 'array' && this.#names('query').includes('limit');
  }

  /** Whether a part of the path, the query or the body is required. */
  get isNeeding(): boolean {
    const { parameters = [], requestBody } = this.#operation;
    const isPart = ({ in: place, required }: Parameter) => place !== 'header' && required === true;
    return parameters.some(isPart) || requestBody?.required === true;
  }

  /** The method of the client, if it has one of its own. */
  toMethod(): Method | undefined {
    if (BY_HAND.has(this.id)) return undefined;
    const prefix = Object.keys(RESOURCES)
      .filter((path) => this.path === path || this.path.startsWith(`${path}/`))
      .toSorted((a, b) => b.length - a.length)[0];
    const named = NAMES[this.id] ?? (prefix && `${RESOURCES[prefix]}.${this.#nameUnder(prefix)}`);
    if (named === undefined) return undefined;
    const [resource, name] = named.split('.') as [string, string];
    const isBound = this.path.startsWith('/v1/users/');
    const shared = prefix !== undefined && RESOURCES[prefix] === resource ? prefix : '';
    const below = this.path.slice(shared.length).replaceAll(/\{\w+\}/g, '{}');
    const call = [this.method, ...this.#words(), ...(below === '' ? [] : [below])].join(' ');
    return { resource, prefix: shared, name, call, declaration: this.#declaration(name, isBound) };
  }

  #nameUnder(prefix: string): string {
    const below = this.path.slice(prefix.length).split('/');
    const word = below.findLast((segment) => segment !== '' && !segment.startsWith('{'));
    return word ?? (this.isList ? 'list' : STANDARD[this.method]!);
  }

  #names(place: string): string[] {
    return (this.#operation.parameters ?? []).flatMap((each) => (each.in === place ? [each.name] : []));
  }

  get #hasQuery(): boolean {
    return this.#names('query').some((name) => !LEFT_OUT.includes(name)) && !this.#hasBody;
  }

  get #hasBody(): boolean {
    return this.#operation.requestBody !== undefined;
  }

  #words(): string[] {
    const { security = [{}] } = this.#operation;
    const words = {
      list: this.isList,
      offset: this.isList && this.#names('query').includes('offset'),
      body: this.#hasBody,
      query: this.#hasQuery,
      text: !('application/json' in this.#answer) && Object.keys(this.#answer).length > 0,
      once: ONCE.has(this.id),
      nobody: security.length === 0,
      'api-key': JSON.stringify(security).includes('x-api-key'),
    };
    return Object.entries(words).flatMap(([word, isUsed]) => (isUsed ? [word] : []));
  }

  #declaration(name: string, isBound: boolean): string {
    const ids = this.#names('path').slice(isBound ? 1 : 0);
    const data = `${this.type}Data`;
    const { parameters = [], requestBody, summary } = this.#operation;
    const needs = parameters.some((each) => each.in === 'query' && each.required);
    const given = [
      ...ids.map((id) => `${id}: string`),
      ...(this.#hasBody ? [`input${requestBody?.required ? '' : '?'}: t.${data}['body']`] : []),
      ...(this.#hasQuery ? [`query${needs ? '' : '?'}: NonNullable<t.${data}['query']>`] : []),
      `options?: ${this.#options()}`,
    ];
    const answer = `t.${this.type}Response`;
    const result = this.isList ? `List<${answer}[number]>` : `Promise<${answer}>`;
    return `  /** ${summary}. */\n  ${name}(${given.join(', ')}): ${result};`;
  }

  #options(): string {
    const names = this.#names('header');
    if (names.includes('Idempotency-Key')) return 'CreateOptions';
    return names.includes('If-Match') ? 'ChangeOptions' : 'CallOptions';
  }
}

/** The methods of the client that lead to one operation each, and the types of every operation. */
export async function generateMethods(): Promise<string> {
  const read = async (file: string) => JSON.parse(await readFile(join(ROOT, file), 'utf8'));
  const { versioned, unversioned } = DOCUMENT_FILES;
  const { paths } = wholeDocument(await read(versioned), await read(unversioned));
  const operations = Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => new Described(path, method, operation)),
  );
  // In one order, which compresses best.
  const methods = operations
    .flatMap((each) => each.toMethod() ?? [])
    .toSorted((a, b) => ORDER.indexOf(b.name) - ORDER.indexOf(a.name));
  const resources = Map.groupBy(methods, ({ resource }) => resource);
  const classes = [...resources].map(([resource, its]) => {
    const about = ABOUT[resource];
    const name = about === undefined ? `${resource}Methods` : resource;
    return `${about === undefined ? '' : `/** ${about} */\n`}export interface ${name} {
${its.map(({ declaration }) => declaration).join('\n')}
}

export const ${name}: ResourceClass<${name}> = /* @__PURE__ */ resource('${its[0]!.prefix.replace(/\{\w+\}/, '{}')}', {
${its.map((each) => `  ${each.name}: '${each.call}',`).join('\n')}
});
`;
  });
  const asked = operations.map(
    ({ method, path, type, isNeeding }) =>
      `  '${method} ${path}': [t.${type}Data, t.${type}Response, '${isNeeding ? 'required' : 'optional'}'];`,
  );
  return `// This file is generated from the OpenAPI documents by \`npm run openapi\`.
import type { List } from '../http/list.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from '../http/options.ts';
import { type ResourceClass, resource } from './resource.ts';
import type * as t from '../generated/types.gen.ts';

/** The input and the answer of each operation, and whether a part of the input is required. */
export interface Operations {
${asked.join('\n')}
}

${classes.join('\n')}`;
}

if (import.meta.main) await writeFile(METHODS_FILE, await generateMethods());
