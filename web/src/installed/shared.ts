import { BASE } from '../larder.ts';

/** Where the service worker leaves what another app shared: see `keepShared` in `service-worker.ts`. */
const CACHE = 'larder-shared';

interface Shared {
  readonly photo?: Blob | undefined;
  readonly text?: string | undefined;
}

/** What was shared last, which is forgotten by this. */
export async function takeShared(): Promise<Shared> {
  const cache = await caches.open(CACHE);
  const [photo, text] = await Promise.all(
    ['shared-photo', 'shared-text'].map((name) => cache.match(new URL(name, BASE))),
  );
  const shared = { photo: await photo?.blob(), text: await text?.text() };
  await caches.delete(CACHE);
  return shared;
}
