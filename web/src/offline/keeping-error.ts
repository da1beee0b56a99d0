/** Thrown where a person has to connect, or to free space, before more can be kept. */
export class KeepingError extends Error {
  readonly reason: 'too_many' | 'no_space' | 'unavailable';

  constructor(reason: KeepingError['reason'], cause?: unknown) {
    super(`The write cannot be kept on this device: ${reason}.`, { cause });
    this.reason = reason;
  }
}
