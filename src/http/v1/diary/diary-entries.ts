import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Diary } from '../../../diary/diary.ts';
import type { DiaryEntry } from '../../../diary/entry.ts';
import { jsonList, noContent, readBody } from '../../server/bodies.ts';
import { expectedVersion, isKnownVersion, notModified, versionTag } from '../../server/etag.ts';
import { BODY_LIMITS } from '../../server/limits.ts';
import { ifMatch, ifNoneMatch, UNCHANGED } from '../../server/request-headers.ts';
import type { Route } from '../../server/route.ts';
import { ownerOf, viewerOf } from '../acting-user.ts';
import {
  DIARY_TAG,
  diaryRead,
  diaryWrite,
  EXAMPLE_ENTRY,
  EXAMPLE_NEW_ENTRY,
  entryParams,
  userParams,
} from './diary-docs.ts';
import { entryChangeSchema, entryJson, entrySchema, newEntriesSchema, newEntrySchema } from './diary-json.ts';

/** Entries, one by one and in batches. */
export function diaryEntryRoutes({ diary }: { diary: () => Diary }): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/users/:userId/diary',
      access: diaryWrite,
      operation: 'diaryWrite',
      bodyLimit: BODY_LIMITS.batch,
      docs: {
        tag: DIARY_TAG,
        operationId: 'createDiaryEntries',
        summary: 'Write down what was eaten',
        description:
          'One entry, or up to 100 in an array, 1 MiB together: all of them or none. A scan becomes an entry for each of its ' +
          'items.',
        params: userParams,
        body: { schema: z.union([newEntrySchema, newEntriesSchema]), example: EXAMPLE_NEW_ENTRY },
        answer: {
          status: 201,
          description: 'The entry, with Location and ETag; for an array or a scan the entries.',
          headers: ['ETag', 'Location'],
          schema: z.union([entrySchema, z.array(entrySchema)]),
          example: EXAMPLE_ENTRY,
        },
        errors: ['food_not_found', 'barcode_not_found', 'invalid_barcode', 'not_found', 'scan_job_not_found'],
      },
      handle: async (request, reply) => {
        const { body, ids } = request;
        const owner = ownerOf(request);
        const userId = JSON.stringify(owner.userId);
        const inputs = Array.isArray(body)
          ? readBody(newEntriesSchema, body)
          : [readBody(newEntrySchema, body)];
        const entries = await diary().create(owner, inputs, { ids, viewer: viewerOf(request.caller!) });
        reply.code(201);
        if (Array.isArray(body) || inputs[0]!.scanJobId !== undefined) {
          return jsonList(entries, (entry) => entryJson(entry, userId));
        }
        const [entry] = entries;
        reply.header('location', `/v1/users/${encodeURIComponent(owner.userId)}/diary/${entry!.id}`);
        return answerEntry(entry!, userId, reply);
      },
    },
    {
      method: 'GET',
      path: '/v1/users/:userId/diary/:entryId',
      access: diaryRead,
      operation: 'diaryRead',
      docs: {
        tag: DIARY_TAG,
        operationId: 'getDiaryEntry',
        summary: 'Read an entry',
        params: entryParams,
        headers: ifNoneMatch,
        empty: UNCHANGED,
        answer: {
          description: 'The entry, with its ETag.',
          headers: ['ETag'],
          schema: entrySchema,
          example: EXAMPLE_ENTRY,
        },
        errors: ['diary_entry_not_found'],
      },
      handle: async (request, reply) => {
        const owner = ownerOf(request);
        const entry = await diary().get(owner, request.params['entryId']!);
        if (isKnownVersion(request.headers['if-none-match'], entry.version))
          return notModified(entry.version, reply);
        return answerEntry(entry, JSON.stringify(owner.userId), reply);
      },
    },
    {
      method: 'PATCH',
      path: '/v1/users/:userId/diary/:entryId',
      access: diaryWrite,
      operation: 'diaryWrite',
      bodyLimit: BODY_LIMITS.item,
      docs: {
        tag: DIARY_TAG,
        operationId: 'changeDiaryEntry',
        summary: 'Change an entry',
        description: 'Only the fields that change. With If-Match only when nobody else has changed it.',
        params: entryParams,
        headers: ifMatch,
        body: { schema: entryChangeSchema, example: { mealType: 'dinner' } },
        answer: {
          description: 'The entry as it is now, with its ETag.',
          headers: ['ETag'],
          schema: entrySchema,
          example: { ...EXAMPLE_ENTRY, mealType: 'dinner' },
        },
        errors: ['diary_entry_not_found', 'version_conflict'],
      },
      handle: async (request, reply) => {
        const owner = ownerOf(request);
        const change = readBody(entryChangeSchema, request.body);
        const version = expectedVersion(request.headers['if-match']);
        const entry = await diary().change(owner, request.params['entryId']!, change, version);
        return answerEntry(entry, JSON.stringify(owner.userId), reply);
      },
    },
    {
      method: 'DELETE',
      path: '/v1/users/:userId/diary/:entryId',
      access: diaryWrite,
      operation: 'diaryWrite',
      docs: {
        tag: DIARY_TAG,
        operationId: 'deleteDiaryEntry',
        summary: 'Delete an entry',
        description: 'With If-Match only when nobody else has changed it.',
        params: entryParams,
        headers: ifMatch,
        answer: { status: 204, description: 'It is gone.' },
        errors: ['diary_entry_not_found', 'version_conflict'],
      },
      handle: async (request, reply) => {
        const version = expectedVersion(request.headers['if-match']);
        await diary().remove(ownerOf(request), request.params['entryId']!, version);
        return noContent(reply);
      },
    },
  ];
}

function answerEntry(entry: DiaryEntry, userId: string, reply: FastifyReply): string {
  reply.header('etag', versionTag(entry.version));
  return entryJson(entry, userId);
}
