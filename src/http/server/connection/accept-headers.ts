/** One element of `Accept` or `Accept-Encoding`, in lower case. */
interface Choice {
  readonly name: string;
  /** From 0, not acceptable, to 1. */
  readonly weight: number;
}

/** RFC 9110, 5.6.2: a token, or two of a media range. */
const NAME = /^[\w!#$%&'*+.^`|~-]+(?:\/[\w!#$%&'*+.^`|~-]+)?$/;
/** RFC 9110, 12.4.2. */
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
const WEIGHT_START = /^q\s*(?:=\s*|$)/;

/** Names that match a type, the most specific first. */
const HTML = ['text/html', 'text/*', '*/*'];
const JSON_NAMES = ['application/json', 'application/*', '*/*'];

const UNNAMED: Choice = { name: '', weight: 0 };

/** Whether the client prefers HTML to JSON. Of equal weights, the first in the header wins, and JSON without a header. */
export function prefersHtml(accept: string | undefined): boolean {
  const choices = readChoices(accept);
  const html = findChoice(choices, HTML);
  const json = findChoice(choices, JSON_NAMES);
  if (html.weight !== json.weight || html.weight === 0) return html.weight > json.weight;
  return choices.indexOf(html) < choices.indexOf(json);
}

/** The available encoding with the highest weight; of equal weights, the first, and `identity` last. */
export function preferredEncoding<Name extends string>(
  accepted: string | undefined,
  available: readonly Name[],
): Name | 'identity' {
  const choices = readChoices(accepted);
  const weightOf = (name: string) => findChoice(choices, [name, '*']).weight;
  const names = [...available, 'identity' as const];
  const highest = Math.max(...names.map(weightOf));
  // A client accepts `identity` without naming it, and one that accepts nothing gets it, too.
  return highest === 0 ? 'identity' : names.find((name) => weightOf(name) === highest)!;
}

function findChoice(choices: readonly Choice[], names: readonly string[]): Choice {
  for (const name of names) {
    const found = choices.find((choice) => choice.name === name);
    if (found !== undefined) return found;
  }
  return UNNAMED;
}

/** Empty if the header is absent or invalid. */
function readChoices(header = ''): readonly Choice[] {
  const elements = header.toLowerCase().split(',');
  const choices = elements.filter((element) => element.trim() !== '').map(readChoice);
  return choices.every((choice) => choice !== undefined) ? choices : [];
}

/** Undefined for an invalid element. Parameters other than the weight are ignored. */
function readChoice(element: string): Choice | undefined {
  const [name, ...parameters] = element.split(';').map((part) => part.trim());
  const stated = parameters.find((parameter) => WEIGHT_START.test(parameter));
  const weight = stated === undefined ? '1' : stated.replace(WEIGHT_START, '');
  return NAME.test(name!) && WEIGHT.test(weight) ? { name: name!, weight: Number(weight) } : undefined;
}
