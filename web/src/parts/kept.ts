import { person } from '../account/session.ts';
import { retyped } from '../amounts/typed-number.ts';
import { locale } from '../texts/texts.ts';

/** Values that this browser keeps by name for the signed-in person: drafts outside of forms. */
export function keptAs<T>(name: string): T | undefined {
  return readKept(keyOf(name));
}

/** Reads what `keptText` made: numbers in it are as the language of the page writes them now. */
export function readKept<T>(key: string): T | undefined {
  try {
    const { typedIn, ...value } = JSON.parse(localStorage.getItem(key) ?? 'null');
    return typedIn === undefined || typedIn === locale.peek() ? value : retyped(value, typedIn);
  } catch {
    return undefined;
  }
}

export function keptText(value: object): string {
  return JSON.stringify({ ...value, typedIn: locale.peek() });
}

/** Without a value it is forgotten. Where the browser has no room, it lives as long as the page. */
export function keep(name: string, value: object | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(keyOf(name));
    else localStorage.setItem(keyOf(name), keptText(value));
  } catch {
    return;
  }
}

function keyOf(name: string): string {
  return `larder-kept/${person.peek()?.id}/${name}`;
}
