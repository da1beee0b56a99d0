import { randomBytes } from 'node:crypto';
import { OperatorError } from '@larder/core/errors.ts';
import { Command } from 'commander';
import { askNoPasskey } from '../../people/made-credentials.ts';
import { Passwords } from '../../people/passwords.ts';
import { print, type Terminal, tell } from '../terminal/terminal.ts';
import { findPerson, withUsers } from './session.ts';

const PASSWORD_BYTES = 12;

export function userPasswordCommand(terminal: Terminal): Command {
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
