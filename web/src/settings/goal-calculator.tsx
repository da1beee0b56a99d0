import { useSignal } from '@preact/signals';
import { numberOf, typedNumber } from '../amounts/typed-number.ts';
import { today } from '../days.ts';
import { MACRO_KEYS } from '../parts/macro-energy.ts';
import { bodyUnit, energyOf, energyText, energyUnit, inBodyUnit } from '../parts/measures.ts';
import { NumberField } from '../parts/number-field.tsx';
import { setTo } from '../parts/signals.ts';
import { preferences } from '../preferences.ts';
import { locale, numbers, texts } from '../texts/texts.ts';
import { Choice } from './display-card.tsx';
import {
  ACTIVITIES,
  type Activity,
  AIMS,
  type Aim,
  type Body,
  PROPOSED_PERCENT,
  type Proposal,
  proposalOf,
} from './energy-needs.ts';
import type { Fields } from './goal-fields.tsx';
import { gramTexts } from './goal-percents.ts';

const CM_PER_INCH = 2.54;
const INCHES_PER_FOOT = 12;
const [MIN_AGE, MAX_AGE] = [18, 100];

export interface Calculated {
  readonly fields: Fields;
  /** What it was computed from. */
  readonly body: Body;
}

interface GoalCalculatorProps {
  readonly body?: Partial<Body> | undefined;
  readonly onUse: (calculated: Calculated) => void;
}

/** Proposes goals by a known formula, which it shows with the numbers in it. Nothing is set before it is taken over. */
export function GoalCalculator({ body = {}, onUse }: GoalCalculatorProps) {
  const { goalCalculator: all } = texts.value;
  const isUs = preferences.value.units === 'us';
  const year = Number(today().slice(0, 4));
  const sex = useSignal(body.sex ?? 'female');
  const birthYear = useSignal(body.birthYear === undefined ? '' : String(body.birthYear));
  const height = useSignal(heightTexts(body.heightCm, isUs));
  const weight = useSignal('');
  const activity = useSignal<Activity>(body.activity ?? 'light');
  const aim = useSignal<Aim>('same');
  const heightCm = cmOf(height.value, isUs);
  const weightKg = numberOf(weight.value) / inBodyUnit(1, 'kg');
  const age = year - numberOf(birthYear.value);
  const isComplete = heightCm > 0 && weightKg > 0 && age >= MIN_AGE && age <= MAX_AGE;
  const stated: Body = {
    sex: sex.value,
    birthYear: numberOf(birthYear.value),
    heightCm,
    activity: activity.value,
  };
  const proposal = isComplete ? proposalOf(stated, weightKg, aim.value, year) : undefined;
  return (
    <div class="form calculator">
      <div class="fields">
        <Choice
          label={all.sex}
          value={sex.value}
          options={(['female', 'male'] as const).map((each) => [each, all.sexes[each]])}
          onChoose={(value) => setTo(sex, value as Body['sex'])}
        />
        <NumberField
          label={all.birthYear}
          min={year - MAX_AGE}
          max={year - MIN_AGE}
          value={birthYear.value}
          onInput={(text) => setTo(birthYear, text)}
        />
        {height.value.map((text, at) => (
          <NumberField
            key={String(at)}
            label={at === 0 ? all.height : all.heightInches}
            unit={isUs ? ['ft', 'in'][at]! : 'cm'}
            value={text}
            onInput={(typed) => setTo(height, height.peek().with(at, typed))}
          />
        ))}
        <NumberField
          label={all.weight}
          unit={bodyUnit.value}
          value={weight.value}
          onInput={(text) => setTo(weight, text)}
        />
      </div>
      <Choice
        label={all.activity}
        value={activity.value}
        options={(Object.keys(ACTIVITIES) as Activity[]).map((each) => [each, all.activities[each]])}
        onChoose={(value) => setTo(activity, value as Activity)}
      />
      <Choice
        label={all.aim}
        value={aim.value}
        options={(Object.keys(AIMS) as Aim[]).map((each) => [each, all.aims[each]])}
        onChoose={(value) => setTo(aim, value as Aim)}
      />
      {proposal === undefined ? (
        <p class="quiet note">{all.incomplete(String(MIN_AGE))}</p>
      ) : (
        <>
          <p class="formula" role="status">
            {formulaOf(stated, weightKg, age, proposal)}
            <br />
            {all.need(factorText(ACTIVITIES[activity.value]), energyText(proposal.needKcal))}
            {aim.value !== 'same' && (
              <>
                <br />
                {all.aimed(factorText(AIMS[aim.value]), energyText(proposal.goalKcal))}
              </>
            )}
          </p>
          <button
            type="button"
            class="primary"
            onClick={() => onUse({ fields: fieldsOfProposal(proposal), body: stated })}
          >
            {all.use(energyText(proposal.goalKcal))}
          </button>
        </>
      )}
      <p class="quiet note">{all.source}</p>
    </div>
  );
}

/** `10 × 80 kg + 6.25 × 180 cm − 5 × 40 years + 5 = 1,730 kcal at rest` */
function formulaOf(
  { sex, heightCm }: Body,
  weightKg: number,
  age: number,
  { restingKcal }: Proposal,
): string {
  const { precise, whole } = numbers.value;
  const constant = sex === 'male' ? '+ 5' : '− 161';
  const parts = `10 × ${precise(Math.round(weightKg * 10) / 10)} kg + ${precise(6.25)} × ${precise(Math.round(heightCm))} cm − 5 × ${age} ${constant}`;
  return texts.value.goalCalculator.rest(parts, `${whole(restingKcal)} kcal`);
}

function factorText(factor: number): string {
  return new Intl.NumberFormat(locale.value, { maximumFractionDigits: 3 }).format(factor);
}

function fieldsOfProposal({ goalKcal }: Proposal): Fields {
  const percents = Object.fromEntries(MACRO_KEYS.map((key) => [key, String(PROPOSED_PERCENT[key])]));
  return {
    calories: String(energyUnit.value === 'kJ' ? Math.round(energyOf(goalKcal)) : goalKcal),
    ...gramTexts(percents, goalKcal),
    percents,
  };
}

/** Centimeters, or feet and inches. */
function heightTexts(cm: number | undefined, isUs: boolean): readonly string[] {
  if (cm === undefined) return isUs ? ['', ''] : [''];
  if (!isUs) return [typedNumber(cm)];
  const inches = Math.round(cm / CM_PER_INCH);
  return [String(Math.floor(inches / INCHES_PER_FOOT)), String(inches % INCHES_PER_FOOT)];
}

function cmOf([first = '', inches = '']: readonly string[], isUs: boolean): number {
  if (!isUs) return numberOf(first);
  return (numberOf(first) * INCHES_PER_FOOT + (numberOf(inches) || 0)) * CM_PER_INCH;
}
