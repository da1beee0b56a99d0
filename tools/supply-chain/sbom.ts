import { execFileSync, type StdioOptions } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Licensed } from './licences.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** A component list of all platforms is some 500 kB. */
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;

interface Component {
  readonly 'bom-ref'?: string;
  readonly name: string;
  readonly version?: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
  readonly licenses?: readonly (
    | { readonly expression: string }
    | { readonly license: { id?: string; name?: string } }
  )[];
}

/** The used part of CycloneDX. */
export interface Sbom {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: object };
  readonly components: readonly Component[];
}

/** The dish model, which ships with Larder and is not on npm. Its card names the training data. */
const DISH_MODEL = {
  'bom-ref': 'models/dish-mobilenet',
  type: 'machine-learning-model',
  name: 'dish-mobilenet',
  scope: 'optional',
  description:
    'Recognizes dishes on photos. Training data and their licences: models/dish-mobilenet/MODEL_CARD.md.',
};

/** All packages of the lock file for all platforms; `shipped` excludes those for building and testing. */
export function makeSbom({ shipped }: { shipped: boolean }): Sbom {
  const made = JSON.parse(npmSbom()) as Sbom;
  return {
    ...made,
    // npm uses the folder's name.
    metadata: { ...made.metadata, component: { ...made.metadata.component, name: 'larder' } },
    components: [
      ...made.components.filter(
        (component) => !isOwnPackage(component) && (!shipped || !isForDevelopment(component)),
      ),
      DISH_MODEL,
    ],
  };
}

/** npm needs a version of each package, which the client gets when it is built. */
function npmSbom(): string {
  const folder = mkdtempSync(join(tmpdir(), 'larder-sbom-'));
  try {
    cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
    lock.packages['packages/client'].version ??= '0.0.0';
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
    const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe'];
    return execFileSync('npm', args, { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES, stdio, encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The workspaces are parts of the described program itself. */
function isOwnPackage(component: Component): boolean {
  return component['bom-ref']?.startsWith('@larder/') === true;
}

/** `npm sbom --omit dev` omits shipped packages that tests also use. */
function isForDevelopment({ properties = [] }: Component): boolean {
  return properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
}

/** Packages only; the model states its licences in its card. */
export function packagesOf({ components }: Sbom): Licensed[] {
  return components
    .filter((component) => component !== DISH_MODEL)
    .map(({ name, version = '', licenses = [] }) => ({
      name,
      version,
      licence:
        licenses
          .map((stated) =>
            'expression' in stated ? stated.expression : (stated.license.id ?? stated.license.name!),
          )
          .join(' AND ') || 'none',
    }));
}
