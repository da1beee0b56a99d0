import { useSignal } from '@preact/signals';
import { ask } from '../account/ask.ts';
import { forgetPerson, person } from '../account/session.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { Problem } from '../parts/problem-line.tsx';
import { texts } from '../texts/texts.ts';
import { Card, useAttempts } from './card.tsx';
import { ExportLinks } from './moving-cards.tsx';

/** Deletes the own account with all data: the export is offered first, and the name has to be typed. */
export function DeleteAccountCard() {
  const { deleteAccount: all } = texts.value;
  const isOpen = useSignal(false);
  return (
    <Card title={all.title}>
      <details
        onToggle={({ currentTarget: { open } }) => {
          isOpen.value = open;
        }}
      >
        <summary>{all.open}</summary>
        {isOpen.value && <DeleteForm />}
      </details>
    </Card>
  );
}

function DeleteForm() {
  const { deleteAccount: all } = texts.value;
  const typed = useSignal('');
  const { problem, isBusy, attempt } = useAttempts();
  const { id = '', name = '' } = person.value ?? {};
  const isMeant = typed.value.trim() === name;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    await attempt(async () => {
      await ask('DELETE /v1/people/{personId}', { path: { personId: id } });
      await forgetPerson();
    });
  };
  return (
    <form class="form" onSubmit={(event) => void submit(event)}>
      <p>{all.exportFirst}</p>
      <ExportLinks />
      <p>{all.text}</p>
      <label>
        {all.typeName(name)}
        <input
          required
          autocomplete="off"
          value={typed.value}
          onInput={({ currentTarget: { value } }) => {
            typed.value = value;
          }}
        />
      </label>
      <Problem text={problem} />
      <BusyButton type="submit" class="danger" isBusy={isBusy} disabled={!isMeant}>
        {all.delete}
      </BusyButton>
    </form>
  );
}
