import { Command } from 'commander';
import { type CompileProgress, compileCatalogue } from '../../catalogue/compile/compile.ts';
import { readConfig } from '../../config/config.ts';
import { OperatorError } from '../../errors.ts';
import { openOwnCatalogueStore } from '../terminal/file-arguments.ts';
import type { Terminal } from '../terminal/terminal.ts';

export function catalogueRebuildCommand(terminal: Terminal): Command {
  return new Command('rebuild')
    .description(
      'Compile the foods of the catalogue in use anew and take the result into use, for example after an upgrade.',
    )
    .addHelpText('after', '\nExample:\n  larder catalogue rebuild')
    .action(async () => {
      await using workspace = await openOwnCatalogueStore(readConfig(terminal.env)).beginImport();
      const segments = workspace.segments.map(({ file }) => file);
      if (segments.length === 0)
        throw new OperatorError('Nothing was imported yet; see `larder import --help`.');
      const { info } = await compileCatalogue({
        segments,
        out: workspace.catalogueFile,
        disk: workspace.disk,
        nowMs: Date.now,
        onProgress: (progress) => printPhase(terminal, progress),
      });
      terminal.out.write(`${await workspace.publish()} is in use: ${info.foods} foods.\n`);
    });
}

/** One line for each finished phase. */
function printPhase({ err }: Terminal, { phase, done, total }: CompileProgress): void {
  if (done === total) err.write(`${phase}: done\n`);
}
