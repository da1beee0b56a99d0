import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import packageJson from '../../../package.json' with { type: 'json' };

interface Build {
  readonly version: string;
  /** The commit of a checkout, or of an image that was built with its name in the file `commit`. */
  readonly commit?: string;
}

const ROOT = new URL('../../../', import.meta.url);
const COMMIT = /^[0-9a-f]{40}$/;

/** The version of this program, and its commit if the files say it. */
export function readBuild(): Build {
  const head = read('.git/HEAD');
  const ref = /^ref: (.+)$/.exec(head ?? '')?.[1];
  const commit = [read('commit'), head, ref && read(`.git/${ref}`), ref && packed(ref)].find(
    (text) => text !== undefined && COMMIT.test(text),
  );
  return { version: packageJson.version, ...(commit && { commit }) };
}

function packed(ref: string): string | undefined {
  return read('.git/packed-refs')
    ?.split('\n')
    .find((line) => line.endsWith(` ${ref}`))
    ?.split(' ')[0];
}

function read(name: string): string | undefined {
  try {
    return readFileSync(fileURLToPath(new URL(name, ROOT)), 'utf8').trim();
  } catch {
    return undefined;
  }
}
