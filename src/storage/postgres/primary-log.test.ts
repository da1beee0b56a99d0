import { OutageError } from '@larder/core/errors.ts';
import { expect, test } from 'vitest';
import { PrimaryLog, ReplicaError } from './replica-position.ts';

/** A primary that answers when the test says so. */
function openLog() {
  const asked: PromiseWithResolvers<{ rows: unknown[] }>[] = [];
  const query = () => {
    asked.push(Promise.withResolvers());
    return asked.at(-1)!.promise;
  };
  const log = new PrimaryLog({ primary: { query: query as never } });
  const answer = (at: number, position: number, answersEarly = false) =>
    asked[at]!.resolve({ rows: [{ position, timeline: '0000000A', system: '7', answersEarly }] });
  return { log, asked, answer };
}

test('who asks while a question is under way gets the answer to the next one, which all of them share', async () => {
  const { log, asked, answer } = openLog();
  const first = log.mark();
  const later = [log.mark(), log.mark()];
  expect(asked).toHaveLength(1);
  answer(0, 100);
  expect(await first).toEqual({ position: 100, timeline: 10, system: '7' });
  expect(asked).toHaveLength(2);
  answer(1, 200);
  expect((await Promise.all(later)).map(({ position }) => position)).toEqual([200, 200]);
});

test('a question that fails is asked again for those who came later', async () => {
  const { log, asked, answer } = openLog();
  const first = log.mark();
  const later = log.mark();
  asked[0]!.reject(new OutageError('away'));
  await expect(first).rejects.toThrow(OutageError);
  answer(1, 300);
  expect(await later).toMatchObject({ position: 300 });
});

test('a primary that answers before it has written tells nothing to go by', async () => {
  const { log, answer } = openLog();
  const mark = log.mark();
  answer(0, 100, true);
  await expect(mark).rejects.toThrow(ReplicaError);
});
