import { useSignal, useSignalEffect } from '@preact/signals';
import type { GoalAmounts, Goals, GoalsWithHistory } from 'larder-client';
import { person } from '../account/session.ts';
import { type Day, dateOf, today } from '../days.ts';
import { larder } from '../larder.ts';
import { goalsOn } from '../offline/entries/day-sums.ts';
import { localGoals, writeGoals } from '../offline/own-goals.ts';
import { energyOf, energyUnit, kcalOf } from '../parts/measures.ts';
import { NumberField } from '../parts/number-field.tsx';
import { DIARY_NUTRIENTS, type DiaryNutrient } from '../parts/nutrients.ts';
import { Problem } from '../parts/problem-line.tsx';
import { tell } from '../parts/toast.tsx';
import { numbers, texts } from '../texts/texts.ts';
import { useAttempts } from './card.tsx';

const MAIN = ['protein', 'carbs', 'fat'] as const;
const FURTHER = (Object.keys(DIARY_NUTRIENTS) as DiaryNutrient[]).filter(
  (key) => !(MAIN as readonly string[]).includes(key),
);
type Fields = Partial<Record<'calories' | DiaryNutrient, string>>;

/** The goals from a day on; an empty field is no goal. Earlier goals stay with their days. */
export function GoalsForm() {
  const known = useSignal<GoalsWithHistory | undefined>(undefined);
  const fields = useSignal<Fields>({});
  const from = useSignal<Day>(today());
  const { problem, isBusy, attempt } = useAttempts();
  const load = async () => {
    const all = await localGoals();
    const read = all
      ? { ...goalsOn(all, today()), all: [...all] }
      : await larder.user(person.peek()!.id).goals.get({ date: today(), history: true });
    known.value = read;
    fields.value = fieldsOf(read);
  };
  useSignalEffect(() => {
    if (person.value !== null && person.value !== undefined) void attempt(load);
  });
  const { goals: title, goalsPage: all, energy, nutrientNames, carbs, save, changed } = texts.value;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const isSet = await attempt(async () => {
      await writeGoals({ ...goalsOf(fields.peek()), from: from.peek() });
      await load();
    });
    if (isSet) tell(changed);
  };
  // What is typed before the goals are read would be lost.
  if (known.value === undefined) {
    return (
      <section class="card" aria-label={title} aria-busy={problem === ''}>
        <h2>{title}</h2>
        <Problem text={problem} onRetry={() => attempt(load)} />
      </section>
    );
  }
  const field = (key: 'calories' | DiaryNutrient, label: string, unit: string) => (
    <NumberField
      key={key}
      label={label}
      unit={unit}
      value={fields.value[key] ?? ''}
      onInput={(text) => {
        fields.value = { ...fields.value, [key]: text };
      }}
    />
  );
  const nameOf = (key: DiaryNutrient) => (key === 'carbs' ? carbs : nutrientNames[key]);
  return (
    <form class="card form" aria-label={title} onSubmit={(event) => void submit(event)}>
      <h2>{title}</h2>
      <p class="quiet">{all.text}</p>
      <div class="fields">
        {field('calories', energy, energyUnit.value)}
        {MAIN.map((key) => field(key, nameOf(key), DIARY_NUTRIENTS[key]))}
      </div>
      <details>
        <summary>{all.further}</summary>
        <div class="fields">{FURTHER.map((key) => field(key, nameOf(key), DIARY_NUTRIENTS[key]))}</div>
      </details>
      <label>
        {all.from}
        <input
          type="date"
          required
          value={from.value}
          onChange={({ currentTarget: { value } }) => {
            from.value = value === '' ? today() : value;
          }}
        />
      </label>
      <Problem text={problem} />
      <button type="submit" class="primary" disabled={isBusy}>
        {save}
      </button>
      {known.value?.all !== undefined && known.value.all.length > 1 && <History goals={known.value.all} />}
    </form>
  );
}

function History({ goals }: { readonly goals: readonly Goals[] }) {
  const { goalsPage: all, energy, protein, carbs, fat } = texts.value;
  const { whole } = numbers.value;
  const cell = (value: number | undefined) => (value === undefined ? '–' : whole(value));
  return (
    <details>
      <summary>{all.history}</summary>
      <div class="scrolls">
        <table class="data">
          <thead>
            <tr>
              <th scope="col">{all.from}</th>
              <th scope="col">
                {energy} ({energyUnit.value})
              </th>
              <th scope="col">{protein} (g)</th>
              <th scope="col">{carbs} (g)</th>
              <th scope="col">{fat} (g)</th>
            </tr>
          </thead>
          <tbody>
            {goals.toReversed().map((each) => (
              <tr key={each.from ?? ''}>
                <th scope="row">
                  {each.from === undefined
                    ? all.always
                    : dateOf(each.from, { day: 'numeric', month: 'short', year: 'numeric' })}
                </th>
                <td>{cell(each.calories === undefined ? undefined : energyOf(each.calories))}</td>
                <td>{cell(each.protein)}</td>
                <td>{cell(each.carbs)}</td>
                <td>{cell(each.fat)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function fieldsOf({ calories, nutrients, ...others }: GoalAmounts): Fields {
  const amounts: Readonly<Record<string, unknown>> = { ...others, ...nutrients };
  const stated = (Object.keys(DIARY_NUTRIENTS) as DiaryNutrient[]).filter(
    (key) => amounts[key] !== undefined,
  );
  return {
    ...(calories !== undefined && { calories: String(Math.round(energyOf(calories))) }),
    ...Object.fromEntries(stated.map((key) => [key, String(amounts[key])])),
  };
}

function goalsOf({ calories = '', ...fields }: Fields): GoalAmounts {
  const stated = Object.entries(fields).filter(([, text]) => text !== '');
  const isMain = ([key]: [string, string]) => ['protein', 'carbs', 'fat', 'fiber', 'sodium'].includes(key);
  const amounts = (entries: [string, string][]) =>
    Object.fromEntries(entries.map(([key, text]) => [key, Number(text)]));
  const others = stated.filter((entry) => !isMain(entry));
  return {
    ...(calories !== '' && { calories: kcalOf(Number(calories)) }),
    ...amounts(stated.filter(isMain)),
    ...(others.length > 0 && { nutrients: amounts(others) }),
  };
}
