import { DelegateBackoff, handleWhen, type IRetryBackoffContext, type RetryPolicy, retry } from 'cockatiel';
import type { Photo } from '../../images/photo.ts';
import {
  type Recognition,
  type Recognizer,
  RecognizerUnavailable,
  type RecognizerUsage,
} from '../../recognizer.ts';
import { ChatFailure, type Completion, completeChat } from './chat-completion.ts';
import { FOODS_JSON_SCHEMA, INSTRUCTION, parseFoods } from './foods-prompt.ts';

/** Input size of such models; larger photos only cost more. */
const PHOTO_SIDE_PX = 1_024;
const MAX_ANSWER_TOKENS = 1_000;

export interface VisionLimits {
  /** Time limit of one request. */
  readonly timeoutMs: number;
  /** Time limit of one photo, with all requests and pauses; other recognizers need the rest of its time. */
  readonly totalMs: number;
  /** Maximum requests for one photo. */
  readonly maxAttempts: number;
  /** Pause between the first two requests; doubled each time. */
  readonly firstPauseMs: number;
  /** Maximum pause, also if the service asks for a longer one. */
  readonly maxPauseMs: number;
}

export const VISION_LIMITS: VisionLimits = {
  timeoutMs: 20_000,
  totalMs: 30_000,
  maxAttempts: 3,
  firstPauseMs: 500,
  maxPauseMs: 8_000,
};

/** USD for a million tokens. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
}

export interface VisionModelInit {
  /** URL before `/chat/completions`. */
  readonly base: string;
  readonly model: string;
  /** Empty if the service needs none. */
  readonly apiKey: string;
  readonly prices?: TokenPrices | undefined;
  readonly limits: VisionLimits;
}

/**
 * Asks a vision model behind an OpenAI-compatible chat endpoint what is on a photo. Only its food names and estimated
 * amounts are used.
 */
export class VisionModel implements Recognizer {
  readonly name = 'remote';
  readonly version: string;
  readonly #init: VisionModelInit;
  readonly #retry: RetryPolicy;

  constructor(init: VisionModelInit) {
    this.version = init.model;
    this.#init = init;
    const { maxAttempts, ...pauses } = init.limits;
    this.#retry = retry(
      handleWhen((error) => error instanceof ChatFailure && error.retryable),
      {
        maxAttempts: maxAttempts - 1,
        backoff: new DelegateBackoff((context: IRetryBackoffContext<unknown>) =>
          pauseBefore(context, pauses),
        ),
      },
    );
  }

  async recognize(photo: Photo, signal: AbortSignal): Promise<Recognition> {
    const isOver = AbortSignal.any([signal, AbortSignal.timeout(this.#init.limits.totalMs)]);
    const image = Buffer.from(await photo.jpeg(PHOTO_SIDE_PX)).toString('base64');
    const spent = { inputTokens: 0, outputTokens: 0 };
    try {
      const asking = this.#retry.execute(() => this.#ask(image, spent, isOver), isOver);
      const recognition = await Promise.race([asking, tooLate(isOver)]);
      return { ...recognition, usage: this.#usageOf(spent) };
    } catch (cause) {
      signal.throwIfAborted();
      if (!(cause instanceof ChatFailure)) throw cause;
      const usage = spent.inputTokens > 0 ? this.#usageOf(spent) : undefined;
      throw new RecognizerUnavailable(`The vision model ${cause.message}.`, {
        cause,
        ...(usage !== undefined && { usage }),
      });
    }
  }

  async close(): Promise<void> {}

  async #ask(
    image: string,
    spent: { inputTokens: number; outputTokens: number },
    signal: AbortSignal,
  ): Promise<Recognition> {
    const { apiKey, limits } = this.#init;
    const completion = await completeChat({
      address: this.#address(),
      apiKey,
      body: this.#question(image),
      signal: AbortSignal.any([signal, AbortSignal.timeout(limits.timeoutMs)]),
    });
    spent.inputTokens += completion.inputTokens;
    spent.outputTokens += completion.outputTokens;
    return toRecognition(completion);
  }

  #address(): URL {
    return new URL(`${this.#init.base.replace(/\/$/, '')}/chat/completions`);
  }

  #question(image: string): unknown {
    return {
      model: this.#init.model,
      max_tokens: MAX_ANSWER_TOKENS,
      messages: [
        { role: 'system', content: INSTRUCTION },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Which foods are on this photo?' },
            { type: 'image_url', image_url: { url: `data:image/jpeg;base64,${image}` } },
          ],
        },
      ],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'foods', strict: true, schema: FOODS_JSON_SCHEMA },
      },
    };
  }

  #usageOf({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }): RecognizerUsage {
    const { prices } = this.#init;
    if (prices === undefined) return { inputTokens, outputTokens };
    const costUsd = (inputTokens * prices.input + outputTokens * prices.output) / 1_000_000;
    return { inputTokens, outputTokens, costUsd };
  }
}

function toRecognition({ content, reason }: Completion): Recognition {
  if (reason === 'cut off') throw new ChatFailure('was cut off in its answer', { retryable: false });
  if (content === undefined) return { proposals: [], details: { refused: true } };
  const proposals = parseFoods(content);
  if (proposals === undefined) {
    throw new ChatFailure('answered with something else than was asked for', { retryable: true });
  }
  return { proposals };
}

/** Rejects when the time is over, even during a pause, which takes no signal. */
function tooLate(isOver: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const fail = () => reject(new ChatFailure('did not answer in time', { retryable: false }));
  if (isOver.aborted) fail();
  else isOver.addEventListener('abort', fail, { once: true });
  return promise;
}

/** Pauses as long as the service asks, within the limit; otherwise doubles the pause each time. */
function pauseBefore(
  { attempt, result }: IRetryBackoffContext<unknown>,
  { firstPauseMs, maxPauseMs }: Pick<VisionLimits, 'firstPauseMs' | 'maxPauseMs'>,
): number {
  const wanted =
    'error' in result && result.error instanceof ChatFailure ? result.error.retryAfterMs : undefined;
  return Math.min(wanted ?? firstPauseMs * 2 ** (attempt - 1), maxPauseMs);
}
