import '../styles/forms.css';
import { useSignal } from '@preact/signals';
import { type Ingredient, LarderError, type ParsedText, type Recipe } from 'larder-client';
import { useEffect, useRef } from 'preact/hooks';
import { person } from '../account/session.ts';
import { amountText, unitName } from '../amounts/amount-text.ts';
import { type StatedAmount, useLargeAmounts } from '../amounts/large-amounts.tsx';
import { numberOf, typedNumber } from '../amounts/typed-number.ts';
import { larder } from '../larder.ts';
import { isReached, patience } from '../offline/device.ts';
import { isRead as isReadIngredient } from '../offline/queue/addition-again.ts';
import { refusedWrite } from '../offline/queue/write-one.ts';
import type { Shown } from '../offline/queue/writes.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { useDraft } from '../parts/draft.ts';
import { Icon } from '../parts/icon.tsx';
import { energyText, energyUnit, kcalOf } from '../parts/measures.ts';
import { NumberField, NumberInput } from '../parts/number-field.tsx';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';
import { writeRecipe } from './book.ts';
import {
  energyOfLines,
  type Fix,
  type Fixes,
  formOf,
  ingredientsOf,
  type LinePart,
  linesOf,
  linesToRead,
  lostLines,
  type RecipeLine,
  textOf,
  understood,
} from './lines.ts';

/** Time without typing after which lines are read. */
const READ_AFTER_MS = 350;

interface RecipeEditorProps {
  /** The recipe that is changed, as it is shown. */
  readonly recipe?: Shown<Recipe>;
  readonly onDone: (recipe: Recipe) => void;
  readonly onLeave: () => void;
}

