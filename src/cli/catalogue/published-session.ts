import { OperatorError } from '@larder/core/errors.ts';
import { openPublished } from '../../app/open-published.ts';
import { commandConfig } from '../terminal/command-config.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Published = Awaited<ReturnType<typeof openPublished>>;

/** Opens the published catalogues of the configured cluster for one command. */
export async function withPublished(
  terminal: Terminal,
  use: (published: Published) => Promise<void>,
): Promise<void> {
  const { config } = commandConfig(terminal);
  if (config.mode !== 'cluster') {
    throw new OperatorError(
      'Only a cluster has published catalogues, and no settings of a cluster are set (docs/cluster.md). A single service ' +
        'switches to each import by itself; `larder catalogue use NAME` switches to another catalogue.',
    );
  }
  const published = await openPublished(config);
  try {
    await use(published);
  } finally {
    await published.close();
  }
}

export function noSuchVersion(name: string): OperatorError {
  return new OperatorError(
    `No catalogue ${JSON.stringify(name)} is published; \`larder catalogue list --published\` shows those that are.`,
  );
}
