import { type ChangeHints, isSlot, slotOf } from '../change-hints.ts';
import type { LogOwner } from '../writer.ts';

/** The NOTIFY channel that carries the slots of raised change hints of diaries. */
export const CHANGES_CHANNEL = 'larder_changes';

/** Changes within this time share one notification, which costs as much as a write. */
const GATHER_MS = 20;
/** A payload has less than 8,000 bytes. */
const MAX_SLOTS = 1_000;

export interface ChangeNoticesOptions {
  readonly hints: ChangeHints;
  /** Sends a notification to all nodes that listen to the channel. */
  readonly notify: (channel: string, payload: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Increments hints in this process, and soon after in all nodes. A trigger notifies of custom foods. */
export class ChangeNotices {
  readonly #options: ChangeNoticesOptions;
  readonly #slots = new Set<number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ChangeNoticesOptions) {
    this.#options = options;
  }

  raise(owner: LogOwner): void {
    this.#options.hints.raise(owner);
    if (owner.userId === '') return;
    this.#slots.add(slotOf(owner));
    this.#timer ??= setTimeout(() => void this.send(), GATHER_MS);
  }

  /** Sends the collected notifications at once. */
  async send(): Promise<void> {
    const { notify, onError } = this.#options;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const slots = [...this.#slots];
    this.#slots.clear();
    for (let at = 0; at < slots.length; at += MAX_SLOTS)
      // A notification is only a hint: if it is lost, other nodes notice by polling.
      await notify(CHANGES_CHANNEL, slots.slice(at, at + MAX_SLOTS).join()).catch(onError);
  }
}

/** Increments the hints that another node notified of. */
export function receiveNotice(payload: string, hints: ChangeHints): void {
  for (const slot of payload.split(',').map(Number)) if (isSlot(slot)) hints.raiseSlot(slot);
}
