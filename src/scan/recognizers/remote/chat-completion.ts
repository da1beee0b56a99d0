import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { parseRetryAfter, readBounded } from '../../../outgoing/bounded-response.ts';
import { httpRequest, isSuccess } from '../../../outgoing/http-request.ts';

/** Larger than any completion of a few hundred words. */
const MAX_ANSWER_BYTES = 256 * 1024;

const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
  usage: z
    .object({ prompt_tokens: z.int().nonnegative(), completion_tokens: z.int().nonnegative() })
    .nullish(),
});

export interface Completion {
  /** Absent if the model refused, or was cut off. */
  readonly content?: string;
  /** Why there is no content. */
  readonly reason?: 'refused' | 'cut off';
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The request failed; `retryAfterMs` or `retryable` says whether another may succeed. */
export class ChatFailure extends Error {
  override readonly name = 'ChatFailure';
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    how: { retryable: boolean; retryAfterMs?: number | undefined; cause?: unknown },
  ) {
    super(message, { cause: how.cause });
    this.retryable = how.retryable;
    this.retryAfterMs = how.retryAfterMs;
  }
}

export interface ChatRequest {
  readonly address: URL;
  readonly apiKey: string;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

/**
 * One request to an OpenAI-compatible chat endpoint. Throws a `ChatFailure`. Source:
 * https://platform.openai.com/docs/api-reference/chat/create
 */
export async function completeChat({ address, apiKey, body, signal }: ChatRequest): Promise<Completion> {
  const response = await httpRequest({
    url: address,
    method: 'POST',
    signal,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(apiKey !== '' && { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body),
    keepsConnection: true,
  }).catch((cause) => {
    throw new ChatFailure('could not be reached in time', { retryable: true, cause });
  });
  if (!isSuccess(response)) {
    response.destroy();
    throw failureOf(response);
  }
  return toCompletion(await readAnswer(response));
}

function failureOf({ statusCode, headers }: IncomingMessage): ChatFailure {
  const retryable = statusCode === 408 || statusCode === 429 || statusCode! >= 500;
  return new ChatFailure(`answered ${statusCode}`, {
    retryable,
    retryAfterMs: parseRetryAfter(headers['retry-after']),
  });
}

async function readAnswer(response: IncomingMessage): Promise<unknown> {
  try {
    return JSON.parse((await readBounded(response, MAX_ANSWER_BYTES)).toString());
  } catch (cause) {
    throw new ChatFailure('answered with something that is not JSON', { retryable: true, cause });
  }
}

function toCompletion(answer: unknown): Completion {
  const parsed = completionSchema.safeParse(answer);
  if (!parsed.success) throw new ChatFailure('answered with another shape', { retryable: true });
  const { choices, usage } = parsed.data;
  const { message, finish_reason: finish } = choices[0]!;
  const tokens = { inputTokens: usage?.prompt_tokens ?? 0, outputTokens: usage?.completion_tokens ?? 0 };
  if (finish === 'length') return { ...tokens, reason: 'cut off' };
  const isRefused = finish === 'content_filter' || typeof message.refusal === 'string';
  if (isRefused || typeof message.content !== 'string') return { ...tokens, reason: 'refused' };
  return { ...tokens, content: message.content };
}
