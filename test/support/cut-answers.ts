import { inject } from 'vitest';
import type { OpenDatabase } from '../../src/app/backend.ts';
import { raw } from '../../src/db/sql.ts';

const CREATE = {
  embedded: [
    `create trigger cut_answers before update of status on idempotent_requests when new.status is not null
     begin select raise(abort, 'cut off'); end`,
  ],
  cluster: [
    `create function cut_answers() returns trigger language plpgsql as
     'begin if new.status is not null then raise exception ''cut off''; end if; return new; end'`,
    'create trigger cut_answers before update on idempotent_requests for each row execute function cut_answers()',
  ],
};
const DROP = {
  embedded: ['drop trigger cut_answers'],
  cluster: ['drop trigger cut_answers on idempotent_requests', 'drop function cut_answers'],
};

/**
 * Simulates a process that dies between effect and response: the effect is on disk, the response is not, and the
 * claim has expired.
 */
export async function cutAnswers({ db }: OpenDatabase, execute: () => Promise<unknown>): Promise<void> {
  const mode = inject('cluster') === undefined ? 'embedded' : 'cluster';
  const run = async (statements: readonly string[]) => {
    for (const statement of statements) await raw(statement).all(db);
  };
  await run(CREATE[mode]);
  await execute();
  await run([...DROP[mode], 'update idempotent_requests set claimed_until_ms = 1 where status is null']);
}
