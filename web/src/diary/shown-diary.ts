import { computed, effect, untracked } from '@preact/signals';
import type { Person } from 'larder-client';
import { people, person, viewedPerson, viewPerson } from '../account/session.ts';
import { tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';
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

let other: Person | undefined;

// A diary that is no longer shared disappears; without a word that would look like a slip.
effect(() => {
  const viewed = viewedPerson.value;
  const before = other;
  other = viewed?.access === 'own' ? undefined : viewed;
  if (before !== undefined && other === undefined) untracked(() => tellIfLost(before));
});

function tellIfLost({ id, name }: Person): void {
  const self = person.peek();
  const isShared = people.peek().some((each) => each.id === id && each.access !== 'none');
  // The list is empty while somebody else signs in.
  if (!self || people.peek().length === 0 || isShared) return;
  // Were it shared again, the page would not change by itself.
  viewPerson(self.id);
  tell(texts.peek().otherDay.noLongerShared(name));
}

/** The diary of who is signed in, whichever is shown. */
export function ownDiary(): Diary {
  return new OwnDiary(person.peek()!.id);
}
