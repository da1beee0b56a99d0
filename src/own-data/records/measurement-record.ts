import { z } from 'zod';
import {
  MAX_MEASURED,
  MEASUREMENT_UNITS,
  type Measurement,
  parseMeasurementName,
  parseMeasurementTime,
} from '../../diary/records/measurement.ts';
import { readRecord, recordId, time, version } from './record-fields.ts';

const measurementSchema = z.strictObject({
  id: recordId,
  version,
  name: z.string(),
  value: z.number().min(0).max(MAX_MEASURED),
  unit: z.enum(MEASUREMENT_UNITS),
  time: z.string(),
  createdAt: time,
  updatedAt: time,
});

export function toMeasurementRecord({ createdAt, updatedAt, ...measurement }: Measurement): object {
  const { id, version: changes, name, value, unit, time: at } = measurement;
  return {
    ...{ id, version: changes, name, value, unit, time: at },
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

/** Throws `invalid_request` that names the field. */
export function readMeasurementRecord(value: unknown): Measurement {
  const { name, time: at, ...fields } = readRecord(measurementSchema, value);
  return { ...fields, name: parseMeasurementName(name), time: parseMeasurementTime(at) };
}
