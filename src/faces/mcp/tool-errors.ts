import { AppError, type ErrorCode } from '@larder/core/errors.ts';
import { MAIN_AMOUNTS, NUTRIENT_OF } from '../../diary/records/entry.ts';

// Rewords errors of operations for the callers of tools.

/** Advice for the caller of a tool about an error, beyond its message. */
const ADVICE: Readonly<Partial<Record<ErrorCode, string>>> = {
  unresolved_items:
    'Nothing was written. The details name the words and foods that may be meant; log_meal takes these by foodId, and with partial ' +
    'it leaves out what is not understood.',
  food_not_found: 'search_foods finds foods and their ids.',
  barcode_not_found: 'log_meal also takes a foodName with the values of the label.',
  diary_entry_not_found: 'get_day lists the entries of a day with their ids.',
  scan_job_not_found: 'scan_photo without a scanJobId begins a scan.',
  version_conflict: 'Nothing was changed. The details have the present state in "current".',
  idempotency_conflict: 'Another idempotencyKey names another write.',
  deleted: 'What had this id was deleted.',
};

export function adviceFor({ code, details }: AppError): string {
  if (code === 'forbidden' && 'scope' in details)
    return 'The operator can create a key with this scope by `larder key create`.';
  return ADVICE[code] ?? '';
}

/** The arguments for fields of the API. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(MAIN_AMOUNTS.map((key) => [key, `nutrients.${NUTRIENT_OF[key]}`])),
};

/** The error with the arguments of the tool instead of the fields that they were converted to. */
export function aboutArguments(error: AppError): AppError {
  const { code, message, details } = error;
  const { parameter, ...rest } = details as { parameter?: string; fields?: readonly string[] };
  // A tool has arguments where an operation has a query and a body.
  const fields = parameter === undefined ? rest.fields : [parameter];
  if (fields === undefined) return error;
  let text = message
    .replace('The body does not fit', 'The arguments do not fit')
    .replace(/^\[\d+\]: /, 'foods$&');
  for (const field of fields) text = text.replaceAll(`"${field}"`, `"${argumentOf(field)}"`);
  return AppError.remade({ code, message: text, details: { ...rest, fields: fields.map(argumentOf) } });
}

/** Converts `[0].calories` to `foods[0].nutrients.energy`. */
function argumentOf(field: string): string {
  const path = field.startsWith('[') ? `foods${field}` : field;
  return path.replace(/(?:nutrients\.)?(\w+)$/, (whole, name) => ARGUMENTS[name] ?? whole);
}
