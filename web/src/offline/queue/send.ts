import type { CallOptions, ChangeOptions, Larder } from 'larder-client';
import type { Value, Write } from './writes.ts';

/** What all operations on objects with an id have in common; the body is checked where it is made. */
interface Operations {
  add(body: object, options: CallOptions): Promise<Value>;
  change(id: string, body: object, options: ChangeOptions): Promise<Value>;
  remove(id: string, options: ChangeOptions): Promise<void>;
}

/** Sends a write once; returns the object as it is then, undefined after a deletion. */
export async function send(larder: Larder, userId: string, write: Write): Promise<Value | undefined> {
  const { kind, op, id, body = {}, base } = write;
  const user = larder.user(userId);
  // The queue repeats what fails, and knows when.
  const options = { maxRetries: 0 };
  if (kind === 'goals') {
    if (op === 'change') return (await user.goals.change(body, options)) as Value;
    return user.goals.remove(body, options) as Promise<undefined>;
  }
  const { version = 0 } = base ?? {};
  if (kind === 'day' || kind === 'settings') {
    const written = { ...options, ifMatch: version };
    return kind === 'day' ? user.days.change(id, body, written) : user.settings.change(body, written);
  }
  const condition = version === 0 ? {} : { ifMatch: version };
  const { diary, recipes, measurements, meals, favourites } = user;
  const all = {
    ...{ entry: diary, recipe: recipes, food: larder.foods, measurement: measurements },
    ...{ meal: meals, favourite: favourites },
  };
  const things = all[kind] as Operations;
  if (op === 'add') return things.add(body, options);
  if (op === 'change') return things.change(id, body, { ...options, ...condition });
  return things.remove(id, { ...options, ...condition }) as Promise<undefined>;
}
