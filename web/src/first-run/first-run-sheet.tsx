import { useSignal } from '@preact/signals';
import type { Sharing, UserSettingsPatch } from 'larder-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { setTo } from '../parts/signals.ts';
import '../styles/first-run.css';
import '../styles/forms.css';
import { ask } from '../account/ask.ts';
import { today } from '../days.ts';
import { changeGoals } from '../offline/own-goals.ts';
import { changeSettings } from '../offline/own-records.ts';
import { useAttempts } from '../parts/attempts.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { Problem } from '../parts/problem-line.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { prefer, preferences } from '../preferences.ts';
import { Choice } from '../settings/display-card.tsx';
import { GoalCalculator } from '../settings/goal-calculator.tsx';
import { type Fields, GoalFields, goalsOf } from '../settings/goal-fields.tsx';
import { statedPercents } from '../settings/goal-percents.ts';
import { type Language, languageChoices } from '../texts/languages.ts';
import { language, texts } from '../texts/texts.ts';
import { load as loadDay } from '../today/day-store.ts';
import { isOffered } from './offered.ts';

const STEPS = 3;
const ACCESS = ['none', 'read', 'write'] as const;

/** Three questions, each of which can be skipped: language and units, goals, and who sees the diary. */
export function FirstRunSheet({ onClose }: { readonly onClose: () => void }) {
  const step = useSignal(1);
  const { firstRun: all } = texts.value;
  const next = () => {
    if (step.value < STEPS) step.value++;
    else onClose();
  };
  const Step = [LanguageStep, GoalsStep, SharingStep][step.value - 1]!;
  return (
    <Sheet title={all.title} onClose={onClose}>
      <Step key={step.value} number={step.value} onNext={next} />
    </Sheet>
  );
}

interface StepProps {
  readonly number: number;
  readonly onNext: () => void;
}

interface StepFrameProps extends StepProps {
  readonly title: string;
  readonly text?: string;
  /** Keeps the answer, with what else is to be kept of the person. */
  readonly save: () => Promise<UserSettingsPatch>;
  readonly children: ComponentChildren;
}

/** A question with its answer, the way on and the way past it. Whichever is the last ends the questions. */
function StepFrame({ number, title, text, save, onNext, children }: StepFrameProps) {
  const { firstRun: all, done } = texts.value;
  const heading = useRef<HTMLHeadingElement>(null);
  const { problem, isBusy, attempt } = useAttempts();
  useEffect(() => heading.current?.focus(), []);
  const isLast = number === STEPS;
  const go = async (kept: () => Promise<UserSettingsPatch>) => {
    const isKept = await attempt(async () => {
      const settings = { ...(await kept()), ...(isLast && { firstRunDone: true }) };
      if (Object.keys(settings).length > 0) await changeSettings(settings);
      if (isLast) isOffered.value = false;
    });
    if (isKept) onNext();
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void go(save);
      }}
    >
      <h3 ref={heading} tabIndex={-1}>
        <span class="quiet">{all.step(String(number), String(STEPS))}</span> {title}
      </h3>
      {text !== undefined && <p class="quiet">{text}</p>}
      {children}
      <Problem text={problem} />
      <div class="actions">
        <BusyButton type="submit" class="primary" isBusy={isBusy}>
          {isLast ? done : all.next}
        </BusyButton>
        <button type="button" class="link" onClick={() => void go(async () => ({}))}>
          {all.skip}
        </button>
      </div>
    </form>
  );
}

function LanguageStep(props: StepProps) {
  const { firstRun: all, language: languageName, display } = texts.value;
  const { energy = 'kcal', units = 'metric' } = preferences.value;
  return (
    <StepFrame
      {...props}
      title={all.languageTitle}
      save={async () => ({ language: language.peek(), measures: units, energyUnit: energy })}
    >
      <Choice
        label={languageName}
        value={language.value}
        options={languageChoices()}
        onChoose={(value) => void prefer({ language: value as Language })}
      />
      <div class="fields">
        <Choice
          label={display.energy}
          value={energy}
          options={[
            ['kcal', 'kcal'],
            ['kJ', 'kJ'],
          ]}
          onChoose={(value) => void prefer({ energy: value === 'kJ' ? value : undefined })}
        />
        <Choice
          label={display.units}
          value={units}
          options={[
            ['metric', display.metric],
            ['us', display.us],
          ]}
          onChoose={(value) => void prefer({ units: value === 'us' ? value : undefined })}
        />
      </div>
    </StepFrame>
  );
}

function GoalsStep(props: StepProps) {
  const { firstRun: all, goalsPage } = texts.value;
  const fields = useSignal<Fields>({});
  const body = useSignal<UserSettingsPatch['body']>(undefined);
  const save = async (): Promise<UserSettingsPatch> => {
    const goals = goalsOf(fields.peek());
    if (Object.keys(goals).length > 0) await changeGoals({ ...goals, from: today() });
    await loadDay();
    const { percents } = fields.peek();
    return {
      ...(percents && { goalsInPercent: statedPercents(percents) }),
      ...(body.peek() && { body: body.peek() }),
    };
  };
  return (
    <StepFrame {...props} title={all.goalsTitle} text={all.goalsText} save={save}>
      <GoalFields fields={fields.value} onChange={(changed) => setTo(fields, changed)} />
      <details>
        <summary>{goalsPage.calculate}</summary>
        <GoalCalculator
          onUse={(calculated) => {
            fields.value = { ...fields.peek(), ...calculated.fields };
            body.value = calculated.body;
          }}
        />
      </details>
    </StepFrame>
  );
}

function SharingStep(props: StepProps) {
  const { firstRun: all, household } = texts.value;
  const sharing = useSignal<Sharing | undefined>(undefined);
  const chosen = useSignal<Sharing['default'] | undefined>(undefined);
  const { problem, attempt } = useAttempts();
  const load = () => attempt(async () => setTo(sharing, await ask('GET /v1/people/me/sharing')));
  useEffect(() => void load(), []);
  const save = async () => {
    const known = sharing.peek();
    const access = chosen.peek();
    if (known !== undefined && access !== undefined)
      await ask('PUT /v1/people/me/sharing', { body: { ...known, default: access } });
    return {};
  };
  return (
    <StepFrame {...props} title={all.sharingTitle} text={all.sharingText} save={save}>
      {sharing.value !== undefined && (
        <Choice
          label={household.everybody}
          value={chosen.value ?? sharing.value.default}
          options={ACCESS.map((each) => [each, household.access[each]])}
          onChoose={(value) => setTo(chosen, value as Sharing['default'])}
        />
      )}
      <Problem text={problem} onRetry={load} />
    </StepFrame>
  );
}
