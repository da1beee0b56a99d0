import { useEffect, useRef } from 'preact/hooks';
import { pathTo } from '../larder.ts';
import { Icon } from '../parts/icon.tsx';
import { texts } from '../texts/texts.ts';
import { setAside } from './device.ts';
import { Facts } from './facts.tsx';
import { discard, keepMine, tryAgain } from './queue/decide.ts';
import type { Kind, Write } from './queue/writes.ts';

/** Codes of entries whose food or recipe does not exist. */
const GONE = ['food_not_found', 'recipe_not_found'];
/** Addresses of the forms that go on from what was refused. */
const EDIT_PATHS: Readonly<Partial<Record<Kind, (id: string) => string>>> = {
  recipe: (id) => pathTo(`app/recipes?recipe=${id}&edit`),
  food: (id) => pathTo(`app/foods?food=${id}`),
};

/** Lists the writes that a person has to decide about. */
export function SetAsideDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const { offline, close } = texts.value;
  return (
    <dialog ref={dialog} class="set-aside" aria-labelledby="set-aside-title" onClose={onClose}>
      <header>
        <h2 id="set-aside-title">{offline.title}</h2>
        <button type="button" class="round" aria-label={close} onClick={() => dialog.current?.close()}>
          <Icon name="x" />
        </button>
      </header>
      {setAside.value.length === 0 && <p class="empty">{offline.nothingLeft}</p>}
      <ul>
        {setAside.value.map((write) => (
          <li key={write.seq} class="card">
            {write.state === 'conflict' ? (
              <Conflict write={write} />
            ) : (
              <Refused write={write} onLeave={() => dialog.current?.close()} />
            )}
          </li>
        ))}
      </ul>
    </dialog>
  );
}

interface RefusedProps {
  readonly write: Write;
  /** Called when another view is opened. */
  readonly onLeave: () => void;
}

function Refused({ write, onLeave }: RefusedProps) {
  const { offline, edit } = texts.value;
  const editPath = write.op === 'remove' ? undefined : EDIT_PATHS[write.kind]?.(write.id);
  return (
    <>
      <Facts kind={write.kind} value={write.preview ?? write.base} />
      <p class="problem">
        {GONE.includes(write.reason?.code ?? '')
          ? offline.foodIsGone
          : `${offline.refused} ${write.reason?.message}`}
      </p>
      <p class="decisions">
        <button type="button" class="primary" onClick={() => void tryAgain(write)}>
          {offline.tryAgain}
        </button>
        {editPath !== undefined && (
          <a class="button" href={editPath} onClick={onLeave}>
            {edit}
          </a>
        )}
        <button type="button" class="danger" onClick={() => void discard(write)}>
          {offline.discard}
        </button>
      </p>
    </>
  );
}

function Conflict({ write }: { readonly write: Write }) {
  const { offline } = texts.value;
  return (
    <>
      <p>{write.theirs === null ? offline.conflictDeleted : offline.conflict}</p>
      <div class="sides">
        <section aria-label={offline.mine}>
          <h3>{offline.mine}</h3>
          {write.op === 'remove' ? (
            <p>{offline.deleted}</p>
          ) : (
            <Facts kind={write.kind} value={write.preview} />
          )}
          <button type="button" class="primary" onClick={() => void keepMine(write)}>
            {offline.keepMine}
          </button>
        </section>
        <section aria-label={offline.theirs}>
          <h3>{offline.theirs}</h3>
          {write.theirs === null ? (
            <p>{offline.deleted}</p>
          ) : (
            <Facts kind={write.kind} value={write.theirs} />
          )}
          <button type="button" onClick={() => void discard(write)}>
            {offline.keepTheirs}
          </button>
        </section>
      </div>
    </>
  );
}
