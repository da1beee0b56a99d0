import { effect } from '@preact/signals';
import { openAdd } from '../add/dialog-state.ts';
import { query } from '../add/query.ts';
import { diary } from '../diary/shown-diary.ts';
import { BASE } from '../larder.ts';
import { startScan } from '../photo/photo-scan.ts';
import { mealOfHour } from '../today/meal-names.ts';
import { showWeight } from '../trends/open-weight.ts';

/** Actions of the installed app: those of shortcuts (`?do=`), and shared content. */
const ACTIONS: Readonly<Record<string, () => Promise<void> | void>> = {
  scan: () => openAdd(mealOfHour(), { kind: 'camera' }),
  add: () => openAdd(mealOfHour()),
  weigh: showWeight,
  shared: openShared,
};

/** Does what the address asks for, once somebody is signed in; a reload does not do it again. */
export function start(name: string): void {
  const address = new URL(location.href);
  address.searchParams.delete('do');
  history.replaceState(history.state, '', address);
  const act = ACTIONS[name];
  if (act === undefined) return;
  const end = effect(() => {
    if (diary.value === undefined) return;
    queueMicrotask(() => {
      end();
      void act();
    });
  });
}

/** A photo is read as one that was taken here, and a text as one that was typed. */
async function openShared(): Promise<void> {
  const { photo, text } = await takeShared();
  if (photo !== undefined) {
    openAdd(mealOfHour(), { kind: 'photo' });
    startScan(photo, 'upload');
  } else if (text !== undefined) {
    openAdd(mealOfHour());
    query.value = text;
  }
}

/** Where the service worker leaves what another app shared: see `keepShared` in `service-worker.ts`. */
const CACHE = 'larder-shared';

interface Shared {
  readonly photo?: Blob | undefined;
  readonly text?: string | undefined;
}

/** Returns what was shared last, and forgets it. */
async function takeShared(): Promise<Shared> {
  const cache = await caches.open(CACHE);
  const [photo, text] = await Promise.all(
    ['shared-photo', 'shared-text'].map((name) => cache.match(new URL(name, BASE))),
  );
  const shared = { photo: await photo?.blob(), text: await text?.text() };
  await caches.delete(CACHE);
  return shared;
}
