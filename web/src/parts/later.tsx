import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { texts } from '../texts/texts.ts';

interface LaterProps<P> {
  readonly load: () => Promise<FunctionComponent<P>>;
  readonly props: P;
}

/** A part whose code is loaded when it is first shown. */
export function Later<P extends object>({ load, props }: LaterProps<P>) {
  const part = useSignal<FunctionComponent<P> | 'failed' | undefined>(undefined);
  const read = async () => {
    part.value = undefined;
    const loaded = await load().catch(() => 'failed' as const);
    part.value = loaded;
  };
  useEffect(() => void read(), []);
  const Part = part.value;
  if (Part === undefined) return <p class="loading" aria-busy="true" />;
  if (Part !== 'failed') return <Part {...props} />;
  return (
    <p class="problem" role="alert">
      {texts.value.problems.offline}{' '}
      <button type="button" class="link" onClick={() => void read()}>
        {texts.value.retry}
      </button>
    </p>
  );
}
