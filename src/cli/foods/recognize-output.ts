import type { AnalysisOutcome, RecognizerRun } from '../../scan/analysis/analysis.ts';
import type { Proposal } from '../../scan/recognizer.ts';
import type { ScanItem } from '../../scan/scan-result.ts';
import type { UnreadFile } from '../terminal/file-arguments.ts';
import { percent, toLines } from '../terminal/format.ts';

const LABEL_WIDTH = 40;

/** Formats a result as one line of JSON. */
export function recognitionJson(file: string, { analysis, ...outcome }: AnalysisOutcome): string {
  const { items, ...rest } = analysis;
  return `${JSON.stringify({ file, items, ...('failure' in outcome && { failure: outcome.failure }), ...rest })}\n`;
}

/** Formats an unreadable file as one line of JSON. */
export function unreadJson(file: string, failure: UnreadFile): string {
  return `${JSON.stringify({ file, failure })}\n`;
}

/** Formats a result as a table for a terminal. */
export function recognitionText(file: string, { analysis, ...outcome }: AnalysisOutcome): string {
  const { timings, recognizers, items } = analysis;
  const lines = [
    file,
    ...items.flatMap(itemLines),
    ...('failure' in outcome ? [`  ${outcome.failure.code}: ${outcome.failure.message}`] : []),
    ...recognizers.flatMap(runLines),
    `  decoded in ${ms(timings.decodeMs)}, grounded in ${ms(timings.groundMs)}, ${ms(timings.totalMs)} in all`,
  ];
  return toLines(lines);
}

function itemLines({ name, brand, foodId, ...item }: ScanItem): string[] {
  const { energy, protein, fat, carbohydrates } = item.macros;
  const range = item.servingRangeGrams;
  const helping = range === undefined ? '' : ` (${range.low} to ${range.high})`;
  return [
    `  ${name}${brand === undefined ? '' : ` (${brand})`}  ${percent(item.confidence)}${item.unsure ? ', unsure' : ''}`,
    `    ${item.servingGrams} g${helping}: ${energy} kcal, protein ${protein} g, fat ${fat} g, carbohydrates ${carbohydrates} g`,
    `    by its ${item.origin}${foodId === undefined ? '' : `, ${foodId}`}${item.barcode === undefined ? '' : `, ${item.barcode}`}`,
    ...item.alternatives.map((other) => `    or ${candidate(other.name, other.foodId, other.confidence)}`),
  ];
}

function runLines({ name, version, outcome, proposals, ms: tookMs }: RecognizerRun): string[] {
  return [
    `  ${name} (${version}): ${outcome.replaceAll('_', ' ')}, ${ms(tookMs)}`,
    ...proposals.flatMap(proposalLines).map((line) => `    ${line}`),
  ];
}

function proposalLines(proposal: Proposal): string[] {
  const { confidence } = proposal;
  switch (proposal.kind) {
    case 'barcode':
      return [candidate(proposal.digits, '', confidence)];
    case 'label':
      return [candidate(`nutrition facts per 100 ${proposal.basis}`, '', confidence)];
    case 'named':
      return [candidate(proposal.name, '', confidence)];
    case 'dish':
      return [proposal, ...proposal.alternatives].map((each) =>
        candidate(each.label, each.foodId, each.confidence),
      );
  }
}

function candidate(label: string, foodId: string, confidence: number): string {
  return `${label.padEnd(LABEL_WIDTH)}  ${percent(confidence).padStart(5)}  ${foodId}`.trimEnd();
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
