import type { MeasurementBook } from '../../diary/measurement-book.ts';
import { ownerOf } from '../acting-user.ts';
import { DIARY_TAG, diaryRead } from '../diary/diary-docs.ts';
import { ifNoneMatch, NOT_MODIFIED_ANSWER } from '../etag.ts';
import { operation } from '../operation.ts';
import {
  EXAMPLE_MEASUREMENT,
  measurementOutcome,
  measurementParams,
  measurementSchema,
} from './measurement-json.ts';

export const getMeasurement = operation({
  method: 'GET',
  path: '/v1/users/:userId/measurements/:measurementId',
  id: 'getMeasurement',
  tag: DIARY_TAG,
  summary: 'Read a measurement',
  access: diaryRead,
  counts: 'diaryRead',
  params: measurementParams,
  headers: ifNoneMatch,
  answer: {
    description: 'The measurement, with its ETag.',
    headers: ['ETag'],
    schema: measurementSchema,
    example: EXAMPLE_MEASUREMENT,
  },
  empty: NOT_MODIFIED_ANSWER,
  errors: ['measurement_not_found'],
  handle: async (request, { measurements }: { measurements: MeasurementBook }) => {
    const owner = ownerOf(request);
    return measurementOutcome(await measurements.get(owner, request.params.measurementId), owner.userId);
  },
});
