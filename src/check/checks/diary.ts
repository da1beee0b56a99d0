import { z } from 'zod';
import type { Check } from '../check.ts';
import type { Session } from '../session.ts';
import { diaryEntry, totals } from '../shapes.ts';

const scopes = ['diary:read', 'diary:write'] as const;
const DAY = '2020-02-29';
const NEXT_DAY = '2020-03-01';
/** Amounts whose sums are wrong in binary fractions. */
const TENTH = { calories: 0.1, protein: 0.1, carbs: 0.1, fat: 0.1, fiber: 0.1, sodium: 0.1 };
const FIFTH = { calories: 0.2, protein: 0.2, carbs: 0.2, fat: 0.2, fiber: 0.2, sodium: 0.2 };
const SUM = { calories: 0.3, protein: 0.3, carbs: 0.3, fat: 0.3, fiber: 0.3, sodium: 0.3 };
const NOTHING = { calories: 0, protein: 0, carbs: 0, fat: 0, fiber: 0, sodium: 0 };

export const diaryChecks: readonly Check[] = [
  {
    name: 'a repeated request is done once',
    scopes,
    async run(session) {
      eraseLater(session);
      const headers = { 'idempotency-key': `check-${session.mark}` };
      const write = (foodName: string) =>
        session.ask('POST', `${session.user}/diary`, { headers, body: newEntry(foodName) });
      const first = (await write('Soup')).expect(201);
      const entry = first.read(diaryEntry);
      first.expectHeader('location', session.linkTo(`${session.user}/diary/`));

      const second = (await write('Soup')).expect(201);
      second.expectSame('entry', second.read(diaryEntry), entry);
      second.expectHeader('idempotency-replayed', /^true$/);
      (await write('Bread')).expectError(409, 'idempotency_conflict');
      await expectDay(session, [entry.id]);
    },
  },
  {
    name: 'totals are exact',
    scopes,
    async run(session) {
      eraseLater(session);
      const body = [newEntry('Tea', TENTH), newEntry('Biscuit', FIFTH)];
      const written = (await session.ask('POST', `${session.user}/diary/batch`, { body })).expect(201);
      written.expectSame('number of entries', written.read(z.array(diaryEntry)).length, body.length);

      const day = (await session.ask('GET', `${session.user}/diary/totals?date=${DAY}`)).expect(200);
      day.expectSame('totals', day.read(totals), SUM);
      const range = `${session.user}/diary/totals/days?from=${DAY}&to=${NEXT_DAY}`;
      const days = (await session.ask('GET', range)).expect(200);
      days.expectSame('totals', days.read(z.array(z.object({ date: z.string(), ...totals.shape }))), [
        { date: DAY, ...SUM },
        { date: NEXT_DAY, ...NOTHING },
      ]);

      const refused = await session.ask('POST', `${session.user}/diary`, {
        body: [newEntry('Tea'), { ...newEntry('Tea'), date: '2021-02-29' }],
      });
      refused.expectError(400, 'invalid_request');
      const list = (await session.ask('GET', `${session.user}/diary?date=${DAY}`)).expect(200);
      list.expectSame('number of entries', list.read(z.array(diaryEntry)).length, body.length);
    },
  },
  {
    name: 'changes made unseen are refused',
    scopes,
    async run(session) {
      eraseLater(session);
      const written = await session.ask('POST', `${session.user}/diary`, { body: newEntry('Soup') });
      const { id } = written.expect(201).read(diaryEntry);
      const version = written.expectHeader('etag', /^"[^"]+"$/);
      const path = `${session.user}/diary/${id}`;
      const change = (body: object) => session.ask('PATCH', path, { body, headers: { 'if-match': version } });

      const changed = (await change({ mealType: 'dinner' })).expect(200);
      changed.expectSame('meal', changed.read(diaryEntry).mealType, 'dinner');
      (await change({ mealType: 'snacks' })).expectError(412, 'version_conflict');
      const unknown = await session.ask('PATCH', path, { body: { nonsense: 1 } });
      const fields = z.object({ error: z.object({ details: z.object({ fields: z.array(z.string()) }) }) });
      const { error } = unknown.expectError(400, 'invalid_request').read(fields);
      unknown.expectSame('wrong fields', error.details.fields, ['nonsense']);

      (await session.ask('DELETE', path)).expect(204);
      (await session.ask('GET', path)).expectError(404, 'diary_entry_not_found');
      await expectDay(session, []);
    },
  },
  {
    name: 'a diary is exported and erased',
    scopes,
    async run(session) {
      eraseLater(session);
      const written = await session.ask('POST', `${session.user}/diary`, { body: newEntry('=SUM(A1)') });
      const { id } = written.expect(201).read(diaryEntry);
      const path = `${session.user}/diary/export`;
      const json = (await session.ask('GET', `${path}?format=json`)).expect(200);
      json.expectSame('ids', idsOf(json.read(z.array(diaryEntry))), [id]);
      const csv = (await session.ask('GET', `${path}?format=csv`)).expect(200);
      csv.expectHeader('content-type', /^text\/csv/);
      const [head, line, ...rest] = csv.text.trimEnd().split('\r\n');
      if (!head!.startsWith('date,mealType,foodName,') || !line?.includes(id) || rest.length > 0) {
        csv.fail('is not a header and the one entry');
      }
      if (line!.includes(',=SUM')) csv.fail('leaves a formula for spreadsheets to run');

      (await session.ask('DELETE', session.user)).expect(204);
      await expectDay(session, []);
    },
  },
];

function newEntry(foodName: string, amounts: object = { calories: 100, protein: 1, carbs: 2, fat: 3 }) {
  return { date: DAY, mealType: 'lunch', foodName, ...amounts };
}

async function expectDay(session: Session, ids: readonly string[]): Promise<void> {
  const day = (await session.ask('GET', `${session.user}/diary?date=${DAY}`)).expect(200);
  day.expectSame('entries', idsOf(day.read(z.array(diaryEntry))), ids);
}

function idsOf(entries: readonly { id: string }[]): string[] {
  return entries.map(({ id }) => id);
}

export function eraseLater(session: Session): void {
  session.later(async (cleaning) => {
    (await cleaning.ask('DELETE', cleaning.user)).expect(204);
  });
}
