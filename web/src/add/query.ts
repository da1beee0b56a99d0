import { signal } from '@preact/signals';

/** What is typed into the one field of the dialog. */
export const query = signal('');
