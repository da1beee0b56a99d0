import { randomBytes } from 'node:crypto';
import type { FoodDirectory } from '../catalogue/visible-foods.ts';
import { Diary } from '../diary/diary.ts';
import type { DiaryStore } from '../diary/diary-store.ts';
import type { ScanLookup } from '../diary/scanned-portions.ts';
import { GoalBook } from '../diary/user-goals.ts';
import { RecipeBook } from '../diary/user-recipes.ts';

interface DiaryParts {
  readonly store: DiaryStore;
  readonly foods: FoodDirectory;
  readonly scans: ScanLookup;
  readonly nowMs: () => number;
}

export function createDiary({ store, foods, scans, nowMs }: DiaryParts) {
  const ports = { store, foods, scans, nowMs, randomBytes };
  return {
    diary: new Diary(ports),
    recipes: new RecipeBook(ports),
    goals: new GoalBook(ports),
  };
}
