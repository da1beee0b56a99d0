import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LABEL_MODEL } from './text-reader.ts';

const card = readFileSync(`${LABEL_MODEL}/MODEL_CARD.md`, 'utf8');
const files = [...card.matchAll(/^\| `([\w.]+)` .*`([0-9a-f]{64})` \|$/gm)];

test.each(files.map(([, file, sha256]) => [file!, sha256!]))('%s is the file of the card', (file, sha256) => {
  expect(
    createHash('sha256')
      .update(readFileSync(`${LABEL_MODEL}/${file}`))
      .digest('hex'),
  ).toBe(sha256);
});

test('the card names all files of the model', () => {
  expect(files).toHaveLength(3);
});
