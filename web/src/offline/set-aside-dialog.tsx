import type { DiaryEntry } from 'larder-client';
import { useEffect, useRef } from 'preact/hooks';
import { dateOf } from '../days.ts';
import { Icon } from '../parts/icon.tsx';
import { numbers, texts } from '../texts/texts.ts';
import { setAside } from './device.ts';
import { discard, keepMine, tryAgain } from './queue/decide.ts';
import type { Value, Write } from './queue/writes.ts';

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
            {write.state === 'conflict' ? <Conflict write={write} /> : <Refused write={write} />}
          </li>
        ))}
      </ul>
    </dialog>
  );
}

function Refused({ write }: { readonly write: Write }) {
  const { offline } = texts.value;
  return (
    <>
      <Facts value={write.preview ?? write.base} />
      <p class="problem">
        {write.reason?.code === 'food_not_found'
          ? offline.foodIsGone
          : `${offline.refused} ${write.reason?.message}`}
      </p>
      <p class="decisions">
        <button type="button" class="primary" onClick={() => void tryAgain(write)}>
          {offline.tryAgain}
        </button>
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
          {write.op === 'remove' ? <p>{offline.deleted}</p> : <Facts value={write.preview} />}
          <button type="button" class="primary" onClick={() => void keepMine(write)}>
            {offline.keepMine}
          </button>
        </section>
        <section aria-label={offline.theirs}>
          <h3>{offline.theirs}</h3>
          {write.theirs === null ? <p>{offline.deleted}</p> : <Facts value={write.theirs} />}
          <button type="button" onClick={() => void discard(write)}>
            {offline.keepTheirs}
          </button>
        </section>
      </div>
    </>
  );
}

/** An entry in a few lines: what a person recognizes and compares. */
function Facts({ value }: { readonly value: Value | undefined }) {
  const { meals } = texts.value;
  const { whole, precise } = numbers.value;
  if (value === undefined) return null;
  const { foodName, quantity, unit, calories, unknown, date, mealType, note } = value as DiaryEntry;
  return (
    <dl class="facts">
      <dt>{foodName}</dt>
      {quantity !== undefined && (
        <dd>
          {precise(quantity)} {unit}
        </dd>
      )}
      <dd>{unknown?.includes('calories') ? '?' : whole(calories)} kcal</dd>
      <dd>
        {meals[mealType]}, {dateOf(date, { weekday: 'short', day: 'numeric', month: 'short' })}
      </dd>
      {note !== undefined && <dd>{note}</dd>}
    </dl>
  );
}
