import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ean13Bars } from '../support/barcode-bars.ts';
import { barcodePicture } from '../support/barcode-picture.ts';
import { BANANA, COLA, SPREAD } from '../support/foods.ts';
import { ERAS, openMcpSession } from '../support/mcp-client.ts';
import { openTestService, type TestService } from '../support/test-service.ts';

const DAY = { date: '2026-03-02' };

let service: TestService;
let photo: string;
beforeAll(async () => {
  service = await openTestService({ foods: [SPREAD, COLA, BANANA] });
  const picture = await barcodePicture({ bars: ean13Bars(SPREAD.barcode!) });
  photo = (await picture.jpeg().toBuffer()).toString('base64');
});
afterAll(() => service[Symbol.asyncDispose]());

describe.each(ERAS)('in the revision %s', (era) => {
  const open = (user: string) => openMcpSession(`${service.url}/mcp?userId=${user}-${era}`, service.key, era);
  type Line = { nutrient: string; text: string };
  const line = ({ totals }: { totals: Line[] }, nutrient: string) =>
    totals.find((of) => of.nutrient === nutrient)!.text;

  it('an assistant logs a day', async () => {
    await using session = await open('ann');
    const { result, call } = session;
    const { tools } = await session.client.listTools();
    expect(tools).toHaveLength(25);

    const goals = await result('set_goals', {
      from: '2026-03-01',
      nutrients: { energy: 2000, protein: 100 },
    });
    expect(goals).toMatchObject({ from: { date: '2026-03-01' }, goals: { energy: 2000, protein: 100 } });

    const other = await result('set_goals', {
      from: '2026-03-01',
      nutrients: { fat: 70, energy: null },
      weekdays: [{ days: ['monday', 'tuesday'], nutrients: { energy: 2400, iron: 12 } }],
    });
    const weekday = { energy: 2400, iron: 12 };
    expect(other).toMatchObject({
      goals: { protein: 100, fat: 70 },
      weekdays: { monday: weekday, tuesday: weekday },
      before: { energy: 2000, protein: 100 },
    });

    const { items } = await result('read_meal', { text: '30 g hazelnut spread and 100 g banana' });
    expect(items).toHaveLength(2);
    const breakfast = await result('log_meal', {
      ...DAY,
      mealType: 'breakfast',
      text: '30 g hazelnut spread and 100 g banana',
    });
    expect(breakfast.day).toEqual({ date: DAY.date, weekday: 'Monday', understoodAs: 'as given' });
    expect(breakfast.written).toHaveLength(2);
    expect(breakfast.understood[1]).toMatchObject({ text: 'banana', grams: 100 });
    expect(line(breakfast, 'energy')).toMatch(/^\d+(\.\d+)? kcal; goal 2400 kcal, [\d.]+ kcal left$/);

    const { foods } = await result('search_foods', { query: 'spread' });
    const { food } = await result('lookup_barcode', { barcode: COLA.barcode });
    const lunch = await result('log_meal', {
      ...DAY,
      mealType: 'lunch',
      foods: [
        { foodId: foods[0].foodId, quantity: 30, unit: 'g' },
        { barcode: food.barcode, quantity: 1, unit: 'serving' },
        { foodName: 'Soup', nutrients: { energy: 100, sodium: 61 } },
      ],
    });
    expect(lunch.written.map(({ foodName }: { foodName: string }) => foodName)).toEqual([
      SPREAD.name,
      COLA.name,
      'Soup',
    ]);
    expect(line(lunch, 'protein')).toMatch(
      /^at least [\d.]+ g; \d of 5 foods state it; goal 100 g, at most [\d.]+ g left$/,
    );

    const scan = await session.scanned({ imageBase64: photo });
    expect(scan).toMatchObject({ status: 'completed', items: [{ foodId: SPREAD.id, origin: 'barcode' }] });
    expect((await result('scan_photo', { imageBase64: photo })).scanJobId).toBe(scan.scanJobId);
    const snack = await result('log_meal', { ...DAY, mealType: 'snacks', scanJobId: scan.scanJobId });
    expect(snack.written[0]).toMatchObject({ foodId: SPREAD.id, nutrients: { energy: 81 } });

    const soup = lunch.written[2];
    const changed = await result('change_entry', {
      entryId: soup.entryId,
      version: soup.version,
      nutrients: { energy: 120 },
    });
    expect(changed.entry).toMatchObject({ version: 2, nutrients: { energy: 120, sodium: 61 } });
    const conflict = await call('change_entry', {
      entryId: soup.entryId,
      version: 1,
      nutrients: { energy: 1 },
    });
    expect(conflict.text).toMatch(/Nothing was changed.*code: version_conflict.*"version":2/s);

    const gone = await result('delete_entry', { entryId: soup.entryId });
    expect(gone).toMatchObject({ deletedId: soup.entryId, deleted: { foodName: 'Soup' } });
    expect((await call('delete_entry', { entryId: soup.entryId })).text).toMatch(
      /get_day lists.*code: diary_entry_not_found/,
    );

    const copy = await result('copy_meal', {
      from: DAY.date,
      to: '2026-03-03',
      mealType: 'breakfast',
      toMealType: 'dinner',
    });
    expect(copy).toMatchObject({ to: { weekday: 'Tuesday' }, written: [{ mealType: 'dinner' }, {}] });

    const day = await result('get_day', DAY);
    expect(day.meals.map(({ mealType }: { mealType: string }) => mealType)).toEqual([
      'breakfast',
      'lunch',
      'snacks',
    ]);
    const trend = await result('get_trend', { to: '2026-03-03', days: 2 });
    expect(trend.daysWithEntries).toBe(2);
    const recent = await result('recent_foods', { order: 'frequent', limit: 3 });
    expect(recent.foods[0]).toMatchObject({ foodId: SPREAD.id, timesEaten: 4 });
  });

  it('unknown parts of a text are listed, and nothing is written unless a partial write was requested', async () => {
    await using session = await open('bob');
    const meal = { ...DAY, mealType: 'lunch', text: '100 g banana and 50 g xyzzyqua' };
    const refused = await session.call('log_meal', meal);
    expect(refused.text).toMatch(/Nothing was written.*code: unresolved_items.*xyzzyqua/s);
    // A stored error must not be repeated: the missing food may exist by now.
    expect((await session.call('log_meal', meal)).text).toMatch(/code: unresolved_items/);
    expect((await session.result('get_day', DAY)).meals).toEqual([]);
    const partly = await session.result('log_meal', { ...meal, partial: true });
    expect(partly.written).toHaveLength(1);
    expect(partly.unresolvedItems).toMatchObject([
      { text: expect.stringContaining('xyzzyqua'), unresolved: 'food' },
    ]);
  });

  it('a repeated write writes nothing twice and says so; another key writes again', async () => {
    await using session = await open('cid');
    const meal = { ...DAY, mealType: 'lunch', foods: [{ foodName: 'Soup', nutrients: { energy: 100 } }] };
    const [first, again] = [await session.result('log_meal', meal), await session.result('log_meal', meal)];
    expect(first.repeated).toBeUndefined();
    expect(again.repeated).toMatch(/nothing was written again/);
    expect(again.written).toEqual(first.written);
    expect(line(again, 'energy')).toBe('100 kcal');
    const other = await session.result('log_meal', { ...meal, idempotencyKey: 'second' });
    expect(other.repeated).toBeUndefined();
    expect(line(other, 'energy')).toBe('200 kcal');
    expect((await session.result('log_meal', { ...meal, idempotencyKey: 'second' })).repeated).toBeDefined();
    const clash = await session.call('log_meal', { ...meal, mealType: 'dinner', idempotencyKey: 'second' });
    expect(clash.text).toMatch(/code: idempotency_conflict/);
    // Another user may use the same key for another write.
    await using dan = await open('dan');
    expect((await dan.result('log_meal', { ...meal, idempotencyKey: 'second' })).repeated).toBeUndefined();
    const copy = { from: DAY.date, to: '2026-03-03' };
    expect((await session.result('copy_meal', copy)).written).toHaveLength(2);
    expect((await session.result('copy_meal', copy)).repeated).toBeDefined();
    expect((await session.result('get_day', { date: '2026-03-03' })).meals[0].entries).toHaveLength(2);
  });

  it('accepts one source at a time, with the values that a food by name needs', async () => {
    await using session = await open('eve');
    const meal = { ...DAY, mealType: 'lunch' };
    for (const sources of [{}, { text: '1 egg', foods: [{ foodName: 'Egg', nutrients: { energy: 70 } }] }])
      expect((await session.call('log_meal', { ...meal, ...sources })).text).toMatch(/Give one of/);
    expect((await session.call('log_meal', { ...meal, foods: [{ foodName: 'Egg' }] })).text).toMatch(
      /needs "nutrients.energy"/,
    );
    const wrong: [string, object, RegExp][] = [
      [
        'log_meal',
        { ...meal, foods: [{ foodName: 'Egg', nutrients: { energy: 1e5 } }] },
        /arguments.*"foods\[0\].nutrients.energy" must/,
      ],
      [
        'log_meal',
        { ...meal, foods: [{ foodId: SPREAD.id }] },
        /^foods\[0\]: With "foodId" also give quantity, unit/,
      ],
      ['log_meal', { ...meal, foods: [{ nutrients: { energy: 1 } }] }, /"foods\[0\]": give one of "foodId"/],
      ['set_goals', { from: DAY.date }, /at least one goal/],
      ['set_goals', { from: DAY.date, calories: 2000 }, /"calories".*did you mean "nutrients"/i],
      [
        'set_goals',
        {
          weekdays: [
            { days: ['monday', 'sunday'], nutrients: {} },
            { days: ['monday'], nutrients: { fat: 1 } },
          ],
        },
        /each weekday once/,
      ],
      ['set_goals', { weekdays: [{ days: ['monday'], nutrients: {} }] }, /at least one goal/],
      [
        'set_goals',
        { weekdays: [{ days: ['mon'], nutrients: { fat: 1 } }] },
        /"weekdays\[0\].days\[0\]".*monday, tuesday/,
      ],
      [
        'set_goals',
        { from: DAY.date, weekdays: [{ days: ['monday'], nutrients: { fat: 1e9 } }] },
        /"weekdays.monday.nutrients.fat"/,
      ],
      ['scan_photo', { contentType: 'image/gif' }, /image\/jpeg.*code: invalid_content_type/],
      ['get_trend', { to: DAY.date, days: 400 }, /"days" must not be more than 92/],
    ];
    for (const [tool, given, text] of wrong)
      expect((await session.call(tool, given as Record<string, unknown>)).text).toMatch(text);
    const unknown = { ...meal, foods: [{ foodId: 'off:1', quantity: 1, unit: 'g' }] };
    expect((await session.call('log_meal', unknown)).text).toMatch(/search_foods.*code: food_not_found/);
    expect((await session.call('log_meal', { ...meal, mealType: 'brunch', text: 'x' })).text).toMatch(
      /breakfast, lunch, dinner, snacks/,
    );
  });

  it('a photo may be sent to the upload URL instead', async () => {
    await using session = await open('fay');
    const begun = await session.result('scan_photo', { contentType: 'image/jpeg' });
    expect(begun).toMatchObject({ status: 'upload_pending', next: expect.stringContaining('scanJobId') });
    const { url, contentType } = begun.upload;
    const put = await fetch(url, {
      method: 'PUT',
      headers: { 'content-type': contentType },
      body: Buffer.from(photo, 'base64'),
    });
    expect(put.ok).toBe(true);
    expect((await session.scanned({ scanJobId: begun.scanJobId })).status).toBe('completed');
    // The last one would take hours with a pattern that backtracks over white space.
    for (const imageBase64 of ['%%%', '', 'AAAA!', `AAAA${' '.repeat(900_000)}!`])
      expect((await session.call('scan_photo', { imageBase64 })).text).toMatch(/Base64/);
    expect((await session.call('scan_photo', { scanJobId: '01kg9v3h00000xw5m8kq2nce7a' })).text).toMatch(
      /code: scan_job_not_found/,
    );
    const noImage = { imageBase64: Buffer.from('text').toString('base64') };
    await expect(session.scanned(noImage)).rejects.toThrow(/The scan failed/);
  });
});
