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
      'Upload a catalogue to the object store of the cluster, from where all nodes can fetch it. It is not visible before ' +
        'the upload is complete. If an upload was interrupted, run the command again: it continues.',
    )
    .argument('[name-or-file]', 'name of a stored catalogue, or a path; default: the catalogue in use there')
    .option('--activate', 'then switch all nodes to it')
    .option('--again', 'upload every part again, for example after one was damaged in the object store')
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
