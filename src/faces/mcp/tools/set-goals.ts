import { z } from 'zod';
import { getGoals } from '../../../api/diary/get-goals.ts';
import { putGoals } from '../../../api/diary/put-goals.ts';
import { invalidField } from '../../../diary/records/invalid-field.ts';
import { amountInputs, amounts, type DiaryAmounts, ofDiary, toDiaryFields } from '../amounts.ts';
import { dateInput, timeZoneInput, understandDay, understoodDay } from '../days.ts';
import { ask, ofUser, REPLACES, tool } from '../tool.ts';

export const setGoalsTool = tool({
  name: 'set_goals',
  title: 'Set goals',
  description:
    'Sets the daily goals from a day on, until the next ones. They replace all goals of that day: an amount that is left out has no ' +
    'goal. Earlier days keep theirs.',
  scope: 'diary:write',
  user: 'required',
  annotations: REPLACES,
  input: z.strictObject({
    from: dateInput.describe('First day: YYYY-MM-DD, "today" or "yesterday". Default: today.'),
    timeZone: timeZoneInput,
    ...amountInputs,
  }),
  output: z.object({
    from: understoodDay,
    goals: amounts,
    before: amounts.optional().describe('The goals of that day before, where the credential may read them.'),
  }),
  async run({ from: given, timeZone: _, ...goals }, context) {
    const amountsGiven = toDiaryFields(goals);
    if (Object.keys(amountsGiven).length === 0)
      throw invalidField('energyKcal', 'Give at least one goal, such as "energyKcal" or "proteinG".');
    const from = understandDay(given, context, 'from');
    const params = ofUser(context);
    const mayRead = context.caller.scopes.includes('diary:read');
    const before = mayRead
      ? await ask<DiaryAmounts>(context, getGoals, { params, query: { date: from.date } })
      : undefined;
    const body = { from: from.date, ...amountsGiven };
    const kept = await ask<DiaryAmounts>(context, putGoals, { params, body });
    return { from, goals: ofDiary(kept), before: before && ofDiary(before) };
  },
});
