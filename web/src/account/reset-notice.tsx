import { withTexts } from '../parts/later.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { showSheet } from '../parts/sheet-host.tsx';
import { locale, texts } from '../texts/texts.ts';
import { ask } from './ask.ts';

interface Reset {
  readonly createdAt: string;
  readonly by?: string;
}

const load = withTexts(async () => ResetNotice, 'account');

/** Tells the person after the sign-in that the password was set by a link, until the notice is closed. */
export async function tellOfReset(): Promise<void> {
  const { password } = await ask('GET /v1/session');
  if (password.reset !== undefined) showSheet(load, { reset: password.reset });
}

function ResetNotice({
  reset: { createdAt, by },
  onClose,
}: {
  readonly reset: Reset;
  readonly onClose: () => void;
}) {
  const { reset: all, done } = texts.value;
  const close = () => {
    onClose();
    ask('DELETE /v1/people/me/password/reset').catch(() => {});
  };
  return (
    <Sheet title={all.noticeTitle} onClose={close}>
      <p>
        {all.notice(
          new Intl.DateTimeFormat(locale.value, { dateStyle: 'long' }).format(new Date(createdAt)),
          by,
        )}
      </p>
      <button type="button" class="primary" onClick={close}>
        {done}
      </button>
    </Sheet>
  );
}
