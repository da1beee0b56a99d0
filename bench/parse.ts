/**
 * How well text is read. `--part lines` reads ingredient lines, beside the npm parsers of ingredient lines that are
 * installed. `--lines FILE` names another labelled file. The worst go to a file in the temp folder of the system.
 */
import { parseArgs } from 'node:util';
import { measureLines } from './support/parse-lines.ts';

const PARTS: Readonly<Record<string, (file: string | undefined) => Promise<void>>> = { lines: measureLines };

const { values } = parseArgs({ options: { part: { type: 'string' }, lines: { type: 'string' } } });
for (const [name, measure] of Object.entries(PARTS)) {
  if (values.part === undefined || values.part === name) await measure(values.lines);
}
