import type { Diary } from '../../../diary/diary.ts';
import type { GoalBook } from '../../../diary/goal-book.ts';
import type { RecipeBook } from '../../../diary/recipe-book.ts';
import type { Scans } from '../../../scan/scans.ts';
import type { Route } from '../../route.ts';
import { diaryDayRoutes } from './diary-days.ts';
import { diaryEntryRoutes } from './diary-entries.ts';
import { diaryUserRoutes } from './diary-user.ts';
import { recipeRoutes } from './recipes.ts';

export interface DiaryRoutesPorts {
  readonly diary: () => Diary;
  readonly recipes: () => RecipeBook;
  readonly goals: () => GoalBook;
  readonly scans: () => Scans;
}

/** Everything under /v1/users; the unversioned variant has no diary. */
export function diaryRoutes(ports: DiaryRoutesPorts): readonly Route[] {
  return [
    ...diaryEntryRoutes(ports),
    ...diaryDayRoutes(ports),
    ...recipeRoutes(ports),
    ...diaryUserRoutes(ports),
  ];
}
