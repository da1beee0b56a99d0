import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as consume } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startLocalServer } from '../../../../test/support/local-server.ts';
import { plainPhoto } from '../../../../test/support/plain-photo.ts';
import { RecognizerUnavailable } from '../../recognizer.ts';
import { VISION_LIMITS, VisionModel, type VisionModelOptions } from './vision-model.ts';

const photo = plainPhoto([1, 2, 3]);
const never = new AbortController().signal;
const rice = { name: 'Rice, white, cooked', grams: 180, confidence: 0.8 };
const sauce = { name: 'Soy sauce', grams: null, confidence: 0.4 };
const quick = { ...VISION_LIMITS, firstPauseMs: 1, maxPauseMs: 5 };

interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: the test checks what was sent
  readonly body: any;
}

/** A fake service that sends each of `answers` once, then repeats the last one. */
async function play(...answers: ((response: ServerResponse) => void)[]) {
  const asked: Asked[] = [];
  const server = await startLocalServer(async (request: IncomingMessage, response) => {
    // A client that stopped waiting does not send the rest.
    const text = await consume(request).catch(() => undefined);
    if (text === undefined) return;
    asked.push({
      path: request.url!,
      authorization: request.headers.authorization,
      body: JSON.parse(text),
    });
    answers[Math.min(asked.length, answers.length) - 1]!(response);
  });
  const model = (more: Partial<VisionModelOptions> = {}) =>
    new VisionModel({
      base: `${server.base}/v1/`,
      model: 'eye-1',
      apiKey: 'sk-secret',
      limits: quick,
      ...more,
    });
  return { asked, model, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function says(content: string | null, more: object = {}, finish = 'stop') {
  return (response: ServerResponse) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        object: 'chat.completion',
        choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', content, ...more } }],
        usage: { prompt_tokens: 1000, completion_tokens: 50, total_tokens: 1050 },
      }),
    );
  };
}

function fails(status: number, headers: Record<string, string> = {}) {
  return (response: ServerResponse) => response.writeHead(status, headers).end('{"error":{"message":"no"}}');
}

const foods = (...list: unknown[]) => JSON.stringify({ foods: list });

test('the photo is sent as a JPEG with a response schema; names and grams come back', async () => {
  await using service = await play(says(foods(rice, sauce)));
  const { proposals, usage } = await service
    .model({ prices: { input: 2, output: 8 } })
    .recognize(photo, never);

  expect(proposals).toEqual([
    { kind: 'named', name: 'Rice, white, cooked', grams: 180, confidence: 0.8 },
    { kind: 'named', name: 'Soy sauce', confidence: 0.4 },
  ]);
  expect(usage).toEqual({ inputTokens: 1000, outputTokens: 50, costUsd: 0.0024 });
  const [{ path, authorization, body }] = service.asked as [Asked];
  expect(path).toBe('/v1/chat/completions');
  expect(authorization).toBe('Bearer sk-secret');
  expect(body).toMatchObject({
    model: 'eye-1',
    response_format: { type: 'json_schema', json_schema: { strict: true } },
  });
  expect(body.messages.at(-1).content[1].image_url.url).toMatch(/^data:image\/jpeg;base64,/);
});

test('an empty list and a refusal are results, not errors', async () => {
  await using service = await play(
    says(foods()),
    says(null, { refusal: 'I will not.' }),
    says(null, {}, 'content_filter'),
  );
  const model = service.model();
  expect((await model.recognize(photo, never)).proposals).toEqual([]);
  expect(await model.recognize(photo, never)).toMatchObject({ proposals: [], details: { refused: true } });
  expect(await model.recognize(photo, never)).toMatchObject({ proposals: [], details: { refused: true } });
});

test('an invalid response is requested again, and its tokens are counted', async () => {
  await using service = await play(
    says('I see rice.'),
    says(foods({ ...rice, calories: 1 })),
    says(foods(rice)),
  );
  const { proposals, usage } = await service.model().recognize(photo, never);
  expect(proposals).toHaveLength(1);
  expect(usage).toEqual({ inputTokens: 3000, outputTokens: 150 });
});

