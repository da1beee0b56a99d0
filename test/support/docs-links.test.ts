import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const LINK = /\]\(([^)\s]+)\)/g;
const FENCE = /^```[\s\S]*?^```$/gm;

const pages = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

test.each(pages)('every link in %s leads to an existing file and heading', (page) => {
  const links = [...readText(page).matchAll(LINK)].map(([, link]) => link!);
  const local = links.filter((link) => !link.includes('://'));
  expect(local.filter((link) => !leadsSomewhere(page, link))).toEqual([]);
});

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(ROOT, target))) return false;
  return anchor === undefined || anchorsOf(target).includes(anchor);
}

/** Anchors as GitHub derives them from headings. */
function anchorsOf(page: string): string[] {
  return [...readText(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function readText(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8').replaceAll(FENCE, '');
}
