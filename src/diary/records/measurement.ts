import { hasAtMost, isWellFormedText } from '../../base/texts.ts';
import type { Day } from './day.ts';
import { parseMoment } from './day.ts';
import { invalidField } from './invalid-field.ts';

/** Units of masses, lengths, shares, pressure, pulse, blood sugar, temperature, energy, durations, volumes. */
export const MEASUREMENT_UNITS = [
  ...['kg', 'g', 'lb', 'st'],
  ...['cm', 'mm', 'm', 'in', 'ft'],
  ...['%', 'mmHg', 'bpm', 'mmol/L', 'mg/dL', '°C', '°F', 'kcal', 'kJ'],
  ...['min', 'h', 'ml', 'l'],
] as const;
export type MeasurementUnit = (typeof MEASUREMENT_UNITS)[number];

export const MAX_MEASUREMENT_NAME = 64;
export const MAX_MEASURED = 1_000_000;
/** Maximum measurements of a user: nine a day for fifteen years, most of them glasses of water. */
export const MAX_MEASUREMENTS_PER_USER = 50_000;

/** A value that a user measured, such as the weight of a morning. Values are never converted. */
export interface Measurement {
  readonly id: string;
  readonly version: number;
  /** Name of the series that the value belongs to, such as `weight`. */
  readonly name: string;
  /** A double, which preserves up to 15 digits. */
  readonly value: number;
  readonly unit: MeasurementUnit;
  /** With its offset, as sent; its date is the day of the measurement. */
  readonly measuredAt: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The position of a measurement among those of a user, which are ordered by day, then by time. */
export interface MeasurementPosition {
  readonly date: Day;
  readonly atMs: number;
  readonly id: string;
}

export function positionOfMeasurement({ id, measuredAt }: Measurement): MeasurementPosition {
  return { date: measuredAt.slice(0, 10) as Day, atMs: Date.parse(measuredAt), id };
}

export function parseMeasurementName(text: string): string {
  const name = text.trim();
  if (name !== '' && hasAtMost(name, MAX_MEASUREMENT_NAME) && isWellFormedText(name) && !/\p{Cc}/u.test(name))
    return name;
  throw invalidField('name', `"name" must be one line of 1 to ${MAX_MEASUREMENT_NAME} characters.`);
}

export function parseMeasured(value: number): number {
  if (value >= 0 && value <= MAX_MEASURED) return value;
  throw invalidField('value', `"value" must be a number from 0 to ${MAX_MEASURED}.`, { max: MAX_MEASURED });
}

export function parseMeasurementTime(text: string): string {
  return parseMoment(text, 'measuredAt');
}
