import { useSignal } from '@preact/signals';
import { ask } from '../account/ask.ts';
import { forgetPerson, person } from '../account/session.ts';
import { useAttempts } from '../parts/attempts.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { texts } from '../texts/texts.ts';
import { Card, Unfolding } from './card.tsx';
import { ExportLinks } from './moving-cards.tsx';

/** Deletes the own account with all data: the export is offered first, and the name has to be typed. */
export function DeleteAccountCard() {
  const { deleteAccount: all } = texts.value;
  return (
    <Card title={all.title}>
      <Unfolding title={all.open}>
        <DeleteForm />
      </Unfolding>
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
          onInput={({ currentTarget: { value } }) => setTo(typed, value)}
        />
      </label>
      <Problem text={problem} />
      <BusyButton type="submit" class="danger" isBusy={isBusy} disabled={!isMeant}>
        {all.delete}
      </BusyButton>
    </form>
  );
}
