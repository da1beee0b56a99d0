import { texts } from '../texts/texts.ts';

interface ProblemProps {
  /** Nothing is shown for an empty text. */
  readonly text: string;
  /** Tries again what failed. */
  readonly onRetry?: (() => unknown) | undefined;
}

/** Says what went wrong, and offers to try it again. */
export function Problem({ text, onRetry }: ProblemProps) {
  if (text === '') return null;
  return (
    <p class="problem" role="alert">
      {text}{' '}
      {onRetry !== undefined && (
        <button type="button" class="link" onClick={() => void onRetry()}>
          {texts.value.retry}
        </button>
      )}
    </p>
  );
}
