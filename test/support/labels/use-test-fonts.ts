import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Makes text in SVG images look equal on all machines, with fonts from npm. Call it before the process draws
 * its first text.
 */
export function useTestFonts(): void {
  if (process.env['FONTCONFIG_FILE'] !== undefined) return;
  const fonts = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');
  const dir = mkdtempSync(join(tmpdir(), 'larder-fonts-'));
  const file = join(dir, 'fonts.conf');
  writeFileSync(
    file,
    `<?xml version="1.0"?><fontconfig><dir>${fonts}</dir><cachedir>${dir}</cachedir></fontconfig>`,
  );
  process.env['FONTCONFIG_FILE'] = file;
}
