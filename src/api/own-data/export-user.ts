import { Readable } from 'node:stream';
import { z } from 'zod';
import { type ExportPorts, exportLines } from '../../own-data/export.ts';
import { ownerOf, requireScope } from '../acting-user.ts';
import { DIARY_TAG, userParams, wholeDiaryRead } from '../diary/diary-docs.ts';
import { operation } from '../operation.ts';

export const exportUser = operation({
  method: 'GET',
  path: '/v1/users/:userId/export',
  id: 'exportUser',
  tag: DIARY_TAG,
  summary: 'Export everything of a user',
  description:
    'Custom foods, recipes, goals, measurements, notes on days, favourites, saved meals, settings and entries with their ids, as `…/import` takes them: a JSON object in each line; streamed, ' +
    'so it has no limit. Also needs the scope `foods:read`.',
  access: wholeDiaryRead,
  counts: 'diaryRead',
  params: userParams,
  answer: {
    description: 'JSON lines.',
    contentType: 'application/x-ndjson',
    schema: z.string(),
    example: '{"larderExport":1,"userId":"user-1"}\n',
  },
  handle: async (request, ports: ExportPorts) => {
    requireScope(request.caller, 'foods:read');
    return {
      headers: { 'content-disposition': 'attachment; filename="larder-export.jsonl"' },
      body: Readable.from(exportLines(ports, ownerOf(request)), { objectMode: false }),
    };
  },
});
