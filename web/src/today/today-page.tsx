import '../styles/today.css';
import type { MealType } from 'larder-client';
import { useEffect, useRef } from 'preact/hooks';
import { meal as addingTo, openAdd } from '../add/dialog-state.ts';
import { LeftStrip } from '../add/left-strip.tsx';
import { areRecentsRead } from '../add/recents.ts';
import { canWrite, diary, otherName } from '../diary/shown-diary.ts';
import { isOffered } from '../first-run/offered.ts';
import { pathTo } from '../larder.ts';
import { showNutrients } from '../nutrients/open.ts';
import { isReached } from '../offline/device.ts';
import { Icon } from '../parts/icon.tsx';
import { Later, LaterDialog, loadAhead, withTexts } from '../parts/later.tsx';
import { energyText } from '../parts/measures.ts';
import { setTo, useSettled } from '../parts/signals.ts';
import { preferences } from '../preferences.ts';
import { texts } from '../texts/texts.ts';
import { showWeight } from '../trends/open-weight.ts';
import { AgainStrip } from './again-strip.tsx';
import { CopyMealButton, PortionField } from './copy-to-mine.tsx';
import { DayBar, go } from './day-bar.tsx';
import { copyMeal, day, entries, load, mayCopyYesterday, problem, totals } from './day-store.ts';
import { EntryRow } from './entry-row.tsx';
import { MEALS, mealWords } from './meal-names.ts';
import { RowMacros } from './row-macros.tsx';
import { isSelecting, mealMenu, placing } from './selection.ts';
import { Sums } from './sums.tsx';

/** How often the diary of somebody else is read while it is shown. */
const OTHER_EVERY_MS = 10_000;

const loadAddDialog = withTexts(async () => (await import('../add/add-dialog.tsx')).AddDialog, 'adding');
const loadFirstRun = withTexts(
  async () => (await import('../first-run/first-run-card.tsx')).FirstRunCard,
  'views',
);
const loadMealDialog = withTexts(async () => (await import('./meal-dialog.tsx')).MealDialog, 'adding');
const loadExtras = withTexts(async () => (await import('./day-extras.tsx')).DayExtras, 'adding');
const loadPlaceDialog = withTexts(async () => (await import('./place-dialog.tsx')).PlaceDialog, 'adding');
const loadSelectionBar = withTexts(async () => (await import('./selection-bar.tsx')).SelectionBar, 'adding');

/** One day of the diary. */
export function TodayPage() {
  const view = useRef<HTMLDivElement>(null);
  const isRead = entries.value !== undefined && (areRecentsRead.value || !canWrite.value);
  const hasMeals = useSettled(isRead || problem.value !== undefined);
  // Goals may have changed since the day was read.
  useEffect(() => void load(), []);
  useEffect(() => onSwipe(view.current!, go), []);
  useEffect(followOther, []);
  useEffect(() => {
    if (hasMeals) loadAhead(loadAddDialog);
  }, [hasMeals]);
  const { retry, otherDay } = texts.value;
  const other = otherName.value;
  return (
    <div ref={view} class="today">
      <DayBar />
      <div class="day">
        <div class="day-side">
          <Sums />
        </div>
        <div class="day-main">
          {isOffered.value && other === undefined && <Later load={loadFirstRun} props={{}} />}
          {canWrite.value && <LeftStrip />}
          {other !== undefined && !isReached.value && <p class="problem">{otherDay.needsService(other)}</p>}
          {other !== undefined && <PortionField />}
          {problem.value !== undefined && (
            <p class="problem" role="alert">
              {problem.value}{' '}
              <button type="button" class="link" onClick={() => void load()}>
                {retry}
              </button>
            </p>
          )}
          {canWrite.value && <AgainStrip />}
          <div
            class="meals"
            aria-busy={!hasMeals || (entries.value === undefined && problem.value === undefined)}
          >
            {hasMeals && MEALS.map((meal) => <Meal key={meal} meal={meal} />)}
          </div>
          {hasMeals && <Later load={loadExtras} props={{}} />}
          {hasMeals && <DayTools />}
        </div>
      </div>
      {canWrite.value && (
        <>
          <LaterDialog is={isSelecting.value} load={loadSelectionBar} />
          <LaterDialog is={mealMenu.value !== undefined} load={loadMealDialog} />
          <LaterDialog is={placing.value !== undefined} load={loadPlaceDialog} />
        </>
      )}
      <LaterDialog is={addingTo.value !== undefined} load={loadAddDialog} />
    </div>
  );
}

