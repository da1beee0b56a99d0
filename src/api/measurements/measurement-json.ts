import { z } from 'zod';
import type { MeasurementChange, MeasurementInput } from '../../diary/measurement-book.ts';
import {
  MAX_MEASURED,
  MAX_MEASUREMENT_NAME,
  MEASUREMENT_UNITS,
  type Measurement,
} from '../../diary/records/measurement.ts';
import { userParams } from '../diary/diary-docs.ts';
import { isoTime, recordVersion, withoutReadOnly } from '../fields.ts';
import type { Outcome } from '../operation.ts';
import { chosenId, line, momentText } from '../text-schemas.ts';

export const measurementParams = userParams.extend({ measurementId: z.string() });

export const measurementName = line(MAX_MEASUREMENT_NAME).describe(
  'What was measured; values of one name are one series.',
);
const fields = {
  name: measurementName,
  value: z.number().min(0).max(MAX_MEASURED).describe('In `unit`, to which nothing converts it.'),
  unit: z.enum(MEASUREMENT_UNITS),
  measuredAt: momentText.describe(
    'With the offset of the clock where it was measured, whose date is its day.',
  ),
};

export const READ_ONLY = ['id', 'version', 'userId', 'createdAt', 'updatedAt'];
const SENT_BACK = 'A measurement can be sent back as it was read.';

export const newMeasurementSchema = withoutReadOnly(
  z.strictObject({ id: chosenId.optional(), ...fields, measuredAt: fields.measuredAt.optional() }).meta({
    id: 'MeasurementInput',
    description: `${SENT_BACK} Without \`measuredAt\` it is of now, in UTC.`,
  }),
  READ_ONLY.filter((field) => field !== 'id'),
) as z.ZodType<MeasurementInput>;

export const measurementChangeSchema = withoutReadOnly(
  z.strictObject(fields).partial().meta({ id: 'MeasurementPatch', description: SENT_BACK }),
  READ_ONLY,
) as z.ZodType<MeasurementChange>;

/** Describes `measurementObject`. */
export const measurementSchema = z
  .object({
    id: z.string(),
    version: recordVersion,
    userId: z.string(),
    ...fields,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Measurement' });

export const EXAMPLE_NEW_MEASUREMENT = {
  name: 'weight',
  value: 72.4,
  unit: 'kg',
  measuredAt: '2026-01-31T07:00:00+01:00',
};
export const EXAMPLE_MEASUREMENT = {
  id: '01KG9V4N00000000000000MEAS',
  version: 1,
  userId: 'user-1',
  ...EXAMPLE_NEW_MEASUREMENT,
  createdAt: '2026-01-31T06:00:12.000Z',
  updatedAt: '2026-01-31T06:00:12.000Z',
};

/** The measurement, with the version that its ETag names. */
export function measurementOutcome(measurement: Measurement, userId: string): Outcome {
  return { value: measurementObject(measurement, userId), version: measurement.version };
}

/** A measurement as in responses. */
export function measurementObject(measurement: Measurement, userId: string) {
  const { id, version, name, value, unit, measuredAt, createdAt, updatedAt } = measurement;
  return {
    ...{ id, version, userId, name, value, unit, measuredAt },
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}
