import type { MeasurementBook } from '../../diary/measurement-book.ts';
import { ownerOf } from '../acting-user.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { DIARY_TAG, diaryWrite } from '../diary/diary-docs.ts';
import { applyChange, ifMatch } from '../etag.ts';
import { operation } from '../operation.ts';
import {
  EXAMPLE_MEASUREMENT,
  measurementChangeSchema,
  measurementObject,
  measurementOutcome,
  measurementParams,
  measurementSchema,
  READ_ONLY,
} from './measurement-json.ts';

export const changeMeasurement = operation({
  method: 'PATCH',
  path: '/v1/users/:userId/measurements/:measurementId',
  id: 'changeMeasurement',
  tag: DIARY_TAG,
  summary: 'Change a measurement',
  description: 'Send only the fields that change.',
  access: diaryWrite,
  counts: 'diaryWrite',
  params: measurementParams,
  headers: ifMatch,
  body: { schema: measurementChangeSchema, example: { value: 72.6 }, limit: BODY_LIMITS.fields },
  answer: {
    description: 'The measurement as it is now, with its ETag.',
    headers: ['ETag'],
    schema: measurementSchema,
    example: EXAMPLE_MEASUREMENT,
  },
  errors: ['measurement_not_found', 'version_conflict'],
  handle: async (request, { measurements }: { measurements: MeasurementBook }) => {
    const owner = ownerOf(request);
    const { params, body, headers } = request;
    const changed = await applyChange(request, {
      readOnly: READ_ONLY,
      readCurrent: async () =>
        measurementObject(await measurements.get(owner, params.measurementId), owner.userId),
      change: () => measurements.change(owner, params.measurementId, body, headers['If-Match']),
    });
    return measurementOutcome(changed, owner.userId);
  },
});
