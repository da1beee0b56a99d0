import { OperatorError } from '@larder/core/errors.ts';
import { Command } from 'commander';
import { printResult, type Terminal } from '../terminal/terminal.ts';
import { findPerson, withUsers } from './session.ts';

export function userRemoveCommand(terminal: Terminal): Command {
  return new Command('remove')
    .description('Remove a person from the household, and erase the diary. The last owner stays.')
    .argument('<name>', 'name or id of the person')
    .option('--json', 'print the person as one JSON object')
    .addHelpText('after', '\nExample:\n  larder user remove Bob')
    .action((words: string, { json }: { json?: true }) =>
      withUsers(terminal, async ({ people, household, nowMs }) => {
        const { id, name } = (await findPerson(people, words)).person;
        if (!(await household.removePerson(id, nowMs())))
          throw new OperatorError(`${name} is the last owner. Invite another one first.`);
        const text = `${name} is removed. A running service erases the diary within two minutes, the next start otherwise.\n`;
        printResult(terminal, json, { id, name }, text);
      }),
    );
}
