import { computed, effect, signal } from '@preact/signals';
import type { CallOptions } from 'larder-client';
import { beforeLeaving, expire, person } from '../account/session.ts';
import { larder } from '../larder.ts';
import { setTo } from '../parts/signals.ts';
import { chosenLanguage, language } from '../texts/texts.ts';
import type { KeptText } from './database.ts';
import { LocalCopy } from './local-copy.ts';
import type { Write } from './queue/writes.ts';
import { Sync } from './sync.ts';

/** Whether the service answered the last request. */
export const isReached = signal(navigator.onLine);
/** Options of requests for which this device has a substitute: while the service is not reached, they are sent once. */
export function patience(): CallOptions {
  return isReached.peek() ? {} : { maxRetries: 0 };
}
/** Counts changes of the local copy, by this tab or another one, so that views read again. */
export const changeCount = signal(0);
/** What the service does not have yet. */
export const writes = signal<readonly Write[]>([]);
/** Texts that wait to be read as foods. */
export const keptTexts = signal<readonly KeptText[]>([]);
/** Writes that a person has to decide about. */
export const setAside = computed(() => writes.value.filter(({ state }) => state !== 'waiting'));

interface Device {
  readonly userId: string;
  readonly copy: LocalCopy;
  readonly sync: Sync;
  readonly otherTabs: BroadcastChannel;
}

let device: Device | undefined;
const personId = computed(() => person.value?.id);

effect(() => {
  const userId = personId.value;
  if (device?.userId === userId) return;
  device?.sync.end();
  device?.otherTabs.close();
  device?.copy.close();
  device = undefined;
  writes.value = [];
  keptTexts.value = [];
  if (userId === undefined) return;
  device = open(userId);
  if (document.visibilityState === 'visible') device.sync.follow();
  void showChange();
});

function open(userId: string): Device {
  const copy = new LocalCopy(userId);
  const otherTabs = new BroadcastChannel(`larder-${userId}`);
  otherTabs.onmessage = () => void showChange();
  const sync = new Sync({
    larder,
    userId,
    copy,
    language: chosenLanguage,
    onChange: changed,
    onReach: (is) => setTo(isReached, is),
    onSignedOut: expire,
  });
  return { userId, copy, sync, otherTabs };
}

/** The local copy of who is signed in. */
export function local(): Device {
  if (device === undefined) throw new Error('Nobody is signed in.');
  return device;
}

/** Tells all views, in other tabs too, that the local copy has changed. */
export function changed(): void {
  device?.otherTabs.postMessage('changed');
  void showChange();
}

async function showChange(): Promise<void> {
  const shown = device;
  const [waiting = [], texts = []] = await Promise.all([
    shown?.copy.writes().catch(() => []),
    shown?.copy.texts().catch(() => []),
  ]);
  if (shown !== device) return;
  writes.value = waiting;
  keptTexts.value = texts;
  changeCount.value++;
}

/** Writes of who signed out that stay on this device. */
export const leftBehind = signal(0);

// What was not sent stays for the next time; the rest of the diary does not.
beforeLeaving.push(async () => {
  device?.sync.end();
  leftBehind.value = writes.peek().length;
  await device?.copy.clear().catch(() => {});
});

// What is kept has names of foods in the language before.
effect(() => {
  void language.value;
  if (document.visibilityState === 'visible') device?.sync.follow();
});

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') device?.sync.follow();
  else device?.sync.pause();
});
addEventListener('online', () => {
  device?.sync.follow();
  void device?.sync.flush();
});
addEventListener('offline', () => setTo(isReached, false));
