import { computed } from '@preact/signals';
import { person, viewedPerson } from '../account/session.ts';
import type { Diary } from './diary.ts';
import { OtherDiary } from './other-diary.ts';
import { OwnDiary } from './own-diary.ts';

const userId = computed(() => viewedPerson.value?.id);
/** Whose diary is shown where it is not the own one. */
export const otherName = computed(() =>
  viewedPerson.value === undefined || viewedPerson.value.access === 'own'
    ? undefined
    : viewedPerson.value.name,
);
export const canWrite = computed(() => viewedPerson.value?.access !== 'read');

/** The diary that is shown; undefined while nobody is signed in. */
export const diary = computed<Diary | undefined>(() => {
  if (userId.value === undefined) return undefined;
  return otherName.value === undefined
    ? new OwnDiary(userId.value)
    : new OtherDiary(userId.value, otherName.value);
});

/** The diary of who is signed in, whichever is shown. */
export function ownDiary(): Diary {
  return new OwnDiary(person.peek()!.id);
}
