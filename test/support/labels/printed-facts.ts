/** The contents of a label: of 100 g or ml and of one serving, as rounded in print. */
export interface PrintedAmounts {
  readonly kcal: number;
  readonly kj: number;
  /** Keys in g. */
  readonly fat: number;
  readonly saturatedFat: number;
  readonly carbohydrates: number;
  readonly sugars: number;
  readonly fiber: number;
  readonly protein: number;
  readonly salt: number;
  /** Keys in mg. */
  readonly sodium: number;
  readonly cholesterol: number;
}

export interface PrintedFacts {
  readonly basis: 'g' | 'ml';
  readonly servingAmount: number;
  readonly per100: PrintedAmounts;
  readonly perServing: PrintedAmounts;
}

export type Random = () => number;

/**
 * Facts of a plausible food, with energy by 4-4-9 (and 2 for fibre); `step` is the last printed digit.
 * `random` yields 0 to 1.
 */
export function drawFacts(random: Random, step: 0.1 | 1): PrintedFacts {
  const between = (low: number, high: number) => low + (high - low) * random();
  const servingAmount = [25, 30, 40, 55, 60, 125, 150, 200, 240][Math.floor(random() * 9)]!;
  const fat = random() < 0.15 ? 0 : between(0, 32);
  const carbohydrates = between(2, 45);
  const protein = between(0.5, 20);
  const whole = {
    fat,
    saturatedFat: fat * between(0.1, 0.8),
    carbohydrates,
    sugars: carbohydrates * between(0, 0.9),
    fiber: between(0, 9),
    protein,
    salt: between(0.02, 2.4),
    cholesterol: between(0, 80),
  };
  const basis = random() < 0.2 ? 'ml' : 'g';
  return {
    basis,
    servingAmount,
    per100: print(whole, 1, step),
    perServing: print(whole, servingAmount / 100, step),
  };
}

function print(
  whole: Record<Exclude<keyof PrintedAmounts, 'kcal' | 'kj' | 'sodium'>, number>,
  share: number,
  step: number,
): PrintedAmounts {
  const rounded = (value: number) => Number((Math.round((value * share) / step) * step).toFixed(1));
  const fat = rounded(whole.fat);
  const carbohydrates = rounded(whole.carbohydrates);
  const protein = rounded(whole.protein);
  // In the United States carbohydrates include fibre; elsewhere fibre adds 2 kcal/g.
  const fiber = step === 1 ? Math.min(rounded(whole.fiber), carbohydrates) : rounded(whole.fiber);
  const kcal = 9 * fat + 4 * carbohydrates + 4 * protein + (step === 1 ? 0 : 2 * fiber);
  const energy =
    step === 1 ? Math.round(kcal / (kcal > 50 ? 10 : 5)) * (kcal > 50 ? 10 : 5) : Math.round(kcal);
  return {
    kcal: energy,
    kj: Math.round(kcal * 4.184),
    fat,
    saturatedFat: Math.min(fat, rounded(whole.saturatedFat)),
    carbohydrates,
    sugars: Math.min(carbohydrates, rounded(whole.sugars)),
    fiber,
    protein,
    salt: Number((whole.salt * share).toFixed(2)),
    sodium: Math.round((whole.salt * share * 400) / 5) * 5,
    cholesterol: Math.round((whole.cholesterol * share) / 5) * 5,
  };
}
