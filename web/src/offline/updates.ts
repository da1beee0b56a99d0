import { signal } from '@preact/signals';
import { BASE } from '../larder.ts';

/** A version of the page that is loaded and waits to be used. */
let waiting: ServiceWorker | undefined;
let isWanted = false;
/** Whether a newer page than the one that is shown is ready. */
export const isNewer = signal(false);

/** Least time between two looks for a new version. */
const LOOK_MS = 600_000;

/** Keeps the page on this device, and looks for new versions. Only pages with TLS, and those of this computer, can. */
export async function keepPage(): Promise<void> {
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined) return;
  let isKept = serviceWorker.controller !== null;
  serviceWorker.addEventListener('controllerchange', () => {
    if (isWanted) location.reload();
    // Another tab chose the new version.
    else if (isKept) isNewer.value = true;
    isKept = true;
  });
  let registration: ServiceWorkerRegistration;
  try {
    registration = await serviceWorker.register(new URL('sw.js', BASE), { updateViaCache: 'none' });
  } catch {
    // The browser forbids it, as some do in private windows. The page works without.
    return;
  }
  announce(registration);
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', () => announce(registration));
  });
  let lookedAt = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - lookedAt < LOOK_MS) return;
    lookedAt = Date.now();
    registration.update().catch(() => {});
  });
}

/** Shows the new version. */
export function showNewer(): void {
  isWanted = true;
  if (waiting?.state === 'installed') waiting.postMessage('use this version');
  else location.reload();
}

function announce(registration: ServiceWorkerRegistration): void {
  if (registration.waiting === null || navigator.serviceWorker.controller === null) return;
  waiting = registration.waiting;
  isNewer.value = true;
}
