import type { MeasurementBook } from '../../diary/measurement-book.ts';
import { ownerOf } from '../acting-user.ts';
import { DIARY_TAG, diaryWrite } from '../diary/diary-docs.ts';
import { ifMatch, withConflictDetails } from '../etag.ts';
import { operation } from '../operation.ts';
import { measurementObject, measurementParams } from './measurement-json.ts';

export const deleteMeasurement = operation({
  method: 'DELETE',
  path: '/v1/users/:userId/measurements/:measurementId',
  id: 'deleteMeasurement',
  tag: DIARY_TAG,
  summary: 'Delete a measurement',
  access: diaryWrite,
  counts: 'diaryWrite',
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
