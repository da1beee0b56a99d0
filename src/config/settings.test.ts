import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BACKUP } from './backup-settings.ts';
import { CLUSTER } from './cluster-settings.ts';
import { OPENID } from './openid-settings.ts';
import { settingsOf } from './setting.ts';
import { CLIENT, OIDC, SERVICE, SETTINGS, VISION } from './settings.ts';
import { TLS } from './tls-settings.ts';

const PAGE = new URL('../../docs/configuration.md', import.meta.url);

/** `npx vitest run src/config -u` writes the page. */
test('docs/configuration.md lists every setting with its default and meaning, and no other', async () => {
  const page = readFileSync(PAGE, 'utf8');
  const tables = [{ SERVICE, TLS, BACKUP, CLIENT }, OPENID, OIDC, VISION, CLUSTER].map((table) =>
    settingsOf(table)
      .map(
        ({ name, fallback, meaning }) =>
          `| \`${name}\` | ${fallback ? `\`${fallback}\`` : 'none'} | ${meaning} |\n`,
      )
      .join(''),
  );
  const expected = page.replaceAll(/(^\| `LARDER_.*\n)+/gm, () => tables.shift()!);
  expect(tables).toEqual([]);
  await expect(expected).toMatchFileSnapshot(PAGE.pathname);
});

test('each setting is named once', () => {
  const names = SETTINGS.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});