test('unusable responses are counted, since they are charged', async () => {
  await using chatters = await play(says('I see rice.'));
  const prices = { input: 2, output: 8 };
  await expect(chatters.model({ prices }).recognize(photo, never)).rejects.toMatchObject({
    usage: { inputTokens: 3000, outputTokens: 150, costUsd: 0.0072 },
  });
  await using rambles = await play(says('{"foods":[', {}, 'length'));
  await expect(rambles.model().recognize(photo, never)).rejects.toMatchObject({
    usage: { inputTokens: 1000, outputTokens: 50 },
  });
});

test.each([
  ['a name without letters', { ...rice, name: ' ' }],
  ['a negative weight', { ...rice, grams: -1 }],
  ['more than anybody eats', { ...rice, grams: 9_000 }],
  ['a confidence over 1', { ...rice, confidence: 1.5 }],
  ['a number as text', { ...rice, grams: '180' }],
])('%s is rejected', async (_, food) => {
  await using service = await play(says(foods(food)));
  await expect(service.model().recognize(photo, never)).rejects.toThrow(RecognizerUnavailable);
  expect(service.asked).toHaveLength(quick.maxAttempts);
});

test('a busy or failing service is retried up to the limit; one that rejects the request is not', async () => {
  await using recovers = await play(fails(429, { 'retry-after': '1' }), fails(503), says(foods(rice)));
  expect((await recovers.model().recognize(photo, never)).proposals).toHaveLength(1);

  await using busy = await play(fails(429, { 'retry-after': '3600' }));
  await expect(busy.model().recognize(photo, never)).rejects.toThrow('The vision model answered 429.');
  expect(busy.asked).toHaveLength(quick.maxAttempts);

  await using denies = await play(fails(401));
  await expect(denies.model().recognize(photo, never)).rejects.toThrow('The vision model answered 401.');
  expect(denies.asked).toHaveLength(1);
});

test('a service that closes the connection, or sends a truncated or endless response, is unavailable', async () => {
  const limits = { ...quick, maxAttempts: 2 };
  const endless = (response: ServerResponse) => {
    const more = () => {
      while (response.write('x'.repeat(65_536)));
      response.once('drain', more);
    };
    more();
  };
  const answers = {
    hangUp: (response: ServerResponse) => response.destroy(),
    half: (response: ServerResponse) => response.end('{"choices":[{"mess'),
    page: (response: ServerResponse) => response.end('<html>'),
    other: (response: ServerResponse) => response.end('{"choices":[]}'),
    endless,
  };
  for (const answer of Object.values(answers)) {
    await using service = await play(answer);
    await expect(service.model({ limits }).recognize(photo, never)).rejects.toThrow(RecognizerUnavailable);
    expect(service.asked).toHaveLength(2);
  }
});

test('a slow service is unavailable', async () => {
  await using service = await play(() => {});
  const limits = { ...quick, maxAttempts: 2, timeoutMs: 100 };
  await expect(service.model({ limits }).recognize(photo, never)).rejects.toThrow(RecognizerUnavailable);
  expect(service.asked.length).toBeLessThanOrEqual(2);
});

test('an unresponsive service, or one that asks for long pauses, gets the time of a photo and no more', async () => {
  const limits = { ...VISION_LIMITS, totalMs: 50, maxPauseMs: 60_000 };
  for (const answer of [() => {}, fails(429, { 'retry-after': '60' })]) {
    await using service = await play(answer);
    const asking = service.model({ limits }).recognize(photo, never);
    await expect(asking).rejects.toThrow(RecognizerUnavailable);
    expect(service.asked.length).toBeLessThanOrEqual(1);
  }
});

test('aborting ends the request', async () => {
  const abort = new AbortController();
  await using service = await play(() => abort.abort(new Error('enough')));
  await expect(service.model().recognize(photo, abort.signal)).rejects.toThrow('enough');
  expect(service.asked).toHaveLength(1);
});

test('aborting ends a pause', async () => {
  const abort = new AbortController();
  await using service = await play((response) => {
    response.on('close', () => abort.abort(new Error('enough')));
    fails(429, { 'retry-after': '60' })(response);
  });
  const limits = { ...quick, maxPauseMs: 60_000 };
  await expect(service.model({ limits }).recognize(photo, abort.signal)).rejects.toThrow('enough');
});
