import fc from 'fast-check';
import type { DescribedAnswers } from '../described-answers.ts';
import type { Operation, Parameter } from './operations.ts';
import { type Resolve, valuesOf } from './schema-values.ts';
import type { SocketRequest } from './socket-client.ts';

/** Parameters of one request, not yet encoded. */
export type Parameters = ReadonlyMap<Parameter, string>;

/** A request that is valid by the API document. */
export interface GeneratedRequest {
  readonly operation: Operation;
  readonly parameters: Parameters;
  readonly body: unknown;
}

export interface RequestGeneratorOptions {
  readonly described: Pick<DescribedAnswers, 'refusalsBy'>;
  readonly resolve: Resolve;
  /** Ids of existing objects; at least one at any time. */
  readonly ids: readonly string[];
}

/** Generates valid requests of operations. Ids in paths mostly exist. */
export class RequestGenerator {
  readonly #described: Pick<DescribedAnswers, 'refusalsBy'>;
  readonly #resolve: Resolve;
  readonly #ids: readonly string[];
  /** Building a generator from its schemas takes a hundred times as long as generating one request. */
  readonly #built = new Map<Operation, fc.Arbitrary<GeneratedRequest>>();

  constructor({ described, resolve, ids }: RequestGeneratorOptions) {
    this.#described = described;
    this.#resolve = resolve;
    this.#ids = ids;
  }

  of(operation: Operation): fc.Arbitrary<GeneratedRequest> {
    const known = this.#built.get(operation);
    if (known !== undefined) return known;
    const built = fc.record({
      operation: fc.constant(operation),
      parameters: this.#parameters(operation),
      body: this.#body(operation),
    });
    this.#built.set(operation, built);
    return built;
  }

  any(operations: readonly Operation[]): fc.Arbitrary<GeneratedRequest> {
    return fc.constantFrom(...operations).chain((operation) => this.of(operation));
  }

  #parameters({ parameters }: Operation): fc.Arbitrary<Parameters> {
    const values = parameters.map((parameter) => {
      const generated = valuesOf(parameter.schema, this.#resolve)
        .filter((value) => this.#described.refusalsBy(parameter.schema, value).length === 0)
        .map(String)
        .filter((text) => parameter.in !== 'path' || (text !== '' && text !== '.' && text !== '..'))
        // Other characters cannot be sent in a header.
        .filter((text) => parameter.in !== 'header' || /^[!-~]([ -~]*[!-~])?$/.test(text));
      const isFree = parameter.in === 'path' && parameter.schema.pattern === undefined;
      const known = fc.nat().map((at) => this.#ids[at % this.#ids.length]!);
      const userId = fc.constantFrom('ann', 'ben');
      const chosen = isFree ? known : parameter.name === 'userId' ? userId : generated;
      const often = fc.oneof({ weight: 3, arbitrary: chosen }, { weight: 1, arbitrary: generated });
      // Whoever waits longer only makes tests longer.
      if (parameter.name === 'wait') return fc.constantFrom(undefined, '0');
      if (parameter.required === true) return often;
      const absent = { weight: parameter.in === 'header' ? 9 : 1, arbitrary: fc.constant(undefined) };
      return fc.oneof(absent, { weight: 2, arbitrary: often });
    });
    return fc
      .tuple(...values)
      .map(
        (all) =>
          new Map(
            parameters.flatMap((parameter, at) => (all[at] === undefined ? [] : [[parameter, all[at]]])),
          ),
      );
  }

  #body({ body }: Operation): fc.Arbitrary<unknown> {
    if (body === undefined) return fc.constant(undefined);
    const valid = valuesOf(body.schema, this.#resolve).filter(
      (value) => this.#described.refusalsBy(body.schema, value).length === 0,
    );
    return body.required ? valid : fc.option(valid, { nil: undefined });
  }
}

/** Adds this credential, if the operation has one in a header. */
export function toRequest(
  { operation, parameters, body }: GeneratedRequest,
  credential: string | undefined,
): SocketRequest {
  const { method, path, credential: kind } = operation;
  const of = (place: Parameter['in']) => [...parameters].filter(([parameter]) => parameter.in === place);
  const filled = of('path').reduce(
    (url, [{ name }, value]) => url.replace(`{${name}}`, () => encodeURIComponent(value.toWellFormed())),
    path,
  );
  const query = of('query').map(([{ name }, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
  return {
    method,
    url: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
    headers: {
      ...Object.fromEntries(of('header').map(([{ name }, value]) => [name.toLowerCase(), value])),
      ...(credential !== undefined && kind === 'bearer' && { authorization: `Bearer ${credential}` }),
      ...(credential !== undefined && kind === 'x-api-key' && { 'x-api-key': credential }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}