/** Writes a recipe from lines of text, each shown with what the service understood. */
export function RecipeEditor({ recipe: shownRecipe, onDone, onLeave }: RecipeEditorProps) {
  // A concurrent change by another device is a conflict.
  const { current: recipe } = useRef(shownRecipe);
  const { recipesPage: all, offline, name, save, back, keptForm, startAnew } = texts.value;
  // A refused recipe continues with the refused input.
  const refused = recipe && (refusedWrite('recipe', recipe.id)?.preview as Recipe | undefined);
  const { current: start } = useRef(refused ?? recipe);
  const draft = useDraft(`recipes/${recipe?.id ?? 'new'}`, {
    name: start?.name ?? '',
    servings: typedNumber(start?.servings ?? 4),
    yieldGrams: typedNumber(start?.yieldGrams),
    text: start === undefined ? '' : textOf(start.ingredients),
    fixes: {} as Fixes,
  });
  const { values, set } = draft;
  const kept = start?.ingredients.filter(isReadIngredient) ?? [];
  const lines = linesOf(values.text);
  const { read, problem: unread } = useReading(linesToRead(lines, kept));
  const shown = understood(lines, kept, read, values.fixes);
  const isRead = read !== undefined || linesToRead(lines, kept).length === 0;
  const lost = isRead ? lostLines(shown) : [];
  const isLater = !isRead && !isReached.value;
  const problem = useSignal('');
  const isWriting = useSignal(false);
  const large = useLargeAmounts(async (amounts: readonly LineAmount[]) => {
    // The number may have been meant in grams.
    const meant = amounts.filter(({ part, unit }) => unit !== amountOfPart(part)?.unit);
    const decided = meant.map(({ part: { key, food }, quantity }) => [
      key,
      { food: food!, amount: typedNumber(quantity) },
    ]);
    const fixes: Fixes = { ...values.fixes, ...Object.fromEntries(decided) };
    set({ fixes });
    await writeLines(understood(lines, kept, read, fixes), fixes);
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const share = 1 / numberOf(values.servings);
    const amounts = shown.flatMap(({ parts }) =>
      parts.flatMap((part): LineAmount[] => {
        const stated = amountOfPart(part);
        return stated === undefined ? [] : [{ ...stated, part, share }];
      }),
    );
    void large.submit(amounts);
  };
  const writeLines = async (written: readonly RecipeLine[], fixes: Fixes) => {
    isWriting.value = true;
    try {
      const saved = await writeRecipe(
        {
          name: values.name.trim(),
          servings: numberOf(values.servings),
          ...(values.yieldGrams !== '' && { yieldGrams: numberOf(values.yieldGrams) }),
          ingredients: ingredientsOf(written, fixes),
          // Leave out only lines that the user has seen as unread.
          ...(isRead && { partial: true }),
        },
        written,
        recipe,
      );
      draft.clear();
      const left = saved.unresolvedItems?.map(({ text }) => text) ?? [];
      if (left.length > 0) tell(all.leftOut(left.join(', ')));
      onDone(saved);
    } catch (error) {
      problem.value = problemOf(error);
      isWriting.value = false;
    }
  };
  const energy = energyOfLines(shown) / numberOf(values.servings);
  return (
    <form
      class="form recipe-editor"
      aria-label={recipe?.name ?? all.newRecipe}
      onSubmit={submit}
      onInput={large.forget}
    >
      <div class="title-bar">
        <div>
          <button type="button" class="link back" onClick={onLeave}>
            <Icon name="arrowLeft" />
            {back}
          </button>
          <h1>{recipe?.name ?? all.newRecipe}</h1>
        </div>
      </div>
      {draft.wasKept && (
        <p class="quiet">
          {keptForm}{' '}
          <button type="button" class="link" onClick={draft.startAnew}>
            {startAnew}
          </button>
        </p>
      )}
      <label>
        {name}
        <input
          value={values.name}
          required
          maxLength={200}
          autocomplete="off"
          onInput={({ currentTarget: { value } }) => set({ name: value })}
        />
      </label>
      <div class="fields">
        <NumberField
          label={all.servings}
          value={values.servings}
          onInput={(text) => set({ servings: text })}
          isRequired
          isPositive
        />
        <NumberField
          label={all.yield}
          unit="g"
          value={values.yieldGrams}
          onInput={(text) => set({ yieldGrams: text })}
          isPositive
        />
      </div>
      <div class="lines">
        <label>
          {all.ingredients}
          <textarea
            value={values.text}
            required
            maxLength={10_000}
            placeholder={all.linesHint}
            spellcheck={false}
            onInput={({ currentTarget: { value } }) => set({ text: value })}
          />
        </label>
        <LineList
          lines={shown}
          isRead={isRead}
          onFix={(key, fix) => set({ fixes: { ...values.fixes, [key]: fix } })}
        />
      </div>
      {energy > 0 && Number.isFinite(energy) && (
        <p class="preview" aria-live="polite">
          <bdi>{energyText(energy)}</bdi> <span class="quiet note">{all.perServing}</span>
        </p>
      )}
      <Problem text={unread} />
      {isLater && (
        <p class="quiet" role="status">
          {offline.linesLater}
        </p>
      )}
      {lost.length > 0 && <p class="problem">{all.willBeLeftOut(lost.length)}</p>}
      {large.question}
      <Problem text={problem.value} />
      <BusyButton
        type="submit"
        class="primary"
        isBusy={isWriting.value || (!isRead && !isLater)}
        disabled={lost.length === lines.length}
      >
        {lost.length > 0 ? all.saveWithout(lost.length) : save}
      </BusyButton>
    </form>
  );
}

/** Nobody writes "2 kg" for 2 g. */
const MASSES: ReadonlySet<string> = new Set(['g', 'kg', 'ml', 'cl', 'dl', 'l']);

type LineAmount = StatedAmount & { readonly part: LinePart };

/** The amount of a part as the line says it, or as it was typed; undefined where it is not known. */
function amountOfPart({ item, food, amount, typed, unit, energy }: LinePart): StatedAmount | undefined {
  if (food === undefined || amount === undefined) return undefined;
  const isWritten =
    typed === undefined && item.quantity !== undefined && item.unit !== undefined && !MASSES.has(item.unit);
  const said = isWritten ? { quantity: item.quantity!, unit: item.unit! } : { quantity: amount, unit };
  return { ...said, food, measure: amount, energy };
}

/** What the service reads in lines, once typing pauses. Undefined until these very lines are read. */
function useReading(lines: readonly string[]) {
  const read = useSignal<{ lines: readonly string[]; parsed: ParsedText } | undefined>(undefined);
  const problem = useSignal('');
  const text = lines.join('\n');
  useEffect(() => {
    if (text === '') return;
    const stop = new AbortController();
    const ask = async () => {
      try {
        const asked = text.split('\n');
        const input = { text: asked, context: 'recipe', userId: person.peek()!.id } as const;
        const options = { signal: stop.signal, ...patience() };
        read.value = { lines: asked, parsed: await larder.foods.parse(input, options) };
        problem.value = '';
      } catch (error) {
        if (stop.signal.aborted) return;
        const isOffline = error instanceof LarderError && error.code === 'connection_failed';
        problem.value = isOffline ? '' : problemOf(error);
        if (isOffline) isReached.value = false;
      }
    };
    const timer = setTimeout(() => void ask(), READ_AFTER_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
    // Read when the service is back.
  }, [text, isReached.value]);
  const isCurrent = read.value?.lines.join('\n') === text;
  return { read: isCurrent ? read.value : undefined, problem: problem.value };
}

interface LineListProps {
  readonly lines: readonly RecipeLine[];
  /** False while the service reads what was typed last. */
  readonly isRead: boolean;
  readonly onFix: (key: string, fix: Fix) => void;
}

/** Each line with what was understood: uncertain parts can be exchanged, and what is missing can be stated. */
function LineList({ lines, isRead, onFix }: LineListProps) {
  const { recipesPage: all } = texts.value;
  return (
    <section aria-label={all.understood} aria-busy={!isRead}>
      <h2>{all.understood}</h2>
      {lines.length === 0 && <p class="quiet note">{all.linesText}</p>}
      <ol class="read-lines">
        {lines.map((line, at) => (
          <li key={`${at} ${line.text}`}>
            <p class="line-text">{line.text}</p>
            {line.kept.map((ingredient, part) => (
              <KeptPart key={`${part} ${ingredient.name}`} ingredient={ingredient} />
            ))}
            {line.parts.map((part) => (
              <PartRow key={part.key} part={part} onFix={(fix) => onFix(part.key, fix)} />
            ))}
            {isRead && line.kept.length === 0 && line.parts.length === 0 && (
              <p class="unread">{all.noFood}</p>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function KeptPart({ ingredient }: { readonly ingredient: Ingredient }) {
  const { quantity, unit, name, calories } = ingredient;
  return (
    <p class="part">
      <span>
        {quantity !== undefined && `${amountText(quantity, unit)} · `}
        {name}
      </span>
      {calories !== undefined && <span class="amount">{energyText(calories)}</span>}
    </p>
  );
}

function PartRow({ part, onFix }: { readonly part: LinePart; readonly onFix: (fix: Fix) => void }) {
  const { recipesPage: all, unsure, energy: energyName, amount: amountName } = texts.value;
  const { item, food, amount, typed, unit, energy, state } = part;
  const typedEnergy = useSignal('');
  const form = formOf(part);
  const foods = [item.food, ...item.alternatives].filter((each) => each !== undefined);
  if (food !== undefined && !foods.some(({ id }) => id === food.id)) foods.push(food);
  return (
    <div class={`part ${state}`}>
      {foods.length > 1 && food !== undefined ? (
        <select
          aria-label={all.foodOf(item.text)}
          value={food.id}
          onChange={({ currentTarget: { value } }) => {
            const chosen = foods.find(({ id }) => id === value);
            if (chosen !== undefined) onFix({ food: chosen });
          }}
        >
          {foods.map(({ id, name, brand }) => (
            <option key={id} value={id}>
              {brand === undefined ? name : `${name}, ${brand}`}
            </option>
          ))}
        </select>
      ) : (
        <span>{food?.name ?? <span class="unread">{all.noFoodOf(item.text)}</span>}</span>
      )}
      {food !== undefined && (
        <span class="with-unit part-amount">
          <NumberInput
            name={`${amountName}: ${item.text}`}
            value={typed ?? typedNumber(amount)}
            onInput={(text) => onFix({ food, amount: text })}
          />
          {unitName(unit)}
        </span>
      )}
      {food === undefined && (
        <span class="with-unit part-amount">
          <NumberInput
            name={`${energyName}: ${item.text}`}
            value={typedEnergy.value}
            onInput={(text) => {
              typedEnergy.value = text;
              const value = numberOf(text);
              onFix(value >= 0 ? { calories: kcalOf(value) } : {});
            }}
          />
          {energyUnit.value}
        </span>
      )}
      <span class="amount">{energy !== undefined && energyText(energy)}</span>
      {form !== undefined && (
        <span class="form-taken quiet note">
          {all.formTaken[form.taken]}{' '}
          <button type="button" class="link" onClick={() => onFix({ food: form.other })}>
            {all.takeInstead(form.other.name)}
          </button>
        </span>
      )}
      {state === 'unsure' && <span class="unsure">{unsure}</span>}
      {state === 'noAmount' && <span class="unread">{texts.value.noAmount}</span>}
    </div>
  );
}
