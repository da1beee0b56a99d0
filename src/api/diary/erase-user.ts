import type { Diary } from '../../diary/diary.ts';
import type { Scans } from '../../scan/jobs/scans.ts';
import { ownerOf } from '../acting-user.ts';
import { operation } from '../operation.ts';
import { DIARY_TAG, userParams } from './diary-docs.ts';

export const eraseUser = operation({
  method: 'DELETE',
  path: '/v1/users/:userId',
  id: 'eraseUser',
  tag: DIARY_TAG,
  summary: 'Erase all data of a user',
  description:
    'Entries, recipes, goals, measurements, notes on days, favourites, saved meals, settings, the foods that belong to the user, and the scans that the user created, with their images, at ' +
    'once and for good. ' +
    'A user without any is no error.',
  access: { credential: 'bearer', scope: 'diary:erase', alone: true, confirmed: true },
  counts: 'diaryWrite',
  params: userParams,
  answer: { status: 204, description: 'All data of the user is erased.' },
  errors: ['confirmation_required'],
  handle: async (request, { diary, scans }: { diary: Diary; scans: Scans }) => {
    const owner = ownerOf(request);
    await scans.removeAllOf(owner);
    await diary.eraseUser(owner);
  },
});
