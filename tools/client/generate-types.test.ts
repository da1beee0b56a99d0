import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generateTypes, TYPES_FILE } from './generate-types.ts';

test('the types of the client are generated from the current documents: run `npm run openapi`', async () => {
  const lines = (text: string) => text.split('\n');
  expect(lines(await generateTypes())).toEqual(lines(readFileSync(TYPES_FILE, 'utf8')));
});
