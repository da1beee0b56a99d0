import { signal } from '@preact/signals';

/** Whether the questions of the first start are offered on the day; `offer.ts` finds out after it is shown. */
export const isOffered = signal(false);
