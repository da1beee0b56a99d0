import { OperatorError } from '@larder/core/errors.ts';
import { Command, Option } from 'commander';
import { personAsCreator } from '../../access/creator.ts';
import type { Person } from '../../people/person.ts';
import { printResult, type Terminal } from '../terminal/terminal.ts';
import { findPerson, type UserSession, withUsers } from './session.ts';

/** Maximum keys, and webhooks, that are listed. */
const MAX_LISTED = 500;

interface Options {
  readonly handOverTo?: string;
  readonly endCredentials?: true;
  readonly json?: true;
}

/** What somebody made for others, as people know it. */
interface Made {
  readonly keys: readonly { readonly id: string; readonly tenant: string; readonly name?: string }[];
  readonly webhooks: readonly { readonly id: string; readonly tenant: string; readonly url: string }[];
}

export function userRemoveCommand(terminal: Terminal): Command {
  return new Command('remove')
    .description(
      'Remove a person from the household, and erase the diary. The last owner stays. Keys and webhooks that an owner made for others are listed, ' +
        'and end or are handed over.',
    )
    .argument('<name>', 'name or id of the person')
    .addOption(
      new Option('--hand-over-to <owner>', 'owner who becomes the maker of the keys and webhooks').conflicts(
        'endCredentials',
      ),
    )
    .option('--end-credentials', 'end the keys and webhooks')
    .option('--json', 'print the person, and what became of the credentials, as one JSON object')
    .addHelpText(
      'after',
      '\nExamples:\n  larder user remove Bob\n  larder user remove Cem --hand-over-to Ann',
    )
    .action((words: string, { handOverTo, endCredentials, json }: Options) =>
      withUsers(terminal, async (session) => {
        const { people, household, nowMs } = session;
        const { person } = await findPerson(people, words);
        const { id, name } = person;
        const made = await madeBy(person, session);
        const heir = handOverTo === undefined ? undefined : (await findPerson(people, handOverTo)).person;
        if (heir !== undefined && (heir.role !== 'owner' || heir.id === id))
          throw new OperatorError(`${heir.name} is not another owner, who alone can take credentials over.`);
        const hasMade = made.keys.length + made.webhooks.length > 0;
        if (hasMade && heir === undefined && endCredentials === undefined) throw undecided(name, made);
        if (!(await household.removePerson(id, nowMs(), heir?.id)))
          throw new OperatorError(`${name} is the last owner. Invite another one first.`);
        const fate = heir === undefined ? 'ended' : 'handed over';
        const text = `${name} is removed. A running service erases the diary within two minutes, the next start otherwise.\n`;
        const what = hasMade ? outcomeOf(name, made, fate) : '';
        printResult(
          terminal,
          json,
          { id, name, ...(hasMade && { credentials: { ...made, fate } }) },
          text + what,
        );
      }),
    );
}

/** Valid keys of tenants, and webhooks. */
async function madeBy(
  { id }: Person,
  { keys, webhooks, nowMs }: Pick<UserSession, 'keys' | 'webhooks' | 'nowMs'>,
): Promise<Made> {
  const createdBy = personAsCreator(id);
  const nowSeconds = nowMs() / 1000;
  const [allKeys, allWebhooks] = await Promise.all([
    keys.list({ createdBy, limit: MAX_LISTED }),
    webhooks.listMadeBy(createdBy, MAX_LISTED),
  ]);
  return {
    keys: allKeys
      .filter(
        ({ revokedAt, expiresAt }) => Math.min(revokedAt ?? Infinity, expiresAt ?? Infinity) > nowSeconds,
      )
      .map((key) => ({ id: key.id, tenant: key.tenant, ...(key.name !== undefined && { name: key.name }) })),
    webhooks: allWebhooks.map((webhook) => ({ id: webhook.id, tenant: webhook.tenant, url: webhook.url })),
  };
}

function outcomeOf(name: string, made: Made, fate: 'ended' | 'handed over'): string {
  const advice = fate === 'ended' ? '' : ` ${name} may know the secrets: rotate them.`;
  return `${toLines(made)}\nThey are ${fate}.${advice}\n`;
}

function undecided(name: string, made: Made): OperatorError {
  return new OperatorError(
    `${name} made for others:\n${toLines(made)}\nSay what becomes of them: --hand-over-to NAME, an owner who stays, or --end-credentials.`,
  );
}

function toLines({ keys, webhooks }: Made): string {
  return [
    ...keys.map(
      ({ id, tenant, name }) => `  key ${id} of tenant ${tenant}${name === undefined ? '' : `: ${name}`}`,
    ),
    ...webhooks.map(({ id, tenant, url }) => `  webhook ${id} of tenant ${tenant}: ${url}`),
  ].join('\n');
}
