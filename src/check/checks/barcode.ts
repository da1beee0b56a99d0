import { z } from 'zod';
import type { Check } from '../check.ts';
import { CheckSkip } from '../checked-response.ts';
import { formsOf } from '../gs1-forms.ts';
import { findCommonFood } from '../products.ts';
import type { Session } from '../session.ts';
import { unversionedFood, v1Food } from '../shapes.ts';

/** A GTIN-14 with a valid check digit that belongs to no product. */
const NOBODYS = '99999999999994';

export const barcodeChecks: readonly Check[] = [
  {
    name: 'barcode in every form',
    scopes: ['foods:read'],
    async run(session) {
      const food = await findCommonFood(session, ({ barcode }) => barcode !== undefined);
      if (food === undefined) throw new CheckSkip('Search finds no food that has a barcode.');
      await expectEveryForm(session, food.barcode!);
    },
  },
  {
    name: 'barcodes that lead nowhere',
    scopes: ['foods:read'],
    async run(session) {
      for (const [as, prefix] of [
        ['v1', '/v1'],
        ['unversioned', ''],
      ] as const) {
        const look = (code: string) => session.ask('GET', `${prefix}/foods/barcode/${code}`, { as });
        const unknown = (await look(NOBODYS)).expectError(404, 'barcode_not_found');
        unknown.read(
          z.object({ error: z.object({ details: z.object({ candidates: z.array(z.string()).min(1) }) }) }),
        );
        for (const code of ['12345', 'banana']) (await look(code)).expectError(400, 'invalid_barcode');
      }
    },
  },
  {
    name: 'one food by its id',
    scopes: ['foods:read'],
    async run(session) {
      const food = await findCommonFood(session, () => true);
      if (food === undefined) throw new CheckSkip('Search finds no food for any common word.');
      const answer = (await session.ask('GET', `/v1/foods/${encodeURIComponent(food.id)}`)).expect(200);
      answer.expectSame('food', answer.read(v1Food), food);
      const nobodys = await session.ask('GET', `/v1/foods/manual:${session.mark}`);
      nobodys.expectError(404, 'food_not_found');
    },
  },
];

/** Fails unless each form of the code finds the same food, in both variants. */
export async function expectEveryForm(session: Session, barcode: string): Promise<string> {
  let id: string | undefined;
  for (const form of formsOf(barcode)) {
    const v1 = (await session.ask('GET', `/v1/foods/barcode/${form}`)).expect(200);
    const unversioned = await session.ask('GET', `/foods/barcode/${form}`, { as: 'unversioned' });
    const found = v1.read(v1Food).id;
    id ??= found;
    v1.expectSame('id', found, id);
    unversioned.expectSame('id', unversioned.expect(200).read(unversionedFood).id, id);
  }
  return id!;
}
