import { backoffMs, retry } from '../../../base/retry.ts';
import type { Photo } from '../../images/photo.ts';
import {
  type Recognition,
  type Recognizer,
  RecognizerUnavailable,
  type RecognizerUsage,
} from '../../recognizer.ts';
import { ChatFailure, type Completion, completeChat } from './chat-completion.ts';
import { FOODS_JSON_SCHEMA, INSTRUCTION, parseFoodList } from './foods-prompt.ts';

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

export interface VisionModelOptions {
  /** URL before `/chat/completions`. */
  readonly base: string;
  readonly model: string;
  /** Empty if the service needs none. */
  readonly apiKey: string;
  readonly prices?: TokenPrices;
  readonly limits: VisionLimits;
}

/**
 * Asks a vision model behind an OpenAI-compatible chat endpoint which foods are on a photo. Uses only names
 * and estimated amounts.
 */
export class VisionModel implements Recognizer {
  readonly name = 'remote';
  readonly version: string;
  readonly #options: VisionModelOptions;

  constructor(options: VisionModelOptions) {
    this.version = options.model;
    this.#options = options;
  }

  async recognize(photo: Photo, signal: AbortSignal): Promise<Recognition> {
    const { limits } = this.#options;
    const timeIsUp = new ChatFailure('did not answer in time', { retryable: false });
    const isOver = AbortSignal.any([signal, AbortSignal.timeout(limits.totalMs)]);
    const image = Buffer.from(await photo.jpeg(PHOTO_SIDE_PX)).toString('base64');
    const spent = { inputTokens: 0, outputTokens: 0 };
    try {
      const delayMs = (error: unknown, failures: number) => pauseAfter(error, failures, limits);
      const recognition = await retry(() => this.#ask(image, spent, isOver), { delayMs, signal: isOver });
      return { ...recognition, usage: this.#usageOf(spent) };
    } catch (error) {
      signal.throwIfAborted();
      const cause = isOver.aborted ? timeIsUp : error;
      if (!(cause instanceof ChatFailure)) throw cause;
      const usage = spent.inputTokens > 0 ? this.#usageOf(spent) : undefined;
      throw new RecognizerUnavailable(`The vision model ${cause.message}.`, { cause, usage });
    }
  }

  async close(): Promise<void> {}

  async #ask(
    image: string,
    spent: { inputTokens: number; outputTokens: number },
    signal: AbortSignal,
  ): Promise<Recognition> {
    const { apiKey, limits } = this.#options;
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
    return new URL(`${this.#options.base.replace(/\/$/, '')}/chat/completions`);
  }

  #question(image: string): unknown {
    return {
      model: this.#options.model,
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
    const { prices } = this.#options;
    if (prices === undefined) return { inputTokens, outputTokens };
    const costUsd = (inputTokens * prices.input + outputTokens * prices.output) / 1_000_000;
    return { inputTokens, outputTokens, costUsd };
  }
}

function toRecognition({ content, reason }: Completion): Recognition {
  if (reason === 'cut off') throw new ChatFailure('was cut off in its answer', { retryable: false });
  if (content === undefined) return { proposals: [], details: { refused: true } };
  const proposals = parseFoodList(content);
  if (proposals === undefined) {
    throw new ChatFailure('answered with something else than was asked for', { retryable: true });
  }
  return { proposals };
}

/** Pauses as long as the service asks, within the limit; otherwise doubles the pause each time. Undefined after the last attempt. */
function pauseAfter(error: unknown, failures: number, limits: VisionLimits): number | undefined {
  if (!(error instanceof ChatFailure) || !error.retryable || failures >= limits.maxAttempts) return undefined;
  const { firstPauseMs: firstMs, maxPauseMs: maxMs } = limits;
  return Math.min(error.retryAfterMs ?? backoffMs({ firstMs, maxMs }, failures), maxMs);
}
