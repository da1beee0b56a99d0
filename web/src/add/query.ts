import { signal } from '@preact/signals';

/** The text in the one field of the dialog. */
export const query = signal('');
