import type { ObjectKey } from './object-key.ts';

export interface UploadClaim {
  readonly key: ObjectKey;
  /** What the client's address is counted as. */
  readonly client: string;
  /** How much the upload may write. */
  readonly bytes: number;
}

/** `same_key`: another upload under this key is under way. `too_many`: no slot is left, or none for this client. */
export type UploadRefusal = 'same_key' | 'too_many';

/** The right to carry out one upload. To be released whatever became of it. */
export interface UploadSlot {
  /** What all uploads under way when it was taken may write together, this one included. */
  readonly pledgedBytes: number;
  release(): void;
}

/**
 * The uploads that a node takes at one time: one for each key, and a limited number in all, of which one client gets at
 * most half of what others leave. Slots of a thread or process that dies become free.
 */
export interface UploadSlots {
  /** Answers at once. */
  take(claim: UploadClaim): UploadSlot | UploadRefusal;
}
