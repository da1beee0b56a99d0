import '../styles/forms.css';
import { useSignal } from '@preact/signals';
import type { Food, FoodInput, FoodWarning } from 'larder-client';
import { useRef } from 'preact/hooks';
import { unitName } from '../amounts/amount-text.ts';
import { refusedWrite } from '../offline/queue/write-one.ts';
import type { Shown } from '../offline/queue/writes.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { useDraft } from '../parts/draft.ts';
import { energyOf, energyUnit } from '../parts/measures.ts';
import { NumberField } from '../parts/number-field.tsx';
import { FOOD_NUTRIENTS, type FoodNutrient, FURTHER, MACROS } from '../parts/nutrients.ts';
import { openForInvalid } from '../parts/open-for-invalid.ts';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { trimField } from '../parts/trim-field.ts';
import { texts } from '../texts/texts.ts';
import { fieldsOf, inputOf, MAX_SERVING, onBasis } from './food-fields.ts';
import { isTooHeavy, maxEnergyOf, maxMassOf } from './food-mass.ts';
import { writeFood } from './own-foods.ts';
import { type FoodFields, HOUSEHOLD_UNITS, MEASURED_UNITS, needsWeight } from './typed-food.ts';

interface FoodFormProps {
  /** What is known of a new food, such as from the photo of a label. */
  readonly initial?: Partial<FoodInput>;
  /** The own food that is changed. */
  readonly food?: Shown<Food>;
  readonly onSaved: (food: Food) => void;
}

/** Writes an own food. What looks wrong is said once it is saved, and can be corrected. */
export function FoodForm({ initial, food, onSaved }: FoodFormProps) {
  const saved = useRef(food);
  // What the service refused goes on from where it was.
  const start = food && ((refusedWrite('food', food.id)?.preview as Food | undefined) ?? food);
  const { current: opened } = useRef(start ?? initial);
  const known = fieldsOf(opened ?? {});
  const name = food === undefined ? 'foods/new' : `foods/${food.id}`;
  const draft = useDraft(name, known, initial !== undefined);
  const problem = useSignal('');
  const isWriting = useSignal(false);
  const warnings = useSignal<readonly FoodWarning[]>([]);
  const { foodForm: all, keptForm, startAnew, save, done } = texts.value;
  const { values, set } = draft;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    isWriting.value = true;
    try {
      const written = await writeFood(inputOf(values, opened), saved.current);
      saved.current = written;
      problem.value = '';
      warnings.value = written.warnings ?? [];
      draft.clear();
      if (warnings.peek().length === 0) onSaved(written);
    } catch (error) {
      problem.value = problemOf(error);
    }
    isWriting.value = false;
  };
  return (
    <form class="form" aria-label={food === undefined ? all.newFood : food.name} onSubmit={submit}>
      {draft.wasKept && (
        <p class="quiet">
          {keptForm}{' '}
          <button type="button" class="link" onClick={draft.startAnew}>
            {startAnew}
          </button>
        </p>
      )}
      <TextField label={all.name} value={values.name} onInput={(text) => set({ name: text })} isRequired />
      <div class="fields">
        <TextField label={all.brand} value={values.brand} onInput={(text) => set({ brand: text })} />
        <TextField
          label={all.barcode}
          value={values.barcode}
          onInput={(text) => set({ barcode: text })}
          isNumeric
        />
      </div>
      <ServingFields values={values} set={set} />
      <Amounts values={values} set={set} />
      <label class="check">
        <input
          type="checkbox"
          checked={values.isShared}
          onChange={({ currentTarget: { checked } }) => set({ isShared: checked })}
        />
        {all.share}
      </label>
      {warnings.value.length > 0 && (
        <div class="warnings" role="alert">
          <p>{all.savedWithWarnings}</p>
          <ul>
            {warnings.value.map(({ code, field }) => (
              <li key={`${code} ${field}`}>{all.warnings[code]}</li>
            ))}
          </ul>
          <button type="button" onClick={() => onSaved(saved.current!)}>
            {done}
          </button>
        </div>
      )}
      <Problem text={problem.value} />
      <BusyButton type="submit" class="primary" isBusy={isWriting.value}>
        {save}
      </BusyButton>
    </form>
  );
}

interface FieldsProps {
  readonly values: FoodFields;
  readonly set: (change: Partial<FoodFields>) => void;
}

