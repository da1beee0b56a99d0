import { BASE } from '../larder.ts';

/** Where the service worker leaves what another app shared: see `keepShared` in `service-worker.ts`. */
const CACHE = 'larder-shared';

interface Shared {
  readonly photo?: Blob | undefined;
  readonly text?: string | undefined;
}

/** Returns what was shared last, and forgets it. */
export async function takeShared(): Promise<Shared> {
  const cache = await caches.open(CACHE);
  const [photo, text] = await Promise.all(
    ['shared-photo', 'shared-text'].map((name) => cache.match(new URL(name, BASE))),
  );
  const shared = { photo: await photo?.blob(), text: await text?.text() };
  await caches.delete(CACHE);
  return shared;
}
