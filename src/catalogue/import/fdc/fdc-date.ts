/** Unix seconds of `2024-10-31` (CSV) or `4/1/2019` (JSON), midnight UTC; undefined for anything else. */
export function parseFdcDate(text: string): number | undefined {
  const iso = /^(\d{4})-(\d{2})-(\d{2})/.exec(text);
  if (iso !== null) return secondsOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  if (american === null) return undefined;
  return secondsOf(Number(american[3]), Number(american[1]), Number(american[2]));
}

function secondsOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1970;
  return isReal ? date.getTime() / 1000 : undefined;
}