/** Energy is enough; what stays empty is unknown. */
function Amounts({ values, set }: FieldsProps) {
  const { foodForm: all, energy, nutrientNames } = texts.value;
  const maxMass = maxMassOf(values);
  const maxEnergy = maxEnergyOf(values);
  const field = (key: FoodNutrient) => (
    <NumberField
      key={key}
      label={nutrientNames[key]}
      unit={FOOD_NUTRIENTS[key]}
      max={FOOD_NUTRIENTS[key] === 'g' ? maxMass : undefined}
      problem={key === 'protein' && isTooHeavy(values) ? all.tooHeavy : undefined}
      value={values.nutrients[key] ?? ''}
      onInput={(text) => set({ nutrients: { ...values.nutrients, [key]: text } })}
    />
  );
  const hasFurther = FURTHER.some((key) => (values.nutrients[key] ?? '') !== '');
  return (
    <fieldset>
      <legend>{all.amounts}</legend>
      <div class="fields">
        <NumberField
          label={energy}
          unit={energyUnit.value}
          max={maxEnergy && Math.floor(energyOf(maxEnergy))}
          value={values.energy}
          onInput={(text) => set({ energy: text })}
          isRequired
        />
        {MACROS.map(field)}
      </div>
      <details open={hasFurther} onInvalidCapture={openForInvalid}>
        <summary>{all.further}</summary>
        <p class="quiet note">{all.salt}</p>
        <div class="fields">{FURTHER.map(field)}</div>
      </details>
      <p class="quiet note">{all.emptyIsUnknown}</p>
    </fieldset>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly isRequired?: boolean;
  readonly isNumeric?: boolean;
}

function TextField({ label, value, onInput, isRequired = false, isNumeric = false }: TextFieldProps) {
  return (
    <label>
      {label}
      <input
        value={value}
        required={isRequired}
        maxLength={isNumeric ? 100 : 200}
        inputMode={isNumeric ? 'numeric' : 'text'}
        autocomplete="off"
        onInput={({ currentTarget: { value: text } }) => onInput(text)}
        onChange={(event) => {
          trimField(event);
          onInput(event.currentTarget.value);
        }}
      />
    </label>
  );
}

/** The label of a serving has its weight beside the name. */
const MAX_SERVING_NAME = 60;

interface ServingFieldsProps {
  readonly values: FoodFields;
  readonly set: (change: Partial<FoodFields>) => void;
}

/** What the amounts are of, and how large a serving is. */
function ServingFields({ values, set }: ServingFieldsProps) {
  const { foodForm: all, unit } = texts.value;
  const isServing = values.per === 'serving';
  const isNamed = isServing ? values.unit === 'g' || values.unit === 'ml' : values.quantity !== '';
  const units: string[] = [...MEASURED_UNITS, ...HOUSEHOLD_UNITS];
  if (!units.includes(values.unit)) units.push(values.unit);
  return (
    <fieldset>
      <legend>{all.serving}</legend>
      <div class="fields">
        <label>
          {all.per}
          <select
            value={values.per}
            onChange={({ currentTarget: { value } }) => set(onBasis(values, value as FoodFields['per']))}
          >
            {(['100g', '100ml', 'serving'] as const).map((each) => (
              <option key={each} value={each}>
                {all.bases[each]}
              </option>
            ))}
          </select>
        </label>
        <NumberField
          label={isServing ? all.servingIs : all.servingSize}
          {...(!isServing && { unit: values.per === '100ml' ? 'ml' : 'g' })}
          value={values.quantity}
          onInput={(text) => set({ quantity: text })}
          isRequired={isServing}
          isPositive
          max={MAX_SERVING}
        />
        {isServing && (
          <label>
            {unit}
            <select
              value={values.unit}
              onChange={({ currentTarget: { value } }) => set({ unit: value, servingName: '' })}
            >
              {units.map((each) => (
                <option key={each} value={each}>
                  {unitName(each)}
                </option>
              ))}
            </select>
          </label>
        )}
        {needsWeight(values) && (
          <NumberField
            label={all.weighs}
            unit="g"
            value={values.grams}
            onInput={(text) => set({ grams: text })}
            isRequired
            isPositive
            max={MAX_SERVING}
          />
        )}
        {isNamed && (
          <label>
            {all.servingName}
            <input
              value={values.servingName}
              maxLength={MAX_SERVING_NAME}
              placeholder={all.servingNameHint}
              autocomplete="off"
              onInput={({ currentTarget: { value } }) => set({ servingName: value })}
            />
          </label>
        )}
      </div>
    </fieldset>
  );
}
