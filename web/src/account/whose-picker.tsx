import { useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isReached } from '../offline/device.ts';
import { texts } from '../texts/texts.ts';
import { loadPeople, people, person, viewedPerson, viewPerson } from './session.ts';

/** Chooses whose diary is shown, where others let theirs be seen. */
export function WhosePicker() {
  useSignalEffect(() => {
    // Offline, the earlier list stays.
    if (person.value !== null && person.value !== undefined && isReached.value) loadPeople().catch(() => {});
  });
  useEffect(() => {
    // Rights may have changed meanwhile.
    const onChange = () => {
      if (document.visibilityState === 'visible' && person.peek()) loadPeople().catch(() => {});
    };
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, []);
  const seen = people.value.filter(({ access }) => access !== 'none');
  if (seen.length < 2) return null;
  return (
    <label class="whose">
      <span class="initial" aria-hidden="true">
        {viewedPerson.value?.name.slice(0, 1)}
      </span>
      <span class="visually-hidden">{texts.value.whose}</span>
      <select value={viewedPerson.value?.id} onChange={({ currentTarget: { value } }) => viewPerson(value)}>
        {seen.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
