import type { z } from 'zod';
import { errorShape, oauthError } from './shapes.ts';

/** Answers the errors of OAuth. */
const TOKEN_PATH = '/v1/auth/token';

/** The service is wrong; the message is one sentence for an operator. */
export class CheckFailure extends Error {}

/** The check cannot run; the message says why. */
export class CheckSkip extends Error {}

const LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const WHOLE_NUMBER = /^\d+$/;
const MAX_SHOWN = 120;

/** A response with its request, for messages. */
export class CheckedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly #asked: string;

  constructor({ asked, response, text }: { asked: string; response: Response; text: string }) {
    this.#asked = asked;
    this.status = response.status;
    this.headers = response.headers;
    this.text = text;
  }

  fail(problem: string): never {
    const id = this.headers.get('x-request-id');
    throw new CheckFailure(`${this.#asked} ${problem}${id === null ? '' : ` (request ${id})`}.`);
  }

  /** Fails unless the response has the common headers and form. */
  holdToAllAnswers(): void {
    if (this.headers.get('x-request-id') === null) this.fail('was answered without X-Request-Id');
    for (const name of LIMIT_HEADERS) {
      if (!WHOLE_NUMBER.test(this.headers.get(name) ?? '')) {
        this.fail(
          `was answered with ${JSON.stringify(this.headers.get(name))} as ${name}, not a whole number`,
        );
      }
    }
    if (this.status >= 400) this.read<unknown>(this.#asked.includes(TOKEN_PATH) ? oauthError : errorShape);
  }

  expect(status: number): this {
    if (this.status === status) return this;
    if (this.status === 429) {
      this.fail(
        `answered 429: a limit of this key or address is used up; wait ${this.headers.get('retry-after')} s, ` +
          'or give a key that nobody else uses',
      );
    }
    return this.fail(`answered ${this.status} instead of ${status}: ${shorten(this.text) || 'nothing'}`);
  }

  expectError(status: number, code: string): this {
    this.expect(status);
    const { error } = this.read(errorShape);
    if (error.code !== code) this.fail(`answered ${status} with the code ${error.code} instead of ${code}`);
    return this;
  }

  expectHeader(name: string, pattern: RegExp): string {
    const value = this.headers.get(name);
    if (value === null || !pattern.test(value)) {
      this.fail(`was answered with ${JSON.stringify(value)} as ${name}, which should match ${pattern}`);
    }
    return value!;
  }

  /** Parses the body as JSON of this shape. */
  read<T>(shape: z.ZodType<T>): T {
    let value: unknown;
    try {
      value = JSON.parse(this.text);
    } catch {
      this.fail(`answered ${this.status} with a body that is no JSON: ${shorten(this.text) || 'nothing'}`);
    }
    const parsed = shape.safeParse(value);
    if (parsed.success) return parsed.data;
    const { path, message } = parsed.error.issues[0]!;
    const place = path.length === 0 ? 'the body' : path.join('.');
    return this.fail(
      `answered ${this.status} with ${shorten(this.text)}, where ${place} is wrong: ${message}`,
    );
  }

  /** Fails unless two values are the same JSON, with keys in any order. */
  expectSame(what: string, actual: unknown, expected: unknown): void {
    if (canonical(actual) === canonical(expected)) return;
    this.fail(
      `answered with ${shorten(JSON.stringify(actual) ?? 'nothing')} as ${what} instead of ` +
        `${shorten(JSON.stringify(expected) ?? 'nothing')}`,
    );
  }
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, part) =>
      part !== null && typeof part === 'object' && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? ''
  );
}

function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
