import type Sqlite from 'better-sqlite3';
import { received } from '../../threads/error-transfer.ts';
import type { Write, Writer, Written } from '../writer.ts';
import { WriteGroups } from './write-group.ts';

/**
 * Writes on a connection of the caller's, each write in a transaction of its own: for commands and `larder worker`, which run
 * beside a service or before it. The calling thread waits for the disk and for other writers.
 */
export class DirectWriter implements Writer {
  readonly #groups: WriteGroups;

  constructor({ sqlite }: { sqlite: Sqlite.Database }) {
    this.#groups = new WriteGroups({ sqlite });
  }

  async write<Row>(write: Write): Promise<Written<Row>> {
    const outcome = this.#groups.commit([write])[0]!;
    if ('error' in outcome) throw received(outcome.error);
    return outcome.result as Written<Row>;
  }

  revision(): undefined {
    return undefined;
  }
}
