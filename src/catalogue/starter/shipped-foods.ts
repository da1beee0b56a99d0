import type { Food } from '../food/food.ts';
import { readStarterFoods } from './starter-foods.ts';

/** Finds the foods that ship with the project, read when the first one is asked for. */
export function openShippedFoods(): (id: string) => Food | undefined {
  let byId: ReadonlyMap<string, Food> | undefined;
  return (id) => {
    byId ??= new Map(Array.from(readStarterFoods(), (food) => [food.id, food]));
    return byId.get(id);
  };
}
