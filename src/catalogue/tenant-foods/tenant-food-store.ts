import type { Food } from '../food/food.ts';
import type { LiveFoodStore } from './live-food-store.ts';

const PAGE_SIZE = 1000;

/** All live foods of one tenant in the order of their ids, read as they are taken. */
export async function* listFoods(store: Pick<LiveFoodStore, 'list'>, tenant: string): AsyncGenerator<Food> {
  for (let after = ''; ; ) {
    const page = await store.list(tenant, after, PAGE_SIZE);
    for (const { food } of page) yield food;
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1)!.food.id;
  }
}
