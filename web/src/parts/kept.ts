import { person } from '../account/session.ts';

/** What this browser keeps under a name for the person who is signed in: drafts of what is no form. */
export function keptAs<T>(name: string): T | undefined {
  try {
    return JSON.parse(localStorage.getItem(keyOf(name)) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Without a value it is forgotten. Where the browser has no room, it lives as long as the page. */
export function keep(name: string, value: object | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(keyOf(name));
    else localStorage.setItem(keyOf(name), JSON.stringify(value));
  } catch {
    return;
  }
}

function keyOf(name: string): string {
  return `larder-kept/${person.peek()?.id}/${name}`;
}
