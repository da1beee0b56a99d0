/**
 * How often a line of a recipe becomes the right food in the right amount, over 320 lines labelled by hand, and how often a sure
 * answer is wrong. `--lines FILE` names another labelled file in the folder of real data. The wrong ones go to a file in the temp
 * folder of the system, the surest first.
 */
import { parseArgs } from 'node:util';
import { measureGoldLines } from './support/gold-lines.ts';

const { values } = parseArgs({ options: { lines: { type: 'string' } } });
await measureGoldLines(values.lines);
