import { z } from 'zod';
import { RECORD_ID_FORM } from '../../base/time-ordered-id.ts';
import type { MeasurementBook } from '../../diary/measurement-book.ts';
import { type Day, parseDay, WHOLE_DIARY } from '../../diary/records/day.ts';
import { type MeasurementPosition, positionOfMeasurement } from '../../diary/records/measurement.ts';
import { ownerOf } from '../acting-user.ts';
import { DIARY_TAG, diaryRead, userParams } from '../diary/diary-docs.ts';
import { pageQueryOf } from '../list-queries.ts';
import { pageOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { dateText } from '../text-schemas.ts';
import {
  EXAMPLE_MEASUREMENT,
  measurementName,
  measurementObject,
  measurementSchema,
} from './measurement-json.ts';

const measurementsQuery = pageQueryOf(`\\d{4}-\\d{2}-\\d{2}\\.-?\\d{1,15}\\.${RECORD_ID_FORM}`).extend({
  name: measurementName.optional().describe('Only those with this name.'),
  from: dateText.optional().describe('First day.'),
  to: dateText.optional().describe('Last day.'),
});

export const listMeasurements = operation({
  method: 'GET',
  path: '/v1/users/:userId/measurements',
  id: 'listMeasurements',
  tag: DIARY_TAG,
  summary: 'List measurements',
  description: 'By day and time, the newest first, a page at a time.',
  access: diaryRead,
  counts: 'diaryRead',
  params: userParams,
  query: measurementsQuery,
  answer: {
    description: 'The measurements, with the address of the next page in Link.',
    headers: ['Link'],
    schema: z.array(measurementSchema),
    example: [EXAMPLE_MEASUREMENT],
  },
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
