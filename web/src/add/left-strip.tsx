import { texts } from '../texts/texts.ts';
import { mealWords } from '../today/meal-names.ts';
import { discardLeft, goOn, left } from './dialog-state.ts';

/** Offers the unfinished content of the dialog. */
export function LeftStrip() {
  const draft = left.value;
  if (draft === undefined) return null;
  const { leftUnfinished, goOn: button, discard } = texts.value;
  return (
    <p class="left-strip">
      <span>{leftUnfinished(mealWords(draft.meal).name)}</span>
      <button type="button" class="link" onClick={() => goOn(draft)}>
        {button}
      </button>
      <button type="button" class="link" onClick={discardLeft}>
        {discard}
      </button>
    </p>
  );
}
