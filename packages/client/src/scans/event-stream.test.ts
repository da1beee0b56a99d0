import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readMessages, type StreamMessage } from './event-stream.ts';

async function read(chunks: readonly Uint8Array[]): Promise<StreamMessage[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const messages = [];
  for await (const message of readMessages(body, () => {})) messages.push(message);
  return messages;
}

it('messages do not depend on how the bytes were cut', async () => {
  const text = fc.string({ unit: 'grapheme' }).map((value) => JSON.stringify(value));
  const messages = fc.array(fc.record({ id: fc.nat().map(String), data: text }), { maxLength: 5 });
  const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 20 });
  const lineEnd = fc.constantFrom('\n', '\r\n');
  await fc.assert(
    fc.asyncProperty(messages, cuts, lineEnd, async (expected, places, end) => {
      const bytes = new TextEncoder().encode(
        `retry: 1000${end}${end}: heartbeat${end}${end}${expected
          .map(({ id, data }) => `id: ${id}${end}data: ${data}${end}${end}`)
          .join('')}`,
      );
      const ends = [
        ...places.filter((place) => place < bytes.length).toSorted((a, b) => a - b),
        bytes.length,
      ];
      const chunks = ends.map((place, at) => bytes.subarray(ends[at - 1] ?? 0, place));
      expect(await read(chunks)).toEqual(expected);
    }),
  );
});

it('joins data lines, and drops a message that the end cuts off', async () => {
  const bytes = new TextEncoder().encode('data: a\ndata:b\nevent: x\n\ndata: cut');
  expect(await read([bytes])).toEqual([{ id: undefined, data: 'a\nb' }]);
});
