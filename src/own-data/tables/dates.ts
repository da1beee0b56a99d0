import { AppError } from '@larder/core/errors.ts';
import { fold } from '@larder/core/words/tokenise.ts';
import { type Day, isDay } from '../../diary/records/day.ts';
import type { DateOrder } from '../import-options.ts';

/**
 * Months in English, German, French, Spanish, Italian and Portuguese, folded; some have forms of three
 * letters, too.
 */
const MONTHS = [
  'january|januar|janner|janvier|enero|gennaio|janeiro|jan|janv|ene|gen',
  'february|februar|fevrier|febrero|febbraio|fevereiro|feb|fev|fevr',
  'march|marz|maerz|mars|marzo|marco|mar|mrz',
  'april|avril|abril|aprile|apr|avr|abr',
  'may|mai|mayo|maggio|maio|mag',
  'june|juni|juin|junio|giugno|junho|jun|giu',
  'july|juli|juillet|julio|luglio|julho|jul|juil|lug',
  'august|aout|agosto|aug|ago',
  'september|septembre|septiembre|settembre|setembro|sep|sept|set',
  'october|oktober|octobre|octubre|ottobre|outubro|oct|okt|ott|out',
  'november|novembre|noviembre|novembro|nov',
  'december|dezember|decembre|diciembre|dicembre|dezembro|dec|dez|dic',
].map((names) => new Set(names.split('|')));

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?=$|[T\s,])/;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?=$|[T\s,])/;
const CENTURY = 2000;
const MONTHS_OF_YEAR = 12;

interface NumericDate {
  readonly first: number;
  readonly second: number;
  readonly year: number;
  readonly sign: string;
}

function numericDate(text: string): NumericDate | undefined {
  const [, first, sign, second, year] = YEAR_LAST.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  return {
    first: Number(first),
    second: Number(second),
    year: year.length === 2 ? CENTURY + Number(year) : Number(year),
    sign: sign!,
  };
}

/**
 * Determines the order of day and month in all dates of a file, from the unambiguous ones. Dates with points
 * have the day first in all languages that use them. Undefined if no date needs it. Throws `invalid_request`
 * if the order is ambiguous.
 */
export function dateOrderOf(cells: Iterable<string>, stated?: DateOrder): DateOrder | undefined {
  if (stated !== undefined) return stated;
  let dayFirst: string | undefined;
  let monthFirst: string | undefined;
  let unsure: string | undefined;
  for (const cell of cells) {
    const date = numericDate(cell);
    if (date === undefined || date.first === date.second) continue;
    if (date.sign === '.' || date.first > MONTHS_OF_YEAR) dayFirst ??= cell.trim();
    else if (date.second > MONTHS_OF_YEAR) monthFirst ??= cell.trim();
    else unsure ??= cell.trim();
  }
  if (dayFirst !== undefined && monthFirst !== undefined) {
    throw undecided(`The dates ${dayFirst} and ${monthFirst} of this file contradict each other`);
  }
  if (dayFirst !== undefined) return 'day-first';
  if (monthFirst !== undefined) return 'month-first';
  if (unsure === undefined) return undefined;
  throw undecided(`All dates of this file, such as ${unsure}, can be read in two ways`);
}

/** The date of a cell, with or without a time; undefined for any other text. */
export function readDate(cell: string, order: DateOrder | undefined): Day | undefined {
  const text = cell.trim();
  const [, year, month, day] = YEAR_FIRST.exec(text) ?? [];
  if (year !== undefined) return dayOf(Number(year), Number(month), Number(day));
  const date = numericDate(text);
  if (date === undefined) return wordedDate(text);
  const isDayFirst = order !== 'month-first';
  return dayOf(date.year, isDayFirst ? date.second : date.first, isDayFirst ? date.first : date.second);
}

/** "Tuesday, May 1, 2018", "1. Mai 2018", "May 01, 2018", "1 de mayo de 2018". */
function wordedDate(text: string): Day | undefined {
  const words = fold(text).match(/\p{L}+|\d+/gu) ?? [];
  const months = words.flatMap((word) => {
    const at = MONTHS.findIndex((names) => names.has(word));
    return at === -1 ? [] : [at + 1];
  });
  const numbers = words.filter((word) => /^\d+$/.test(word));
  const years = numbers.filter((word) => word.length === 4);
  const days = numbers.filter((word) => word.length <= 2);
  // "mar" is a Spanish Tuesday and a month: the last one is the month.
  const month = months.at(-1);
  if (month === undefined || years.length !== 1 || days.length !== 1) return undefined;
  return dayOf(Number(years[0]), month, Number(days[0]));
}

function dayOf(year: number, month: number, day: number): Day | undefined {
  const two = (value: number) => String(value).padStart(2, '0');
  const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  return isDay(text) ? text : undefined;
}

const TIME = /(?:^|[T\s])(\d{1,2})[:.h](\d{2})(?:[:.]\d{2}(?:\.\d+)?)?\s*([ap])?\.?m?\.?\s*$/i;
const HOURS_OF_HALF_DAY = 12;

/** The time of day of a cell as "HH:MM"; undefined for any other text. */
export function readTimeOfDay(cell: string): string | undefined {
  const [, hours, minutes, half] = TIME.exec(cell.trim().replace(/\s+/gu, ' ')) ?? [];
  if (minutes === undefined) return undefined;
  let hour = Number(hours);
  if (half !== undefined) {
    if (hour < 1 || hour > HOURS_OF_HALF_DAY) return undefined;
    hour = (hour % HOURS_OF_HALF_DAY) + (half.toLowerCase() === 'p' ? HOURS_OF_HALF_DAY : 0);
  }
  if (hour > 23 || Number(minutes) > 59) return undefined;
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}

function undecided(reason: string): AppError {
  return new AppError({
    code: 'invalid_request',
    message: `${reason}; state "dateOrder": day-first for 31/01/2026, month-first for 01/31/2026 (--date-order).`,
    details: { fields: ['dateOrder'] },
  });
}
