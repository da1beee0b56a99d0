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
  measuredAt: z.string(),
  createdAt: time,
  updatedAt: time,
});

export function toMeasurementRecord({ createdAt, updatedAt, ...measurement }: Measurement): object {
  const { id, version: changes, name, value, unit, measuredAt } = measurement;
  return {
    ...{ id, version: changes, name, value, unit, measuredAt },
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

/** Throws `invalid_request` that names the field. */
export function readMeasurementRecord(value: unknown): Measurement {
  const { name, measuredAt, ...fields } = readRecord(measurementSchema, withMeasuredAt(value));
  return { ...fields, name: parseMeasurementName(name), measuredAt: parseMeasurementTime(measuredAt) };
}

/** Files of versions before 1.0.0 name the field `time`. */
function withMeasuredAt(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('time' in value) || 'measuredAt' in value)
    return value;
  const { time: measuredAt, ...others } = value;
  return { ...others, measuredAt };
}
