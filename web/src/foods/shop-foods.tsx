import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask } from '../account/ask.ts';
import { people, person } from '../account/session.ts';
import { listOf } from '../days.ts';
import { pathTo } from '../larder.ts';
import { useAttempts } from '../parts/attempts.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { Problem } from '../parts/problem-line.tsx';
import { texts } from '../texts/texts.ts';
import { CountryChoice, ownCountry, sliceOf } from './country-choice.tsx';
import { FactsChoice, factsOf } from './facts-choice.tsx';

type State = 'unknown' | 'absent' | 'running' | 'there';

/** How products of shops come here, while they are not there: owners bring them, others are told whom to ask. */
export function ShopFoods() {
  return person.value?.role === 'owner' ? <BringFoods /> : <AskOwner />;
}

function BringFoods() {
  const { shopFoods: all } = texts.value;
  const state = useSignal<State>('unknown');
  const countries = useSignal(ownCountry());
  const keepsFacts = useSignal(true);
  const { problem, isBusy, attempt } = useAttempts();
  const load = async () => {
    const [{ active, catalogues }, imports] = await Promise.all([
      ask('GET /v1/operator/catalogues'),
      ask('GET /v1/operator/imports'),
    ]);
    const sources = catalogues.find(({ id }) => id === active)?.sources ?? [];
    const isThere = sources.some(({ origin }) => origin === 'off');
    const isRunning = imports.some(({ status }) => status === 'waiting' || status === 'running');
    state.value = isThere ? 'there' : isRunning ? 'running' : 'absent';
  };
  // Where it cannot be told nothing is offered.
  useEffect(() => void load().catch(() => {}), []);
  const start = () =>
    attempt(async () => {
      const chosen = { ...sliceOf(countries.value), ...factsOf(keepsFacts.value) };
      await ask('POST /v1/operator/imports', { body: { source: 'off', ...chosen } });
      state.value = 'running';
    });
  if (state.value === 'unknown' || state.value === 'there') return null;
  return (
    <section class="card shop-foods" aria-label={all.title}>
      <h2>{all.title}</h2>
      {state.value === 'running' ? (
        <p role="status">
          {all.running} <a href={pathTo('console/imports')}>{all.follow}</a>
        </p>
      ) : (
        <>
          <p>{all.text}</p>
          <CountryChoice countries={countries} />
          <FactsChoice keeps={keepsFacts} />
          <p class="quiet note">{all.cost}</p>
          <Problem text={problem} />
          <BusyButton type="button" class="primary" isBusy={isBusy} onClick={() => void start()}>
            {all.start}
          </BusyButton>
        </>
      )}
    </section>
  );
}

function AskOwner() {
  const owners = people.value.filter(({ role }) => role === 'owner').map(({ name }) => name);
  if (owners.length === 0) return null;
  return <p class="quiet note">{texts.value.shopFoods.askOwner(listOf(owners))}</p>;
}
