import type { Diary } from '../diary/diary.ts';
import type { GoalBook } from '../diary/user-goals.ts';
import type { RecipeBook } from '../diary/user-recipes.ts';
import type { Scans } from '../scan/jobs/scans.ts';
import type { Route } from './server/route.ts';
import { diaryDayRoutes } from './v1/diary/diary-days.ts';
import { diaryEntryRoutes } from './v1/diary/diary-entries.ts';
import { diaryUserRoutes } from './v1/diary/diary-user.ts';
import { recipeRoutes } from './v1/recipes/recipes.ts';

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
