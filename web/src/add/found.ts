import { effect, signal } from '@preact/signals';
import { type EatenFood, type Food, LarderError, type ParsedText } from 'larder-client';
import { person } from '../account/session.ts';
import { larder } from '../larder.ts';
import { local } from '../offline/device.ts';
import { problemOf } from '../parts/problem.ts';

/** What is typed into the one field of the dialog. */
export const query = signal('');
export const foods = signal<readonly Food[]>([]);
/** How the service reads the text, where it names amounts or several foods. */
export const reading = signal<ParsedText | undefined>(undefined);
export const recents = signal<readonly EatenFood[]>([]);
/** The query that `foods` and `reading` are answers to. */
export const answered = signal('');
export const problem = signal<string | undefined>(undefined);

const MAX_FOODS = 12;
const MAX_RECENTS = 12;
const MIN_LENGTH = 2;
const BARCODE = /^\d(?:[\s-]?\d){5,13}$/;
/** A digit beside letters, a list, or "and": worth reading as a text. */
const SENTENCE = /\d.*\p{L}|\p{L}.*\d|[,;\n]|\s(?:and|und|et|y|e|with|mit|avec|con|com)\s/iu;

let asking: AbortController | undefined;

effect(() => {
  const text = query.value.trim();
  asking?.abort();
  if (text.length < MIN_LENGTH) {
    foods.value = [];
    reading.value = undefined;
    answered.value = '';
    problem.value = undefined;
    return;
  }
  asking = new AbortController();
  void ask(text, asking.signal);
});

async function ask(text: string, signal: AbortSignal): Promise<void> {
  try {
    const isBarcode = BARCODE.test(text);
    const [found, read] = await Promise.all([
      isBarcode
        ? byBarcode(text, signal)
        : larder.foods.search({ q: text, limit: MAX_FOODS, userId: self() }, { signal }),
      !isBarcode && SENTENCE.test(text)
        ? larder.foods.parse({ text, context: 'meal' }, { signal })
        : undefined,
    ]);
    foods.value = found;
    reading.value = read !== undefined && namesAmounts(read) ? read : undefined;
    answered.value = text;
    problem.value = undefined;
  } catch (error) {
    if (!signal.aborted) problem.value = problemOf(error);
  }
}

/** Several foods or an amount; otherwise the text is the name of a food, and search answers it. */
function namesAmounts({ items }: ParsedText): boolean {
  return items.length > 1 || items.some(({ quantity }) => quantity !== null);
}

async function byBarcode(code: string, signal: AbortSignal): Promise<readonly Food[]> {
  try {
    return [await larder.foods.byBarcode(code, { userId: self() }, { signal })];
  } catch (error) {
    if (error instanceof LarderError && error.code === 'barcode_not_found') return [];
    throw error;
  }
}

/** Shows what this device keeps at once, then what the service answers. */
export async function loadRecents(): Promise<void> {
  const { copy, userId } = local();
  recents.value = ((await copy.note('recents').catch(() => [])) ?? []).slice(0, MAX_RECENTS);
  const { foods } = larder.user(userId);
  recents.value = await foods.recent({ limit: MAX_RECENTS }).catch(() => recents.peek());
}

function self(): string {
  return person.peek()!.id;
}
