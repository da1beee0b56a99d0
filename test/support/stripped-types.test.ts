import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
// Plain JavaScript without types, since an older Node reads it.
const module: string = join(root, 'bin', 'stripped-types.mjs');
const { withoutComments } = (await import(module)) as { withoutComments(javaScript: string): string };

/** Every token with its line, so that equal lists mean equal programs with equal stack traces. */
function tokensOf(javaScript: string): string[] {
  const file = ts.createSourceFile('file.js', javaScript, ts.ScriptTarget.ESNext, false, ts.ScriptKind.JS);
  const found: string[] = [];
  const walk = (node: ts.Node) => {
    const children = node.getChildren(file).filter((child) => !ts.isJSDoc(child));
    if (children.length > 0) return children.forEach(walk);
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
    found.push(`${line} ${node.getText(file)}`);
  };
  walk(file);
  return found;
}

test('modules without comments are the same programs, line by line', () => {
  let [before, after] = [0, 0];
  const own = globSync('{src,packages}/**/*.ts', { cwd: root }).filter(
    (name) => !name.includes('node_modules') && !name.endsWith('.test.ts'),
  );
  const ofZod = globSync('node_modules/zod/v4/{classic,core}/*.js', { cwd: root });
  expect(ofZod.length).toBeGreaterThan(20);
  for (const name of [...own, ...ofZod]) {
    const text = readFileSync(join(root, name), 'utf8');
    const javaScript = name.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
    const shorter = withoutComments(javaScript);
    expect(tokensOf(shorter), name).toEqual(tokensOf(javaScript));
    before += javaScript.length;
    after += shorter.length;
  }
  expect(after).toBeLessThan(0.8 * before);
});

test('code after a comment stays, also before another comment', () => {
  const code = '/* a */ const b = 1;\n/* c */ const d = 2;\n/* e */';
  expect(withoutComments(code)).toBe('/* a */ const b = 1;\n/* c */ const d = 2;\n');
});

test('what looks like a comment within a line stays', () => {
  const code = "const a = 'http://x'; // why\nconst b = a /* c */ + 1;";
  expect(withoutComments(code)).toBe(code);
});
