import { z } from 'zod';
import type { GoalBook } from '../../diary/goal-book.ts';
import { parseDay } from '../../diary/records/day.ts';
import { invalidField } from '../../diary/records/invalid-field.ts';
import { ownerOf } from '../acting-user.ts';
import { recordAnswer } from '../answers.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { applyChange, ifMatch, ifNoneMatch, NOT_MODIFIED_ANSWER, withConflictDetails } from '../etag.ts';
import { operation } from '../operation.ts';
import { dateText, flag } from '../text-schemas.ts';
import { diaryReading, diaryWriting, userParams } from './diary-docs.ts';
import {
  currentGoals,
  EXAMPLE_GOALS,
  EXAMPLE_NEW_GOALS,
  goalsObject,
  goalsOnObject,
  goalsOutcome,
  goalsPatchSchema,
  goalsSchema,
  goalsWithHistory,
  newGoalsSchema,
  READ_ONLY,
} from './goals-json.ts';

export const getGoals = operation({
  ...diaryReading,
  method: 'GET',
  path: '/v1/users/:userId/goals',
  id: 'getGoals',
  summary: 'Read the goals of a day',
  description:
    'Without `date` the goals with the latest first day. Amounts are those of every day, beside those of `weekdays`, so that goals can ' +
    'be sent back as they were read; `onDate` has what holds on `date`.',
  params: userParams,
  headers: ifNoneMatch,
  query: z.object({
    date: dateText
      .describe('One day.')
      .transform((date) => parseDay(date))
      .optional(),
    history: flag('"history" must be true or false.')
      .describe('Adds all goals that were stated, in `all`.')
      .optional(),
  }),
  answer: recordAnswer(
    'The goals, with their ETag; empty when there never were any.',
    goalsWithHistory,
    EXAMPLE_GOALS,
  ),
  empty: NOT_MODIFIED_ANSWER,
  handle: async (request, { goals }: { goals: GoalBook }) => {
    const { date, history } = request.query;
    const stated = await goals.read(ownerOf(request));
    const { all, version } = stated;
    const shown = date === undefined ? goalsObject(all.at(-1), version) : goalsOnObject(stated, date);
    return {
      value: history === true ? { ...shown, all: all.map((each) => goalsObject(each)) } : shown,
      ...(version > 0 && { version }),
    };
  },
});

export const putGoals = operation({
  ...diaryWriting,
  method: 'PUT',
  path: '/v1/users/:userId/goals',
  id: 'putGoals',
  summary: 'Set goals from a date on',
  description:
    'The goals apply until the date of the next ones. Without `from` they apply from today on. Other goals do not change, unless `replaceHistory` removes them. ' +
    'They replace all goals of the same `from`, those of its weekdays included; to keep the others, change them with `PATCH`.',
  params: userParams,
  headers: ifMatch,
  body: { schema: newGoalsSchema, example: EXAMPLE_NEW_GOALS, limit: BODY_LIMITS.item },
  answer: recordAnswer('The stored goals, with the ETag of all goals.', goalsSchema, EXAMPLE_GOALS),
  errors: ['version_conflict'],
  handle: async (request, { goals }: { goals: GoalBook }) => {
    const owner = ownerOf(request);
    const { body, headers } = request;
    return goalsOutcome(
      await applyChange(request, {
        readOnly: READ_ONLY,
        readCurrent: () => currentGoals(owner, goals, body.from),
        change: () => goals.put(owner, body, headers['If-Match']),
      }),
    );
  },
});

export const changeGoals = operation({
  ...diaryWriting,
  method: 'PATCH',
  path: '/v1/users/:userId/goals',
  id: 'changeGoals',
  summary: 'Change single goals from a date on',
  description:
    'Send only the goals that change; null removes one. All others stay as they are on `from`, where the changed goals begin; without ' +
    '`from` that is today. Earlier days keep theirs, and so do the goals of later dates.',
  params: userParams,
  headers: ifMatch,
  body: {
    schema: goalsPatchSchema,
    example: { from: '2026-01-01', protein: 120, fiber: null },
    limit: BODY_LIMITS.item,
  },
  answer: recordAnswer(
    'The goals that hold from that date on, with the ETag of all goals.',
    goalsSchema,
    EXAMPLE_GOALS,
  ),
  errors: ['version_conflict'],
  handle: async (request, { goals }: { goals: GoalBook }) => {
    const owner = ownerOf(request);
    const { body, headers } = request;
    return goalsOutcome(
      await applyChange(request, {
        readOnly: READ_ONLY,
        readCurrent: () => currentGoals(owner, goals, body.from),
        change: () => goals.change(owner, body, headers['If-Match']),
      }),
    );
  },
});

export const deleteGoals = operation({
  ...diaryWriting,
  method: 'DELETE',
  path: '/v1/users/:userId/goals',
  id: 'deleteGoals',
  summary: 'Delete goals',
  description:
    'Deletes the goals that begin on `from`, those of its weekdays included; earlier ones then hold on its days, too. Without `from` ' +
    'those that apply to every day. `all` deletes all goals.',
  params: userParams,
  query: z.object({
    from: dateText
      .describe('First day of the goals.')
      .transform((date) => parseDay(date, 'from'))
      .optional(),
    all: flag('"all" must be true or false.').describe('Deletes all goals.').optional(),
  }),
  headers: ifMatch,
  answer: { status: 204, description: 'The goals are deleted.' },
  errors: ['goals_not_found', 'version_conflict'],
  handle: async (request, { goals }: { goals: GoalBook }) => {
    const owner = ownerOf(request);
    const { query, headers } = request;
    if (query.all === true && query.from !== undefined)
      throw invalidField('all', 'Give either "from" or "all".');
    await withConflictDetails(goals.remove(owner, query, headers['If-Match']), () =>
      currentGoals(owner, goals, query.from),
    );
  },
});
