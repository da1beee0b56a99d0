import { z } from 'zod';
import { deleteEntry, getEntry } from '../../../api/diary/entries.ts';
import { isDay } from '../../../diary/records/day.ts';
import { dayAfterFields, dayAfterWrite, type EntryObject, entryOf, entryResult } from '../entries.ts';
import { ask, ofUser, REPLACES, tool } from '../tool.ts';
import { onlyVersion, versionInput } from '../writes.ts';

export const deleteEntryTool = tool({
  name: 'delete_entry',
  title: 'Delete an entry',
  description:
    'Deletes an entry of the diary. Answers what was deleted, where the credential may read it, and the sums of its day.',
  scope: 'diary:write',
  user: 'required',
  annotations: REPLACES,
  input: z.strictObject({ entryId: z.string(), version: versionInput }),
  output: z.object({ deletedId: z.string(), deleted: entryResult.optional(), ...dayAfterFields }),
  async run({ entryId, version }, context) {
    const params = { ...ofUser(context), entryId };
    const mayRead = context.caller.scopes.includes('diary:read');
    const entry = mayRead ? await ask<EntryObject>(context, getEntry, { params }) : undefined;
    await ask(context, deleteEntry, { params, headers: onlyVersion(version) });
    if (entry === undefined || !isDay(entry.date)) return { deletedId: entryId };
    return { deletedId: entryId, deleted: entryOf(entry), ...(await dayAfterWrite(context, entry.date)) };
  },
});
