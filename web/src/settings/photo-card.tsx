import { useSignal } from '@preact/signals';
import { changeSettings, ownSettings } from '../offline/own-records.ts';
import { useAttempts } from '../parts/attempts.ts';
import { Problem } from '../parts/problem-line.tsx';
import { texts } from '../texts/texts.ts';
import { Card } from './card.tsx';

/** Whether photos propose what was eaten before first, on all devices. */
export function PhotoCard() {
  const { title, text, eatenFirst } = texts.value.photoCard;
  const { problem, isBusy, attempt } = useAttempts();
  const tapped = useSignal<boolean | undefined>(undefined);
  const choose = async (isOn: boolean) => {
    tapped.value = isOn;
    await attempt(() => changeSettings({ eatenFirst: isOn ? null : false }));
    tapped.value = undefined;
  };
  return (
    <Card title={title} text={text}>
      <label class="check">
        <input
          type="checkbox"
          disabled={isBusy}
          checked={tapped.value ?? ownSettings.value?.eatenFirst !== false}
          onChange={({ currentTarget: { checked } }) => void choose(checked)}
        />
        {eatenFirst}
      </label>
      <Problem text={problem} />
    </Card>
  );
}
