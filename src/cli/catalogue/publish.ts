import { Command } from 'commander';
import { counted } from '../../base/texts.ts';
import { readCatalogueInfo } from '../../foods/catalogue/load-catalogue.ts';
import { commandConfig } from '../terminal/command-config.ts';
import { chosenFile } from '../terminal/file-arguments.ts';
import { size } from '../terminal/format.ts';
import { openProgress } from '../terminal/progress.ts';
import { printResult, type Terminal, tell } from '../terminal/terminal.ts';
import { withPublished } from './published-session.ts';

interface Options {
  readonly activate?: true;
  readonly again?: true;
  readonly json?: true;
}

export function cataloguePublishCommand(terminal: Terminal): Command {
  return new Command('publish')
    .description(
      'Send a catalogue to the object store of the cluster, from where all nodes can fetch it. It is not seen before ' +
        'all of it is there; where it broke off, the same command goes on.',
    )
    .argument(
      '[name-or-file]',
      'a catalogue in the catalogue store or a path; the one in use there when left out',
    )
    .option('--activate', 'then make all nodes answer from it')
    .option('--again', 'send every part, for example after one was damaged in the object store')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExamples:\n  larder catalogue publish --activate\n  larder catalogue publish 20260421-101500-1a2b3c4d',
    )
    .action((choice: string | undefined, options: Options) => publish(terminal, choice, options));
}

async function publish(terminal: Terminal, choice: string | undefined, options: Options): Promise<void> {
  await withPublished(terminal, async (published) => {
    const file = await chosenFile(commandConfig(terminal).config, choice);
    const progress = openProgress(terminal);
    progress.begin('publish', (await readCatalogueInfo(file)).bytes);
    const { version, sentParts } = await published
      .publish({
        file,
        sendAll: options.again === true,
        onProgress: (doneBytes) => progress.update(doneBytes, 0),
      })
      .finally(() => progress.end());
    const activation = options.activate && (await published.versions.activate(version.name));
    const removed = await published.removeOld().catch((error: Error) => {
      tell(terminal, `What is too old could not be removed, the next time it will be: ${error.message}.\n`);
      return [];
    });
    const { name, bytes, foods, parts } = version;
    const facts = { name, bytes, foods, parts: parts.length, sentParts, activation, removed };
    const what = `${counted(foods, 'food')}, ${size(bytes)}`;
    const done = `${name} is published${activation === undefined ? '' : ' and active'}: ${what}.\n`;
    printResult(terminal, options.json, facts, done);
    if (options.json) return;
    if (activation === undefined)
      tell(terminal, `All nodes answer from it after \`larder catalogue activate ${name}\`.\n`);
    for (const old of removed) tell(terminal, `${old} was removed; it was too old.\n`);
  });
}
