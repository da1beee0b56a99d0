import { energyOf, energyUnit } from '../parts/measures.ts';
import { numbers, texts } from '../texts/texts.ts';
import { totals } from './day-store.ts';

const MACROS = ['protein', 'carbs', 'fat'] as const;

/** The sums of the day: what remains of the goals first. What no food states is said, and never drawn as nothing. */
export function Sums() {
  const all = texts.value;
  const { whole } = numbers.value;
  const sums = totals.value;
  const eaten = sums?.calories ?? 0;
  const goal = sums?.goals?.calories;
  const incomplete = (sums?.incomplete ?? []).filter((key) => key in all.nutrients);
  const isAtLeast = incomplete.includes('calories');
  return (
    <section class="sums" aria-label={all.energy}>
      <p class="energy" role="status" aria-label={all.energy}>
        {goal === undefined ? (
          <>
            <span class="number">{whole(energyOf(eaten))}</span> {energyUnit.value}{' '}
            <span class="quiet">{isAtLeast ? all.atLeast : all.eaten}</span>
          </>
        ) : (
          <>
            <span class="number">{whole(energyOf(Math.abs(goal - eaten)))}</span> {energyUnit.value}{' '}
            <span class="quiet">
              {goal >= eaten ? all.left : all.over} ·{' '}
              <span class="of-goal">
                {whole(energyOf(eaten))} / {whole(energyOf(goal))}
              </span>
            </span>
          </>
        )}
      </p>
      {goal !== undefined && <Bar kind="energy" value={eaten} goal={goal} />}
      <dl class="macros">
        {MACROS.map((key) => (
          <Macro
            key={key}
            kind={key}
            // Nothing but unknown amounts is no sum of 0.
            eaten={sums?.[key] === 0 && incomplete.includes(key) ? undefined : sums?.[key]}
            goal={sums?.goals?.[key]}
          />
        ))}
      </dl>
      {incomplete.length > 0 && (
        <p class="quiet note">
          {all.incomplete(
            incomplete.map((key) => all.nutrients[key as keyof typeof all.nutrients]).join(', '),
          )}
        </p>
      )}
    </section>
  );
}

interface MacroProps {
  readonly kind: (typeof MACROS)[number];
  /** Undefined while it is not known. */
  readonly eaten: number | undefined;
  readonly goal: number | undefined;
}

function Macro({ kind, eaten, goal }: MacroProps) {
  const all = texts.value;
  const { whole } = numbers.value;
  const shown = eaten === undefined ? '?' : whole(eaten);
  return (
    <div class={`macro ${kind}`}>
      <dt>{all[kind]}</dt>
      {goal === undefined || eaten === undefined ? (
        <dd>
          <span class="number">{shown}</span> g
          {goal !== undefined && <span class="quiet"> / {whole(goal)}</span>}
        </dd>
      ) : (
        <dd>
          <span class="number">{whole(Math.abs(goal - eaten))}</span> g{' '}
          <span class="quiet">
            {goal >= eaten ? all.left : all.over}
            <span class="dot"> · </span>
            <span class="of-goal">
              {shown} / {whole(goal)}
            </span>
          </span>
        </dd>
      )}
      {goal !== undefined && <Bar kind={kind} value={eaten ?? 0} goal={goal} />}
    </div>
  );
}

/** How much of a goal is reached. The numbers beside it say it in words. */
function Bar({
  kind,
  value,
  goal,
}: {
  readonly kind: string;
  readonly value: number;
  readonly goal: number;
}) {
  const share = Math.min(1, value / goal);
  return (
    <svg class={`bar ${kind}`} aria-hidden="true">
      <rect class="rail" width="100%" height="100%" />
      <rect class="fill" width={`${share * 100}%`} height="100%" />
    </svg>
  );
}
