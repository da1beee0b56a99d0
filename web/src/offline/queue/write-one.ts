import { tell } from '../../parts/toast.tsx';
import { texts } from '../../texts/texts.ts';
import { changed, local, writes } from '../device.ts';
import { refusalOf, write } from './write.ts';
import { isSame, type NewWrite, type OwnKind, type Shown, type Things, type Write } from './writes.ts';

/** The write of an object that the service refused, which a later one replaces. */
export function refusedWrite(kind: OwnKind, id: string): Write | undefined {
  return writes.value.find((each) => isSame(each, { kind, id }) && each.state === 'refused');
}

/**
 * Writes a recipe or an own food. Returns it as the service has it, or as it is shown until the service has it. Throws what the
 * service refuses; if something of the object was refused before, it stays set aside as it is now.
 */
export async function writeOne<K extends OwnKind>(kind: K, wanted: NewWrite): Promise<Shown<Things[K]>> {
  const { copy } = local();
  const refused = await takeRefused(wanted);
  const taken = await write([wanted]);
  const refusal = refusalOf(taken.left);
  if (refusal?.code === 'version_conflict') tell(texts.peek().problems.conflict);
  else if (refusal !== undefined) {
    if (refused.length === 0) await taken.discard();
    throw refusal;
  }
  if (taken.answers !== undefined) return taken.answers[0] as Things[K];
  const all = await copy.all(kind);
  // The service may have given it a longer id.
  const isIt = (each: Shown<Things[K]>) => {
    const { id } = each as { readonly id: string };
    return id === wanted.id || id.startsWith(`${wanted.id}.`);
  };
  return all.find(isIt) ?? (wanted.preview as Things[K]);
}

/** Deletes a recipe or an own food; "Undo" writes `again`. Throws what the service refuses. */
export async function removeOne(removal: NewWrite, name: string, again: () => NewWrite): Promise<void> {
  const refused = await takeRefused(removal);
  // What the service never had is gone with that.
  const isNew = refused.some(({ op }) => op === 'add');
  const taken = isNew ? undefined : await write([removal]);
  if (isNew) changed();
  const refusal = taken && refusalOf(taken.left);
  if (refusal !== undefined && refusal.code !== 'version_conflict') {
    await taken?.discard();
    throw refusal;
  }
  if (refusal !== undefined) return tell(texts.peek().problems.conflict);
  tell(texts.peek().deleted(name), async () => {
    if ((await taken?.cancel()) !== true) await write([again()]);
  });
}

/** Takes what was refused of an object out of the queue. */
async function takeRefused(of: Pick<NewWrite, 'kind' | 'id'>): Promise<readonly Write[]> {
  const { copy } = local();
  const all: readonly Write[] = await copy.writes().catch(() => []);
  const refused = all.filter((each) => isSame(each, of) && each.state === 'refused');
  for (const each of refused) await copy.discard(each);
  return refused;
}
