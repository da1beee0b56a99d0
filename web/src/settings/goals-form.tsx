import { signal, useSignal, useSignalEffect } from '@preact/signals';
import type { GoalAmounts, Goals, GoalsWithHistory } from 'larder-client';
import { useRef } from 'preact/hooks';
import { person } from '../account/session.ts';
import { retyped } from '../amounts/typed-number.ts';
import { type Day, dateOf, today, type Weekday } from '../days.ts';
import { larder } from '../larder.ts';
import { amountsOn, statedOn } from '../offline/entries/day-sums.ts';
import { changeOfGoals } from '../offline/entries/waiting-goals.ts';
import { changeGoals, localGoals } from '../offline/own-goals.ts';
import { changeSettings, ownSettings, whenSettingsAreRead } from '../offline/own-records.ts';
import { useAttempts } from '../parts/attempts.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { energyOf, energyUnit } from '../parts/measures.ts';
import { DIARY_NUTRIENTS, type DiaryNutrient } from '../parts/nutrients.ts';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { tell } from '../parts/toast.tsx';
import { locale, numbers, texts } from '../texts/texts.ts';
import type { Body } from './energy-needs.ts';
import { GoalCalculator } from './goal-calculator.tsx';
import {
  type Fields,
  fieldsOf,
  GoalFields,
  goalsOf,
  inPercent,
  nameOf,
  nutrientsOf,
} from './goal-fields.tsx';
import { statedPercents } from './goal-percents.ts';
import { groupsOf, namesOf, WeekdayGoals, type WeekdayGroup, weekdaysOf } from './weekday-goals.tsx';

/** Whether they were read once, or could not be. */
export const areGoalsRead = signal(false);

/** Keeps how macros are typed, and what they were computed from, for all devices. */
async function keepShares({ percents }: Fields, body?: Body): Promise<void> {
  const shares = percents && statedPercents(percents);
  const isSame = JSON.stringify(shares) === JSON.stringify(ownSettings.peek()?.goalsInPercent);
  if (isSame && body === undefined) return;
  await changeSettings({ goalsInPercent: shares ?? null, ...(body && { body }) });
}

function shownGoals(fields: Fields, groups: readonly WeekdayGroup[]): Goals {
  const weekdays = weekdaysOf(groups);
  return { ...goalsOf(fields), ...(weekdays && { weekdays }) };
}

/** Goals as the form gives them if nothing is changed: fields may round. */
function readAgain(goals: Goals = {}): Goals {
  return shownGoals(fieldsOf(goals), groupsOf(goals.weekdays));
}

