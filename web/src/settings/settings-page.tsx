import { useSignal, useSignalEffect } from '@preact/signals';
import type { GoalAmounts } from 'larder-client';
import { OpenIdAccounts } from '../account/openid.tsx';
import { person, signOut } from '../account/session.ts';
import { today } from '../days.ts';
import { larder } from '../larder.ts';
import { problemOf } from '../parts/problem.ts';
import { tell } from '../parts/toast.tsx';
import { prefer, preferences } from '../preferences.ts';
import { LANGUAGE_NAMES, type Language, language, texts } from '../texts/texts.ts';

/** What a person sets: goals for the diary, and how this device shows the page. */
export function SettingsPage() {
  const all = texts.value;
  return (
    <>
      <h1 class="title">{all.settings}</h1>
      <div class="cards">
        <GoalsForm />
        <section class="card" aria-label={all.appearance}>
          <h2>{all.appearance}</h2>
          <label>
            {all.language}
            <select
              value={language.value}
              onChange={({ currentTarget: { value } }) => void prefer({ language: value as Language })}
            >
              {Object.entries(LANGUAGE_NAMES).map(([code, name]) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label>
            {all.theme}
            <select
              value={preferences.value.theme ?? 'auto'}
              onChange={({ currentTarget: { value } }) =>
                void prefer({ theme: value === 'auto' ? undefined : (value as 'light' | 'dark') })
              }
            >
              {(['auto', 'light', 'dark'] as const).map((each) => (
                <option key={each} value={each}>
                  {all.themes[each]}
                </option>
              ))}
            </select>
          </label>
        </section>
        <section class="card" aria-label={all.account}>
          <h2>{all.account}</h2>
          <p>{person.value?.name}</p>
          <button type="button" onClick={() => void signOut()}>
            {all.signOut}
          </button>
        </section>
        <OpenIdAccounts />
      </div>
    </>
  );
}

const GOALS = ['calories', 'protein', 'carbs', 'fat'] as const;

/** The goals from today on; an empty field is no goal. */
function GoalsForm() {
  const goals = useSignal<GoalAmounts | undefined>(undefined);
  const problem = useSignal('');
  useSignalEffect(() => {
    const user = person.value;
    if (user === null || user === undefined) return;
    larder
      .user(user.id)
      .diary.totals({ date: today(), remaining: true })
      .then(
        (read) => {
          goals.value = read.goals ?? {};
        },
        (error) => {
          problem.value = problemOf(error);
        },
      );
  });
  const { goals: title, goalsText, measures, save, changed } = texts.value;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const others = { ...goals.value };
    const stated = Object.fromEntries(
      GOALS.map((key) => [key, String(fields.get(key))])
        .filter(([, text]) => text !== '')
        .map(([key, text]) => [key, Number(text)]),
    );
    for (const key of GOALS) delete others[key];
    try {
      const set = { ...others, ...stated };
      await larder.user(person.peek()!.id).goals.set({ ...set, from: today() });
      goals.value = set;
      problem.value = '';
      tell(changed);
    } catch (error) {
      problem.value = problemOf(error);
    }
  };
  // What is typed before the goals are read would be lost.
  if (goals.value === undefined && problem.value === '') return null;
  return (
    <form class="card" aria-label={title} onSubmit={submit}>
      <h2>{title}</h2>
      <p class="quiet">{goalsText}</p>
      {GOALS.map((key) => (
        <label key={key}>
          {measures[key]}
          <span class="with-unit">
            <input
              name={key}
              type="number"
              inputMode="decimal"
              min="0"
              step="any"
              defaultValue={String(goals.value?.[key] ?? '')}
            />
            {key === 'calories' ? 'kcal' : 'g'}
          </span>
        </label>
      ))}
      {problem.value !== '' && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <button type="submit" class="primary">
        {save}
      </button>
    </form>
  );
}
