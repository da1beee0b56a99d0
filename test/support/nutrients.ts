import { MAIN_AMOUNTS, NUTRIENT_OF } from '../../src/diary/records/entry.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Amounts as the API answers them: with `nutrients`, in which what is unknown is absent. */
export function answered<Of extends Fields>(fields: Of): Of & { readonly nutrients: Fields } {
  const { nutrients, unknown = [] } = fields as { readonly nutrients?: Fields; readonly unknown?: string[] };
  const known = MAIN_AMOUNTS.filter(
    (key) => fields[key] !== undefined && !(fields[key] === 0 && unknown.includes(key)),
  );
  return {
    ...fields,
    nutrients: { ...Object.fromEntries(known.map((key) => [NUTRIENT_OF[key], fields[key]])), ...nutrients },
  };
}

/** Goals as the API answers them, those of weekdays included. */
export function answeredGoals<Of extends Fields>({ weekdays, ...goals }: Of) {
  const ofWeekdays = Object.entries((weekdays ?? {}) as Record<string, Fields>);
  return {
    ...answered(goals),
    ...(weekdays !== undefined && {
      weekdays: Object.fromEntries(ofWeekdays.map(([day, each]) => [day, answered(each)])),
    }),
  };
}
