import { randomBytes } from 'node:crypto';
import { OperatorError } from '@larder/core/errors.ts';
import { Command, Option } from 'commander';
import { personAsCreator } from '../access/creator.ts';
import { KeyStore } from '../access/key-store.ts';
import { TenantDirectory } from '../access/tenant-directory.ts';
import { pageAddress } from '../app/people.ts';
import type { Config } from '../config/config.ts';
import { Household } from '../people/household.ts';
import { HouseholdStore } from '../people/household-store.ts';
import { askNoPasskey } from '../people/made-credentials.ts';
import { Passwords } from '../people/passwords.ts';
import { PeopleStore } from '../people/people-store.ts';
import { nameKey, type Person, ROLES, type Role } from '../people/person.ts';
import { WebhookStore } from '../webhooks/webhook-store.ts';
import { parseTenant } from './key/options.ts';
import { columns } from './terminal/format.ts';
import { print, printResult, type Terminal, tell, throwAsUsageError } from './terminal/terminal.ts';
import { withDatabase } from './terminal/with-database.ts';

function userInviteCommand(terminal: Terminal): Command {
  return new Command('invite')
    .description('Make a link by which one person can join the household within 7 days.')
    .addOption(new Option('--role <role>', 'role of the person').choices(ROLES).default('member'))
    .option('--json', 'print the invitation as one JSON object')
    .addHelpText('after', '\nExamples:\n  larder user invite\n  larder user invite --role owner --json')
    .action(({ role, json }: { role: Role; json?: true }) =>
      withUsers(terminal, async ({ config, people, household: store, nowMs }) => {
        if (role === 'member' && !(await people.hasPeople()))
          throw new OperatorError('There is no owner yet; invite one with --role owner.');
        const household = new Household({ store, nowMs, erase: async () => {} });
        const { id, link, expiresAtMs } = await household.invite(role, 'cli').catch(throwAsUsageError);
        const url = `${pageAddress(config)}/welcome#link=${link}`;
        const expiresAt = new Date(expiresAtMs).toISOString();
        if (json) return print(terminal, `${JSON.stringify({ id, role, url, expiresAt })}\n`);
        tell(terminal, `The first person who opens this link joins as ${role}, until ${expiresAt}:\n`);
        print(terminal, `${url}\n`);
      }),
    );
}

const PAGE_SIZE = 1_000;

function userListCommand(terminal: Terminal): Command {
  return new Command('list')
    .description(
      'List the people of the household; with --tenant the users of a tenant who have entries, recipes or goals.',
    )
    .addOption(new Option('--tenant <name>', 'the users of this tenant, by id').argParser(parseTenant))
    .option('--json', 'print a JSON line for each')
    .addHelpText('after', '\nExamples:\n  larder user list\n  larder user list --tenant acme')
    .action(({ tenant, json }: { tenant?: string; json?: true }) =>
      tenant === undefined ? listPeople(terminal, json) : listUsers(terminal, tenant, json),
    );
}

function listPeople(terminal: Terminal, json: true | undefined): Promise<void> {
  return withUsers(terminal, async ({ household }) => {
    const people = (await household.listPeople()).map(({ createdAtMs, ...person }) => ({
      ...person,
      createdAt: new Date(createdAtMs).toISOString(),
    }));
    if (json) print(terminal, people.map((person) => `${JSON.stringify(person)}\n`).join(''));
    else if (people.length > 0) {
      const rows = people.map(({ id, name, role, createdAt }) => [id, role, createdAt, name]);
      print(terminal, columns([['id', 'role', 'joined', 'name'], ...rows]));
    } else tell(terminal, 'There are no people yet; `larder serve` shows the link of the first owner.\n');
  });
}

function listUsers(terminal: Terminal, tenant: string, json: true | undefined): Promise<void> {
  return withUsers(terminal, async ({ tenants }) => {
    let after = '';
    for (;;) {
      const page = await tenants.users(tenant, { after, limit: PAGE_SIZE });
      print(terminal, page.map((user) => `${json ? JSON.stringify(user) : user.id}\n`).join(''));
      if (after === '' && page.length === 0) tell(terminal, `Tenant ${tenant} has no users with a diary.\n`);
      if (page.length < PAGE_SIZE) return;
      after = page.at(-1)!.id;
    }
  });
}

const PASSWORD_BYTES = 12;

function userPasswordCommand(terminal: Terminal): Command {
  return new Command('password')
    .description(
      'Give a person a new password, which is shown once and signs in without a passkey, and end all their sessions.',
    )
    .argument('<name>', 'name or id of the person')
    .option('--json', 'print name and password as one JSON object')
    .addHelpText('after', '\nExample:\n  larder user password Ann')
    .action((words: string, { json }: { json?: true }) =>
      withUsers(terminal, async ({ people }) => {
        const { person, password: before = '' } = await findPerson(people, words);
        const text = randomBytes(PASSWORD_BYTES).toString('base64url');
        const password = await new Passwords().hash(text, 'known');
        if (!(await people.changePassword(person.id, { before, password, also: [askNoPasskey(person.id)] })))
          throw new OperatorError(`${person.name} has just changed the password, or is gone; try again.`);
        const { id, name } = person;
        if (json) return print(terminal, `${JSON.stringify({ id, name, password: text })}\n`);
        tell(terminal, `The new password of ${name}. It is shown this once; change it after signing in:\n`);
        print(terminal, `${text}\n`);
      }),
    );
}

/** Maximum keys, and webhooks, that are listed. */
const MAX_LISTED = 500;

interface Options {
  readonly handOverTo?: string;
  readonly endCredentials?: true;
  readonly json?: true;
}

/** Keys and webhooks that a person made for others, by name. */
interface Made {
  readonly keys: readonly { readonly id: string; readonly tenant: string; readonly name?: string }[];
  readonly webhooks: readonly { readonly id: string; readonly tenant: string; readonly url: string }[];
}

function userRemoveCommand(terminal: Terminal): Command {
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

export function userCommand(terminal: Terminal): Command {
  return new Command('user')
    .description('Invite, list and remove people of the household, and list the users of tenants.')
    .addCommand(userInviteCommand(terminal))
    .addCommand(userListCommand(terminal))
    .addCommand(userRemoveCommand(terminal))
    .addCommand(userPasswordCommand(terminal));
}

interface UserSession {
  readonly config: Config;
  readonly people: PeopleStore;
  readonly household: HouseholdStore;
  readonly tenants: TenantDirectory;
  readonly keys: KeyStore;
  readonly webhooks: WebhookStore;
  readonly nowMs: () => number;
}

function withUsers(terminal: Terminal, use: (session: UserSession) => Promise<void>): Promise<void> {
  return withDatabase(terminal, (database, config) =>
    use({
      config,
      people: new PeopleStore(database),
      household: new HouseholdStore(database),
      tenants: new TenantDirectory(database),
      keys: new KeyStore(database),
      webhooks: new WebhookStore(database),
      nowMs: database.nowMs,
    }),
  );
}

/** Finds a person by name or id. */
async function findPerson(people: PeopleStore, words: string) {
  const found = (await people.findByName(nameKey(words))) ?? (await people.findPerson(words));
  if (found !== undefined) return found;
  throw new OperatorError(`There is nobody called ${JSON.stringify(words)}; "larder user list" shows all.`);
}
