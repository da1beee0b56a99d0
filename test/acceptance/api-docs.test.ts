import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'api.md'), 'utf8');
const EXAMPLE = /```sh\n(?<command>curl [^\n]+)\n```\n\n```json\n(?<answer>[\s\S]+?)```/g;

let service: ServiceProcess;
beforeAll(async () => {
  service = await startServiceProcess({ LARDER_THREADS: '1' });
});
afterAll(() => service[Symbol.asyncDispose]());

const examples = [...PAGE.matchAll(EXAMPLE)].map(
  ({ groups }) => groups as { command: string; answer: string },
);

it('every command of docs/api.md has an answer beside it', () => {
  expect(examples).toHaveLength(PAGE.match(/^curl /gm)!.length);
});

it.each(examples)('$command is answered as docs/api.md says', async ({ command, answer }) => {
  const fill = (text: string) => text.replace('$URL', service.url).replace('$KEY', service.key);
  const [, url] = /"(\$URL[^"]*)"$/.exec(command)!;
  const headers = [...command.matchAll(/-H "([\w-]+): ([^"]+)"/g)].map(([, name, value]) => [
    name!,
    fill(value!),
  ]);
  const response = await fetch(fill(url!), { headers: Object.fromEntries(headers) });
  // The page may leave out what would only make it longer.
  expect(await response.json()).toMatchObject(JSON.parse(answer));
});
