import { randomBytes } from 'node:crypto';
import type { FoodFinder } from '../catalogue/food-finder.ts';
import { catalogueFoods } from '../diary/catalogue-foods.ts';
import { Diary } from '../diary/diary.ts';
import type { DiaryStore } from '../diary/diary-store.ts';
import { FrequentFavourites } from '../diary/frequent-favourites.ts';
import { GoalBook } from '../diary/goal-book.ts';
import { RecipeBook } from '../diary/recipe-book.ts';
import type { ScanLookup } from '../diary/scanned-portions.ts';

interface DiaryParts {
  readonly store: DiaryStore;
  readonly foods: (tenant: string) => FoodFinder | Promise<FoodFinder>;
  readonly scans: ScanLookup;
  readonly nowMs: () => number;
}

export function createDiary({ store, foods, scans, nowMs }: DiaryParts) {
  const ports = { store, foods: catalogueFoods(foods), scans, nowMs, randomBytes };
  const diary = new Diary(ports);
  return {
    diary,
    recipes: new RecipeBook(ports),
    goals: new GoalBook(ports),
    favourites: new FrequentFavourites({ diary }),
  };
}
