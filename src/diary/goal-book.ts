import { AppError } from '../errors.ts';
import { parseDay } from './day.ts';
import type { DiaryStore } from './diary-store.ts';
import { AMOUNT_KEYS, type AmountKey, type DecimalAmounts, type DiaryOwner, parseAmounts } from './entry.ts';
import { ALWAYS, type GoalAmounts, type Goals } from './goals.ts';

export type GoalsInput = { readonly [key in AmountKey]?: number | undefined } & {
  /** Without it the goals hold for every day, and those stated before are dropped. */
  readonly from?: string | undefined;
};

/** What users aim for. */
export class GoalBook {
  readonly #store: Pick<DiaryStore, 'listGoals' | 'putGoals'>;

  constructor({ store }: { store: Pick<DiaryStore, 'listGoals' | 'putGoals'> }) {
    this.#store = store;
  }

  /** In the order of their first day. */
  list(owner: DiaryOwner): Promise<Goals[]> {
    return this.#store.listGoals(owner);
  }

  async put(owner: DiaryOwner, { from, ...given }: GoalsInput): Promise<Goals> {
    const amounts: GoalAmounts = parseAmounts(given as DecimalAmounts);
    if (from !== undefined && AMOUNT_KEYS.every((key) => amounts[key] === undefined)) {
      throw new AppError({
        code: 'invalid_request',
        message: `Give at least one of ${AMOUNT_KEYS.join(', ')}.`,
        details: { fields: AMOUNT_KEYS },
      });
    }
    const goals = { from: from === undefined ? ALWAYS : parseDay(from, 'from'), amounts };
    await this.#store.putGoals(owner, goals);
    return goals;
  }
}
