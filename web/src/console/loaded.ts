import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { problemOf } from '../parts/problem.ts';
import { askPage, type Page } from './ask.ts';

export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly problem: string;
  readonly reload: () => Promise<void>;
}

/** Reads something when its view opens, and again every so many seconds while it is seen. */
export function useLoaded<Value>(read: () => Promise<Value>, everyS?: number): Loaded<Value> {
  const value: Signal<Value | undefined> = useSignal<Value | undefined>(undefined);
  const problem = useSignal('');
  const reload = async () => {
    try {
      value.value = await read();
      problem.value = '';
    } catch (error) {
      problem.value = problemOf(error);
    }
  };
  useEffect(() => {
    void reload();
    if (everyS === undefined) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void reload();
    }, everyS * 1_000);
    return () => clearInterval(timer);
  }, []);
  return { value: value.value, problem: problem.value, reload };
}

interface Listed<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
}

export interface LoadedList<Item> extends Loaded<Listed<Item>> {
  /** Reads one page more, now and from now on. */
  readonly showMore: () => Promise<void>;
}

/** Reads the first page of a list like `useLoaded`, and as many more as were asked for. */
export function useList<Item>(path: string, everyS?: number): LoadedList<Item> {
  const pages = useSignal(1);
  const read = async () => {
    const items: Item[] = [];
    let next: string | undefined = path;
    for (let at = 0; at < pages.peek() && next !== undefined; at++) {
      const page: Page<Item> = await askPage<Item>(next);
      items.push(...page.items);
      next = page.next;
    }
    return { items, hasMore: next !== undefined };
  };
  const loaded = useLoaded(read, everyS);
  const showMore = async () => {
    pages.value++;
    await loaded.reload();
  };
  return { ...loaded, showMore };
}
