import { effect } from '@preact/signals';
import type { AddedMethod, Food } from 'larder-client';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { setTo } from '../parts/signals.ts';
import '../styles/add.css';
import { otherName } from '../diary/shown-diary.ts';
import { loadDetails } from '../facts/parts.ts';
import { Icon } from '../parts/icon.tsx';
import { Later, withTexts } from '../parts/later.tsx';
import { startScan } from '../photo/photo-scan.ts';
import { texts } from '../texts/texts.ts';
import { add, type NewFood } from '../today/day-store.ts';
import { mealWords } from '../today/meal-names.ts';
import { AmountChips } from './amount-chips.tsx';
import { AmountForm } from './amount-form.tsx';
import { closeAdd, dismissAdd, finishAdd, meal, step, target } from './dialog-state.ts';
import { Find } from './find.tsx';
import { answered, problem } from './found.ts';
import { QuickAdd } from './quick-add.tsx';
import { startAmount } from './start-amount.ts';
import { labelBarcode } from './unknown-barcode.tsx';

const loadPhoto = async () => (await import('../photo/photo-view.tsx')).PhotoView;
const loadCamera = async () => (await import('../camera/camera-view.tsx')).CameraView;
const loadFoodForm = withTexts(async () => (await import('../foods/food-form.tsx')).FoodForm, 'views');

/** Writes what was chosen, and closes; what was typed stays if that fails. */
async function write(entries: readonly NewFood[]): Promise<void> {
  const mealType = meal.peek();
  const to = target.peek();
  if (mealType === undefined || to === undefined) return;
  problem.value = undefined;
  try {
    await add(to, mealType, entries);
  } catch (error) {
    problem.value = to.problemOf(error);
    throw error;
  }
  finishAdd();
}

/** The same, for whom the message on the screen is enough. */
const tryWrite = (entries: readonly NewFood[]) => write(entries).catch(() => {});

function chooseAmount(food: Food, method?: AddedMethod): void {
  step.value = { kind: 'amount', food, method, ...startAmount(food) };
}

export function AddDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  // It opens before the field in it takes the focus.
  useLayoutEffect(
    () =>
      effect(() => {
        if (meal.value !== undefined && dialog.current?.open === false) dialog.current.showModal();
        if (meal.value === undefined) dialog.current?.close();
      }),
    [],
  );
  const { close, back, otherDay } = texts.value;
  return (
    <dialog
      ref={dialog}
      class="add-dialog"
      aria-labelledby="add-title"
      // Escape. `close` comes later, when the dialog may be about to open again; a file input cancels too, and that bubbles.
      onCancel={({ target, currentTarget }) => target === currentTarget && closeAdd()}
    >
      <header>
        {step.value.kind !== 'find' && (
          <button type="button" class="round" aria-label={back} onClick={() => setTo(step, { kind: 'find' })}>
            <Icon name="arrowLeft" />
          </button>
        )}
        <h2 id="add-title">
          {meal.value !== undefined && mealWords(meal.value).addTo}
          {otherName.value !== undefined && (
            <span class="quiet of-other">{otherDay.title(otherName.value)}</span>
          )}
        </h2>
        <button type="button" class="round" aria-label={close} onClick={dismissAdd}>
          <Icon name="x" />
        </button>
      </header>
      {problem.value !== undefined && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {meal.value !== undefined && <StepView />}
    </dialog>
  );
}

function StepView() {
  const now = step.value;
  if (now.kind === 'amount') {
    return (
      <>
        <AmountForm
          food={now.food}
          amount={now}
          method={now.method}
          onChange={(food, amount) => setTo(step, { ...now, food, ...amount })}
          write={tryWrite}
        />
        <AmountChips
          quantity={now.quantity}
          unit={now.unit}
          onChoose={(quantity) => setTo(step, { ...now, quantity })}
        />
        <Later key="details" load={loadDetails} props={{ food: now.food }} />
      </>
    );
  }
  if (now.kind === 'quick') return <QuickAdd name={answered.value} write={write} />;
  if (now.kind === 'photo') return <Later key="photo" load={loadPhoto} props={{}} />;
  if (now.kind === 'camera') {
    const onFood = (food: Food) => chooseAmount(food, 'barcode');
    const onPhoto = (photo: Blob) => {
      labelBarcode.value = undefined;
      startScan(photo, 'photo');
      step.value = { kind: 'photo' };
    };
    return <Later key="camera" load={loadCamera} props={{ onFood, onPhoto }} />;
  }
  if (now.kind === 'food') {
    return (
      <div class="photo-part">
        <Later key="food" load={loadFoodForm} props={{ initial: now.initial, onSaved: chooseAmount }} />
      </div>
    );
  }
  return <Find write={tryWrite} onChoose={chooseAmount} />;
}
