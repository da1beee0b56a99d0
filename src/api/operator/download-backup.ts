import type { Readable } from 'node:stream';
import { operation } from '../operation.ts';
import { confirmedOperatorAccess, OPERATOR_TAG } from './operator-parts.ts';

/** A copy of the database as it was at one moment. */
export interface Backup {
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
  /** Closing the stream removes what is left of the copy. */
  readonly stream: Readable;
}

export const downloadBackup = operation({
  method: 'GET',
  path: '/v1/operator/backup',
  id: 'downloadBackup',
  tag: OPERATOR_TAG,
  summary: 'Download a backup of the database',
  description:
    'Everything that was written through the API and the command line, as it is at one moment, without catalogues and photos: the file ' +
    'that `larder backup` writes and `larder restore` takes. It has the hashes of keys and passwords: keep it safe. In a cluster: 409.',
  access: confirmedOperatorAccess,
  counts: 'import',
  answer: { description: 'The backup, an SQLite database.', contentType: 'application/vnd.sqlite3' },
  errors: ['conflict', 'confirmation_required'],
  handle: async (
    _request,
    { makeBackup, nowMs }: { makeBackup: () => Promise<Backup>; nowMs: () => number },
  ) => {
    const { bytes, sha256, stream } = await makeBackup();
    const day = new Date(nowMs()).toISOString().slice(0, 10);
    return {
      headers: {
        'content-length': bytes,
        // RFC 9530
        'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
        'content-disposition': `attachment; filename="larder-${day}.db"`,
        'cache-control': 'no-store',
      },
      body: stream,
    };
  },
});
