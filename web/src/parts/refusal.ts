import { language, numbers, texts } from '../texts/texts.ts';

interface Refused {
  readonly code: string;
  readonly message: string;
  readonly details?: object | undefined;
}

/** Says in the language of the page why the service refused a request. */
export function refusalText(error: Refused): string {
  const told = refusalOf(error) ?? texts.value.problems.other;
  // The service writes English alone.
  return language.value === 'en' ? `${told} ${error.message}` : told;
}

/** Which fields the service refused, and what they may have at most, as far as its details say it. */
function refusalOf({ code, details }: Refused): string | undefined {
  const { problems } = texts.value;
  const { fields, parameter, max, limit, weakness } = (details ?? {}) as RefusalDetails;
  if (weakness !== undefined) return problems.weakPassword;
  if (code === 'quota_exceeded' && limit !== undefined) return problems.full(numbers.value.whole(limit));
  if (!code.startsWith('invalid_')) return undefined;
  const whose = fields ?? (parameter === undefined ? [] : [parameter]);
  const names = [...new Set(whose.map(fieldName))].join(', ');
  if (names === '') return undefined;
  const most = max ?? limit;
  return most === undefined ? problems.refused(names) : problems.atMost(names, numbers.value.whole(most));
}

interface RefusalDetails {
  readonly fields?: readonly string[];
  readonly parameter?: string;
  readonly max?: number;
  readonly limit?: number;
  readonly weakness?: string;
}

/** Returns the page's word for a field such as `macros.protein`; its own name if the page does not show the field. */
function fieldName(path: string): string {
  const all = texts.value;
  const form: typeof all.foodForm | undefined = all.foodForm;
  const key = path.match(/[a-z]\w*/gi)?.at(-1) ?? path;
  const names: Readonly<Record<string, string>> = {
    ...all.nutrientNames,
    ...{ name: all.name, energy: all.energy, calories: all.energy, carbs: all.carbs },
    ...{ quantity: all.amount, value: all.amount, unit: all.unit },
    // Only the form of a food sends these, which is loaded with its texts.
    ...(form && { brand: form.brand, barcode: form.barcode, servingSize: form.serving, grams: form.weighs }),
  };
  return names[key] ?? key;
}
