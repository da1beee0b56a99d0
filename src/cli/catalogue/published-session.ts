import { openPublished } from '../../compose/published-catalogues.ts';
import { readConfig } from '../../config/config.ts';
import { OperatorError } from '../../errors.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Published = Awaited<ReturnType<typeof openPublished>>;

/** Opens the published catalogues of the configured cluster for one command. */
export async function withPublished(
  terminal: Terminal,
  use: (published: Published) => Promise<void>,
): Promise<void> {
  const config = readConfig(terminal.env);
  if (config.mode !== 'cluster') {
    throw new OperatorError(
      'Catalogues are published for the nodes of a cluster, and this is a service of its own (no LARDER_DATABASE_URL ' +
        'and so on, see docs/cluster.md). It takes what was imported into use by itself; `larder catalogue list` shows ' +
        'what there is, `larder catalogue use NAME` takes another one.',
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