/** What else a day is for: a weight, and the diary on paper. */
function DayTools() {
  const { enterWeight, printDiary } = texts.value;
  return (
    <div class="day-tools">
      {otherName.value === undefined && (
        <button type="button" class="link" aria-haspopup="dialog" onClick={showWeight}>
          {enterWeight}
        </button>
      )}
      <a href={`${pathTo('app/print')}?day=${day.value}`}>{printDiary}</a>
    </div>
  );
}

/** Polls another person's diary while it is visible, since there is no feed of it. Returns the function that stops. */
function followOther(): () => void {
  const look = () => {
    if (document.visibilityState === 'visible' && otherName.peek() !== undefined) void load();
  };
  const timer = setInterval(look, OTHER_EVERY_MS);
  document.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}

function Meal({ meal }: { readonly meal: MealType }) {
  const { emptyMeal, copyYesterday, mealMenu: menu, cameraFor, nutrientsOf } = texts.value;
  const isOther = otherName.value !== undefined;
  const { name, addTo } = mealWords(meal);
  const own = entries.value?.filter(({ mealType }) => mealType === meal);
  if (own?.length === 0 && otherName.value === undefined && preferences.value.hiddenMeals?.includes(meal))
    return (
      <button type="button" class="link" onClick={() => openAdd(meal)}>
        {addTo}
      </button>
    );
  const energy = own?.reduce((sum, { calories }) => sum + calories, 0) ?? 0;
  return (
    <section class="meal" aria-label={name}>
      <header>
        <h2>{name}</h2>
        {own !== undefined && own.length > 0 && <RowMacros of={own} isNamed />}
        {energy > 0 && (
          <button
            type="button"
            class="amount meal-energy"
            aria-label={`${energyText(energy)}, ${nutrientsOf(name)}`}
            aria-haspopup="dialog"
            onClick={() =>
              showNutrients({
                title: name,
                eaten: () => (entries.value ?? []).filter(({ mealType }) => mealType === meal),
                goals: () => totals.value?.goals,
              })
            }
          >
            {energyText(energy)}
          </button>
        )}
        {canWrite.value && (
          <button
            type="button"
            class="round"
            aria-label={menu(name)}
            aria-haspopup="dialog"
            onClick={() => setTo(mealMenu, meal)}
          >
            <Icon name="more" />
          </button>
        )}
      </header>
      {own?.length ? (
        <ul class="entries">
          {own.map((entry) => (
            <EntryRow key={entry.id} entry={entry} />
          ))}
        </ul>
      ) : (
        own !== undefined && (
          <p class="empty">
            {emptyMeal}
            {canWrite.value && mayCopyYesterday(meal) && (
              <button type="button" class="link" onClick={() => void copyMeal(diary.peek()!, meal)}>
                {copyYesterday}
              </button>
            )}
          </p>
        )
      )}
      {canWrite.value && (
        <div class="meal-adds">
          <button type="button" class="add" onClick={() => openAdd(meal)}>
            <Icon name="plus" />
            {addTo}
          </button>
          <button
            type="button"
            class="camera-button"
            aria-label={cameraFor(name)}
            onClick={() => openAdd(meal, { kind: 'camera' })}
          >
            <Icon name="camera" />
          </button>
        </div>
      )}
      {isOther && own !== undefined && own.length > 0 && <CopyMealButton meal={meal} entries={own} />}
    </section>
  );
}

/** Least way of a finger, and how much longer it is than high. */
const MIN_PX = 64;
const MIN_SLOPE = 2;

/** Calls back when a finger swipes over an element: 1 towards the start of the line, -1 towards its end. Returns its end. */
function onSwipe(element: HTMLElement, act: (direction: 1 | -1) => void): () => void {
  let start: Touch | undefined;
  const begin = ({ touches }: TouchEvent) => {
    start = touches.length === 1 ? touches[0] : undefined;
  };
  const end = ({ changedTouches: [last] }: TouchEvent) => {
    if (start === undefined || last === undefined) return;
    const [x, y] = [last.clientX - start.clientX, last.clientY - start.clientY];
    start = undefined;
    if (Math.abs(x) < MIN_PX || Math.abs(x) < MIN_SLOPE * Math.abs(y)) return;
    const isBack = document.dir === 'rtl' ? x < 0 : x > 0;
    act(isBack ? -1 : 1);
  };
  element.addEventListener('touchstart', begin, { passive: true });
  element.addEventListener('touchend', end, { passive: true });
  return () => {
    element.removeEventListener('touchstart', begin);
    element.removeEventListener('touchend', end);
  };
}
