import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { newMcpClient, openMcpSession, sessionOf } from '../support/mcp-client.ts';
import { createOwnKey } from '../support/own-key.ts';
import { runLarder } from '../support/run-larder.ts';
import { loosen } from '../support/run-page.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/assistants.md'), 'utf8');
const blocks = [...page.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, kind, text]) => ({
  kind: kind!,
  text: text!,
}));
const configs = blocks.filter(({ kind }) => kind === 'json config').map(({ text }) => JSON.parse(text));
const commands = blocks.filter(({ kind }) => kind === '').map(({ text }) => text.trim());
const examples = blocks.flatMap(({ kind, text }, at) => {
  const tool = /^json tool=(\w+)$/.exec(kind)?.[1];
  return tool === undefined
    ? []
    : [{ tool, given: JSON.parse(text), answer: JSON.parse(blocks[at + 1]!.text) }];
});

let service: ServiceProcess;
let key: string;
beforeAll(async () => {
  service = await startServiceProcess({ LARDER_THREADS: '1' });
  const [, ...words] = commands[0]!.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ''));
  const printed = await runLarder({ LARDER_DATA_DIR: service.dataDir }, ...words);
  key = /lrd_\S+/.exec(printed)![0];
});
afterAll(() => service[Symbol.asyncDispose]());

/** Starts the program that the page calls `larder`, with the address and key of the test. */
async function start(words: readonly string[], settings: Readonly<Record<string, string>>) {
  const args = words.map((word) => word.replace('https://food.example.org', service.url));
  const env = { PATH: process.env['PATH'] ?? '', ...settings };
  const command = { command: process.execPath, args: [join(ROOT, 'bin/larder.mjs'), ...args], env };
  const client = newMcpClient('2025-11-25');
  await client.connect(new StdioClientTransport({ ...command, stderr: 'ignore' }));
  return sessionOf(client);
}

describe('docs/assistants.md', () => {
  it('has set-ups that start', async () => {
    expect(configs).toHaveLength(2);
    using folder = tempFolder();
    const own = { LARDER_DATA_DIR: folder.path, LARDER_PORT: String(await freePort()), LARDER_THREADS: '1' };
    for (const { mcpServers } of configs) {
      const { command, args, env } = mcpServers.larder;
      expect(command).toBe('larder');
      await using session = await start(args, { ...own, ...(env.LARDER_KEY && { LARDER_KEY: key }) });
      expect((await session.client.listTools()).tools).toHaveLength(25);
      expect((await session.result('get_day')).day.understoodAs).toContain('Europe/Berlin');
    }
    const [, ofClaude] = /-- larder (mcp .*)$/m.exec(page)!;
    await using session = await start(ofClaude!.split(' '), { LARDER_KEY: key });
    expect((await session.client.listTools()).tools).toHaveLength(25);
  });

  it('has a set-up for a key of a person, which acts for that person without naming a user', async () => {
    const { key: ofPerson, userId } = await createOwnKey(service);
    const { mcpServers } = JSON.parse(blocks.find(({ kind }) => kind === 'json own')!.text);
    const { url, headers } = mcpServers.larder;
    expect(headers).toEqual({ Authorization: 'Bearer lrd_…' });
    await using session = await openMcpSession(
      url.replace('https://food.example.org', service.url),
      ofPerson,
      '2026-07-28',
    );
    await session.result('log_meal', {
      date: '2026-03-02',
      mealType: 'lunch',
      foods: [{ foodName: 'Soup', nutrients: { energy: 90 } }],
    });
    const authorization = `Bearer ${ofPerson}`;
    const answer = await fetch(`${service.url}/v1/users/${userId}/diary?date=2026-03-02`, {
      headers: { authorization },
    });
    expect(await answer.json()).toMatchObject([{ foodName: 'Soup', calories: 90 }]);
  });

  it('shows what tools answer', async () => {
    expect(examples.length).toBeGreaterThan(3);
    const url = `${service.url}/mcp?userId=ann&timeZone=Europe/Berlin`;
    await using session = await openMcpSession(url, key, '2026-07-28');
    for (const { tool, given, answer } of examples)
      expect([tool, await session.result(tool, given)]).toEqual([tool, loosen(answer)]);
    const error = /^> (.*)$/m.exec(page)![1];
    expect((await session.call('delete_entry', { entryId: 'none' })).text).toBe(error);
  });

  it('names all tools with their scope, and the limits', async () => {
    await using session = await openMcpSession(`${service.url}/mcp?userId=ann`, key, '2026-07-28');
    const { tools } = await session.client.listTools();
    const rows = [...page.matchAll(/^\| `[\w:]+` \| (.*) \|$/gm)].map(([, named]) => named!);
    const named = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
    expect(named.toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
  });
});
