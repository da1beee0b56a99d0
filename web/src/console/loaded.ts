import { type Signal, useSignal } from '@preact/signals';
import type { List } from 'larder-client';
import { useEffect } from 'preact/hooks';
import { problemOf } from '../parts/problem.ts';

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
export function useList<Item>(list: () => List<Item>, everyS?: number): LoadedList<Item> {
  const pages = useSignal(1);
  const read = async () => {
    const items: Item[] = [];
    let left = pages.peek();
    // A page more than is shown tells whether there is one.
    for await (const page of list().pages()) {
      if (left-- === 0) return { items, hasMore: true };
      items.push(...page);
    }
    return { items, hasMore: false };
  };
  const loaded = useLoaded(read, everyS);
  const showMore = async () => {
    pages.value++;
    await loaded.reload();
  };
  return { ...loaded, showMore };
}
