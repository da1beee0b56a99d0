import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { packClient } from '../../tools/client/build.ts';
import { tempFolder } from './temp-folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const execute = promisify(execFile);

/** The strictest options of a project, including checks of libraries. */
const COMPILER_OPTIONS = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
};

/** An empty project with the packed client installed. */
export interface ClientProject extends Disposable {
  readonly path: string;
  /** The packed client. */
  readonly tarball: string;
  /** Compiles one file, for Node or for a browser. Throws the messages of the compiler. */
  compile(file: string, platform: 'node' | 'browser'): Promise<void>;
}

export async function openClientProject(): Promise<ClientProject> {
  const folder = tempFolder();
  const { path } = folder;
  const tarball = await packClient(path);
  await writeFile(join(path, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  await execute('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: path });
  await mkdir(join(path, 'node_modules', '@types'), { recursive: true });
  for (const name of ['@types/node', 'undici-types']) {
    await symlink(join(ROOT, 'node_modules', name), join(path, 'node_modules', name));
  }
  return {
    path,
    tarball,
    async compile(file, platform) {
      const environment = platform === 'node' ? { types: ['node'] } : { types: [], lib: ['es2022', 'dom'] };
      const config = { compilerOptions: { ...COMPILER_OPTIONS, ...environment }, files: [file] };
      await writeFile(join(path, 'tsconfig.json'), JSON.stringify(config));
      const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
      const { stdout } = await execute(process.execPath, [compiler, '-p', path]).catch((error) => error);
      expect(stdout).toBe('');
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const BLOCK = /^```(ts|text)\n([\s\S]*?)^```$/gm;
/** In the output of a page: any text up to the end of the line. */
const ANYTHING = '…';

/** Compiles the `ts` blocks of a page as one module, runs it and expects the `text` blocks as its output. */
export async function runClientPage(
  project: ClientProject,
  page: string,
  env: Readonly<Record<string, string>>,
  [program, ...words]: readonly [string, ...string[]] = [process.execPath],
): Promise<void> {
  const blocks = [...(await readFile(join(ROOT, page), 'utf8')).matchAll(BLOCK)];
  const textOf = (kind: string) => blocks.filter(([, other]) => other === kind).map(([, , text]) => text!);
  expect(textOf('ts').length).toBeGreaterThan(0);
  await writeFile(join(project.path, 'page.ts'), textOf('ts').join('\n'));
  await project.compile('page.ts', 'node');
  const { stdout, stderr } = await execute(program, [...words, 'page.js'], {
    cwd: project.path,
    env: { PATH: process.env['PATH'], HOME: project.path, ...env },
  });
  expect(stderr).toBe('');
  expectLines(stdout, textOf('text').join(''));
}

function expectLines(output: string, shown: string): void {
  const [lines, expected] = [output, shown].map((text) => text.trimEnd().split('\n')) as [string[], string[]];
  const cut = lines.map((line, at) => {
    const end = expected[at]?.indexOf(ANYTHING) ?? -1;
    return end === -1 ? line : line.slice(0, end) + ANYTHING;
  });
  expect(cut).toEqual(expected);
}
