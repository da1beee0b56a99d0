import type { Food } from '@larder/core/food.ts';
import type { UnitName } from '../../units.ts';
import type { FoodsToRead } from '../caching-finder.ts';
import type { MealItem } from '../meal-item.ts';
import type { TextContext } from '../structure/context.ts';
import type { AssumedForm, FoodCandidate } from './confidence.ts';
import { rankOf } from './features.ts';
import RAW_FOODS from './raw-foods.json' with { type: 'json' };

const toId = (key: string) => `starter:${key}`;
const FORMS = Object.entries(RAW_FOODS).flatMap(([form, pairs]) =>
  Object.entries(pairs).map(
    ([asEaten, raw]) => [toId(asEaten), { form: form as AssumedForm['form'], raw: toId(raw) }] as const,
  ),
);
const RAW_OF = new Map(FORMS);
/** If several foods as eaten have one raw food, the first one in the table counts. */
const FORM_OF = new Map<string, AssumedForm>(
  FORMS.toReversed().map(([asEaten, { form, raw }]) => [raw, { form, asEaten }]),
);

/** Units of which a food is eaten: "a bowl of rice". */
const OF_EATEN: ReadonlySet<UnitName> = new Set<UnitName>(['bowl', 'plate', 'serving', 'order', 'bite']);
/** Words of pulses out of a can: "400 g chickpeas, rinsed and drained". Lentils are rinsed before they are cooked. */
const DRAINED = /^(?:drain|abgetropf|egoutt|escurr|sgocciol|scolat|escorr)/;
const SOAKED = /^(?:soak|eingeweich|tremp|remoj|ammoll|demolh)/;
/** Fit of a name that is the text, from which on it names the form, too. */
const WHOLE_NAME = 0.98;
const OUT_OF_CANS = /bean|chickpea|peas$/;

/** Whether a line means a food as it is eaten: by its unit, or out of a can. */
function meansEaten({ id }: Food, { amount, remarks }: MealItem): boolean {
  if (amount?.unit !== undefined && OF_EATEN.has(amount.unit)) return true;
  const said = remarks?.stems ?? [];
  const isDrained = said.some((stem) => DRAINED.test(stem)) && !said.some((stem) => SOAKED.test(stem));
  return isDrained && OUT_OF_CANS.test(id);
}

/** Whether a meal does not mean this form, unless the form has a name of its own: "oats" are dry, carrots may be raw. */
function isUnusual({ features: { unusualState = 0, wholeFit = 0 } }: FoodCandidate): boolean {
  return unusualState > 0 && wholeFit < WHOLE_NAME;
}

export interface FormsToChoose {
  readonly item: MealItem;
  /** A recipe means foods raw or dry; a meal as they are eaten. */
  readonly context: TextContext;
  /** The state that the text names, such as "60 g, raw"; it overrides the usual one. */
  readonly stated: 'raw' | 'eaten' | undefined;
  readonly weigh: (food: Food) => FoodCandidate['amount'];
  readonly finder: FoodsToRead;
}

/**
 * The candidates, best first, with the form of the best food that the text states, or that its context means, before its
 * other form. In a recipe without a stated one the first one tells what was assumed.
 */
export function withMeantForm(
  candidates: readonly FoodCandidate[],
  { item, context, stated, weigh, finder }: FormsToChoose,
): readonly FoodCandidate[] {
  const [best] = candidates;
  const rawId = best && (RAW_OF.get(best.food.id)?.raw ?? best.food.id);
  const form = rawId === undefined ? undefined : FORM_OF.get(rawId);
  if (best === undefined || form === undefined) return candidates;
  const isOpposed =
    stated === undefined
      ? context !== 'meal' || isUnusual(best)
      : best.features.otherState! > 0 && best.features.exact !== 1;
  if (!isOpposed) return candidates;
  const find = (id: string): Pick<FoodCandidate, 'food' | 'amount'> | undefined => {
    const known = candidates.find((each) => each.food.id === id);
    const food = known?.food ?? finder.findById?.(id);
    return known ?? (food && { food, amount: weigh(food) });
  };
  const raw = find(rawId!);
  const eaten = find(rawId === best.food.id ? form.asEaten : best.food.id);
  if (raw === undefined || eaten === undefined) return candidates;
  const isEaten =
    stated === undefined ? context === 'meal' || meansEaten(eaten.food, item) : stated === 'eaten';
  const [meant, other] = isEaten ? [eaten, raw] : [raw, eaten];
  const assumed = isEaten || stated !== undefined ? {} : { assumedForm: { ...form, asEaten: eaten.food.id } };
  return [
    { ...best, ...meant, ...withState(best, true), ...assumed },
    { ...best, ...other, ...withState(best, false) },
    ...candidates.filter(({ food: { id } }) => id !== raw.food.id && id !== eaten.food.id),
  ];
}

function withState(
  { features: { saidState: _, ...features } }: FoodCandidate,
  isMeant: boolean,
): Pick<FoodCandidate, 'features' | 'value'> {
  const unmeant = Number(!isMeant);
  const stated = { ...features, otherState: unmeant, unusualState: unmeant };
  return { features: stated, value: rankOf(stated) };
}
