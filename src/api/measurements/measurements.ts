import { RECORD_ID_FORM } from '../../base/time-ordered-id.ts';
import type { MeasurementBook } from '../../diary/measurement-book.ts';
import { type Day, parseDay, WHOLE_DIARY } from '../../diary/records/day.ts';
import { type MeasurementPosition, positionOfMeasurement } from '../../diary/records/measurement.ts';
import { ownerOf } from '../acting-user.ts';
import { listAnswer, newRecordAnswer, recordAnswer } from '../answers.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { diaryReading, diaryWriting, userParams } from '../diary/diary-docs.ts';
import { applyChange, ifMatch, ifNoneMatch, NOT_MODIFIED_ANSWER, withConflictDetails } from '../etag.ts';
import { pageOf, pageQueryOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { dateText } from '../text-schemas.ts';
import {
  EXAMPLE_MEASUREMENT,
  EXAMPLE_NEW_MEASUREMENT,
  measurementChangeSchema,
  measurementName,
  measurementObject,
  measurementOutcome,
  measurementParams,
  measurementSchema,
  newMeasurementSchema,
  READ_ONLY,
} from './measurement-json.ts';

const measurementsQuery = pageQueryOf(`\\d{4}-\\d{2}-\\d{2}\\.-?\\d{1,15}\\.${RECORD_ID_FORM}`).extend({
  name: measurementName.optional().describe('Only those with this name.'),
  from: dateText.optional().describe('First day.'),
  to: dateText.optional().describe('Last day.'),
});

export const listMeasurements = operation({
  ...diaryReading,
  method: 'GET',
  path: '/v1/users/:userId/measurements',
  id: 'listMeasurements',
  summary: 'List measurements',
  description: 'By day and time, the newest first, a page at a time.',
  params: userParams,
  query: measurementsQuery,
  answer: listAnswer(
    'The measurements, with the address of the next page in Link.',
    measurementSchema,
    EXAMPLE_MEASUREMENT,
  ),
  handle: (request, { measurements }: { measurements: MeasurementBook }) => {
    const owner = ownerOf(request);
    const { name, from, to } = request.query;
    const range = {
      from: from === undefined ? WHOLE_DIARY.from : parseDay(from, 'from'),
      to: to === undefined ? WHOLE_DIARY.to : parseDay(to, 'to'),
    };
    return pageOf(
      request.query,
      ({ after, limit }) => measurements.list(owner, { name, range, before: positionIn(after), limit }),
      (measurement) => measurementObject(measurement, owner.userId),
      {
        cursorOf: (measurement) => {
          const { date, atMs, id } = positionOfMeasurement(measurement);
          return `${date}.${atMs}.${id}`;
        },
      },
    );
  },
});

/** Reads a cursor, which remains valid after its measurement was deleted. */
function positionIn(cursor: string): MeasurementPosition | undefined {
  if (cursor === '') return undefined;
  const [date, atMs, id] = cursor.split('.') as [Day, string, string];
  return { date, atMs: Number(atMs), id };
}

export const getMeasurement = operation({
  ...diaryReading,
  method: 'GET',
  path: '/v1/users/:userId/measurements/:measurementId',
  id: 'getMeasurement',
  summary: 'Read a measurement',
  params: measurementParams,
  headers: ifNoneMatch,
  answer: recordAnswer('The measurement, with its ETag.', measurementSchema, EXAMPLE_MEASUREMENT),
  empty: NOT_MODIFIED_ANSWER,
  errors: ['measurement_not_found'],
  handle: async (request, { measurements }: { measurements: MeasurementBook }) => {
    const owner = ownerOf(request);
    return measurementOutcome(await measurements.get(owner, request.params.measurementId), owner.userId);
  },
});

export const createMeasurement = operation({
  ...diaryWriting,
  method: 'POST',
  path: '/v1/users/:userId/measurements',
  id: 'createMeasurement',
  summary: 'Add a measurement',
  description: 'Weight, or whatever else a user measures.',
  params: userParams,
  body: { schema: newMeasurementSchema, example: EXAMPLE_NEW_MEASUREMENT, limit: BODY_LIMITS.fields },
  answer: newRecordAnswer('The measurement, with Location and ETag.', measurementSchema, EXAMPLE_MEASUREMENT),
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

export const changeMeasurement = operation({
  ...diaryWriting,
  method: 'PATCH',
  path: '/v1/users/:userId/measurements/:measurementId',
  id: 'changeMeasurement',
  summary: 'Change a measurement',
  description: 'Send only the fields that change.',
  params: measurementParams,
  headers: ifMatch,
  body: { schema: measurementChangeSchema, example: { value: 72.6 }, limit: BODY_LIMITS.fields },
  answer: recordAnswer(
    'The measurement as it is now, with its ETag.',
    measurementSchema,
    EXAMPLE_MEASUREMENT,
  ),
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

export const deleteMeasurement = operation({
  ...diaryWriting,
  method: 'DELETE',
  path: '/v1/users/:userId/measurements/:measurementId',
  id: 'deleteMeasurement',
  summary: 'Delete a measurement',
  params: measurementParams,
  headers: ifMatch,
  answer: { status: 204, description: 'The measurement is deleted.' },
  errors: ['measurement_not_found', 'version_conflict'],
  handle: async (request, { measurements }: { measurements: MeasurementBook }) => {
    const owner = ownerOf(request);
    const { measurementId } = request.params;
    await withConflictDetails(
      measurements.remove(owner, measurementId, request.headers['If-Match']),
      async () => measurementObject(await measurements.get(owner, measurementId), owner.userId),
    );
  },
});
