import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generateMethods, METHODS_FILE } from './generate-methods.ts';
import { generateTypes, TYPES_FILE } from './generate-types.ts';

test('the types and methods of the client are generated from the current documents: run `npm run openapi`', async () => {
  const lines = (text: string) => text.split('\n');
  expect(lines(await generateTypes())).toEqual(lines(readFileSync(TYPES_FILE, 'utf8')));
  expect(lines(await generateMethods())).toEqual(lines(readFileSync(METHODS_FILE, 'utf8')));
});
