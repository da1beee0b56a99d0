import type { Diary } from '../../diary/diary.ts';
import { ownerOf, sharersOf, viewerOf } from '../acting-user.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { countAsSearches } from '../foods/text-json.ts';
import { operation } from '../operation.ts';
import { WHAT_KNOWN_IDS_ANSWER } from '../text-schemas.ts';
import {
  DIARY_TAG,
  diaryWrite,
  EXAMPLE_ENTRY,
  EXAMPLE_NEW_ENTRY,
  NEW_ENTRY_ERRORS,
  userParams,
} from './diary-docs.ts';
import { entryOrTextSchema, newEntriesSchema, oneEntrySchema } from './entry-input.ts';
import { entriesOutcome, entryOutcome, entrySchema } from './entry-json.ts';
import { textAsEntrySchema, textEntriesOutcome } from './text-entries-json.ts';

/** Selects the schema by the body: a text, one entry or several. */
function schemaOf(body: unknown) {
  if (Array.isArray(body)) return newEntriesSchema;
  const isText = typeof body === 'object' && body !== null && 'text' in body;
  return isText ? textAsEntrySchema : entryOrTextSchema;
}

export const createEntry = operation({
  method: 'POST',
  path: '/v1/users/:userId/diary',
  id: 'createDiaryEntry',
  tag: DIARY_TAG,
  summary: 'Add a diary entry',
  description:
    'At most 64 KiB. Also takes an array of entries, and a `scanJobId`, and answers them as `…/diary/batch` does: with an array. ' +
    'With `text` it answers as `…/diary/text` does.',
  access: diaryWrite,
  counts: 'diaryWrite',
  alsoCounts: (body) => ('text' in body ? countAsSearches(body.text) : undefined),
  params: userParams,
  body: {
    schema: schemaOf,
    // Each type of body has one type of response, because client generators cannot derive the response from
    // the request.
    described: oneEntrySchema,
    example: EXAMPLE_NEW_ENTRY,
    limit: { one: BODY_LIMITS.item, many: BODY_LIMITS.batch },
  },
  answer: {
    status: 201,
    known: WHAT_KNOWN_IDS_ANSWER,
    description: 'The entry, with Location and ETag.',
    headers: ['ETag', 'Location'],
    schema: entrySchema,
    example: EXAMPLE_ENTRY,
  },
  errors: [...NEW_ENTRY_ERRORS, 'deleted', 'unresolved_items'],
  handle: async (request, { diary }: { diary: Diary }) => {
    const { caller, body, ids } = request;
    const owner = ownerOf(request);
    if ('text' in body) {
      return textEntriesOutcome(
        await diary.createFromText(owner, body, { ids, sharers: sharersOf(caller) }),
        owner,
      );
    }
    const isList = Array.isArray(body);
    const inputs = isList ? body : [body];
    const { entries, isNew } = await diary.write(owner, inputs, {
      ids,
      viewer: viewerOf(caller),
      sharers: sharersOf(caller),
      isList,
    });
    const status = isNew ? undefined : 200;
    if (isList || body.scanJobId !== undefined) return { ...entriesOutcome(entries, owner), status };
    const [entry] = entries;
    return { ...entryOutcome(entry!, owner), created: entry!.id, status };
  },
});
