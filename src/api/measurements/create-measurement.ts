import type { MeasurementBook } from '../../diary/measurement-book.ts';
import { ownerOf } from '../acting-user.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { DIARY_TAG, diaryWrite, userParams } from '../diary/diary-docs.ts';
import { operation } from '../operation.ts';
import { WHAT_KNOWN_IDS_ANSWER } from '../text-schemas.ts';
import {
  EXAMPLE_MEASUREMENT,
  EXAMPLE_NEW_MEASUREMENT,
  measurementOutcome,
  measurementSchema,
  newMeasurementSchema,
} from './measurement-json.ts';

export const createMeasurement = operation({
  method: 'POST',
  path: '/v1/users/:userId/measurements',
  id: 'createMeasurement',
  tag: DIARY_TAG,
  summary: 'Add a measurement',
  description: 'Weight, or whatever else a user measures.',
  access: diaryWrite,
  counts: 'diaryWrite',
  params: userParams,
  body: { schema: newMeasurementSchema, example: EXAMPLE_NEW_MEASUREMENT, limit: BODY_LIMITS.fields },
  answer: {
    status: 201,
    known: WHAT_KNOWN_IDS_ANSWER,
    description: 'The measurement, with Location and ETag.',
    headers: ['ETag', 'Location'],
    schema: measurementSchema,
    example: EXAMPLE_MEASUREMENT,
  },
  errors: ['deleted'],
  handle: async (request, { measurements }: { measurements: MeasurementBook }) => {
    const owner = ownerOf(request);
    const { measurement, isNew } = await measurements.create(owner, request.body, request.ids);
    return {
      ...measurementOutcome(measurement, owner.userId),
      created: measurement.id,
      status: isNew ? undefined : 200,
    };
  },
});