/** The goals from a day on, of every day and of some weekdays. Earlier goals stay with their days. */
export function GoalsForm() {
  const known = useSignal<GoalsWithHistory | undefined>(undefined);
  const fields = useSignal<Fields>({});
  const groups = useSignal<readonly WeekdayGroup[]>([]);
  const from = useSignal<Day>(today());
  /** What goals were computed from, if they were. */
  const body = useSignal<Body | undefined>(undefined);
  const { problem, isBusy, attempt, read } = useAttempts();
  /** Whether the person typed since goals were read or saved: these fields stay, and are compared with the goals that they were typed over. */
  const isTyped = useRef(false);
  const load = async () => {
    const all = await localGoals();
    const found = all
      ? { ...statedOn(all, today()), all: [...all] }
      : await larder.user(person.peek()!.id).goals.get({ date: today(), history: true });
    await whenSettingsAreRead();
    if (isTyped.current) return;
    known.value = found;
    const shares = ownSettings.peek()?.goalsInPercent;
    const everyDay = fieldsOf(found);
    fields.value = shares === undefined ? everyDay : inPercent(everyDay, {}, shares);
    groups.value = groupsOf(found.weekdays).map((group) =>
      shares === undefined ? group : { ...group, fields: inPercent(group.fields, everyDay) },
    );
  };
  useSignalEffect(() => {
    if (person.value === null || person.value === undefined) return;
    void read(load).then(() => setTo(areGoalsRead, true));
  });
  // What was typed before another language was chosen in the card beside this one.
  const typedIn = useRef(locale.peek());
  useSignalEffect(() => {
    const now = locale.value;
    if (now === typedIn.current) return;
    fields.value = retyped(fields.peek(), typedIn.current);
    groups.value = retyped(groups.peek(), typedIn.current);
    typedIn.current = now;
  });
  const { goals: title, goalsPage: all, save, changed } = texts.value;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    // The group says that a day is missing.
    if (groups.peek().some(({ days }) => days.length === 0)) return;
    const isSet = await attempt(async () => {
      isTyped.current = false;
      const first = from.peek();
      const shown = shownGoals(fields.peek(), groups.peek());
      // Where nothing was changed, the goals that are shown are to begin on another day.
      const change =
        changeOfGoals(first, readAgain(known.peek()), shown) ??
        changeOfGoals(first, readAgain(statedOn(known.peek()?.all, first)), shown);
      if (change !== undefined) await changeGoals(change);
      // The grams are written; how they were typed is not worth an error.
      await keepShares(fields.peek(), body.peek()).catch(() => {});
      await load();
    });
    if (isSet) tell(changed);
    else isTyped.current = true;
  };
  /** Goals from the day on are none; earlier days keep theirs. */
  const removeAll = () =>
    attempt(async () => {
      isTyped.current = false;
      const first = from.peek();
      const before = readAgain(statedOn(known.peek()?.all, first));
      const removal = changeOfGoals(first, before, {});
      if (removal === undefined) return;
      await changeGoals(removal);
      await load();
      tell(texts.peek().goalsPage.removed, async () => {
        await changeGoals(changeOfGoals(first, {}, before)!);
        isTyped.current = false;
        await load();
      });
    });
  const isRead = known.value !== undefined;
  const hasGoals = Object.keys(readAgain(statedOn(known.value?.all, from.value))).length > 0;
  if (!isRead && problem !== '') {
    return (
      <section class="card" aria-label={title}>
        <h2>{title}</h2>
        <Problem text={problem} onRetry={() => read(load)} />
      </section>
    );
  }
  return (
    <form class="card form" aria-label={title} aria-busy={!isRead} onSubmit={(event) => void submit(event)}>
      <h2>{title}</h2>
      <p class="quiet">{all.text}</p>
      {/* The form has its size before the goals are read; what is typed by then would be lost. */}
      <fieldset class="whole" disabled={!isRead}>
        <GoalFields
          fields={fields.value}
          onChange={(changedFields) => {
            isTyped.current = true;
            fields.value = changedFields;
          }}
        />
        <details>
          <summary>{all.calculate}</summary>
          <GoalCalculator
            body={ownSettings.value?.body}
            onUse={(proposed) => {
              isTyped.current = true;
              fields.value = { ...fields.peek(), ...proposed.fields };
              body.value = proposed.body;
            }}
          />
        </details>
        <WeekdayGoals
          groups={groups.value}
          everyDay={fields.value}
          onChange={(changedGroups) => {
            isTyped.current = true;
            groups.value = changedGroups;
          }}
        />
        <label>
          {all.from}
          <input
            type="date"
            required
            value={from.value}
            onChange={({ currentTarget: { value } }) => setTo(from, value === '' ? today() : value)}
          />
        </label>
        <Problem text={problem} />
        <BusyButton type="submit" class="primary" isBusy={isBusy}>
          {save}
        </BusyButton>
        {hasGoals && (
          <button type="button" class="link" onClick={() => void removeAll()}>
            {all.removeAll}
          </button>
        )}
        {known.value?.all !== undefined && known.value.all.length > 1 && (
          <GoalsHistory goals={known.value.all} />
        )}
      </fieldset>
    </form>
  );
}

const ALWAYS_SHOWN: readonly DiaryNutrient[] = ['protein', 'carbs', 'fat'];

/** All goals, the latest first, each with a row for the days that have others. */
function GoalsHistory({ goals }: { readonly goals: readonly Goals[] }) {
  const { goalsPage: all, energy } = texts.value;
  const stated = goals.flatMap((each) => [each, ...Object.values(each.weekdays ?? {})]);
  const columns = (Object.keys(DIARY_NUTRIENTS) as DiaryNutrient[]).filter(
    (key) => ALWAYS_SHOWN.includes(key) || stated.some((each) => nutrientsOf(each)[key] !== undefined),
  );
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
              {columns.map((key) => (
                <th key={key} scope="col">
                  {nameOf(key)} ({DIARY_NUTRIENTS[key]})
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {goals
              .toReversed()
              .flatMap((each) => [
                <Row key={each.from} name={nameOfGoals(each)} amounts={each} columns={columns} />,
                ...groupsOf(each.weekdays).map(({ days }) => (
                  <Row
                    key={`${each.from} ${days}`}
                    name={namesOf(days)}
                    amounts={amountsOn(each, days[0] as Weekday)}
                    columns={columns}
                  />
                )),
              ])}
          </tbody>
        </table>
      </div>
    </details>
  );
}

interface RowProps {
  readonly name: string;
  readonly amounts: GoalAmounts;
  readonly columns: readonly DiaryNutrient[];
}

function Row({ name, amounts, columns }: RowProps) {
  const { whole, precise } = numbers.value;
  const nutrients = nutrientsOf(amounts);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{amounts.calories === undefined ? '–' : whole(energyOf(amounts.calories))}</td>
      {columns.map((key) => (
        <td key={key}>{nutrients[key] === undefined ? '–' : precise(nutrients[key])}</td>
      ))}
    </tr>
  );
}

function nameOfGoals({ from }: Goals): string {
  if (from === undefined) return texts.value.goalsPage.always;
  return dateOf(from, { day: 'numeric', month: 'short', year: 'numeric' });
}
