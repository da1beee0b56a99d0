import type { DiaryEntry } from 'larder-client';
import { numbers, texts } from '../texts/texts.ts';

const MACROS = ['protein', 'carbs', 'fat'] as const;

interface RowMacrosProps {
  readonly of: readonly Pick<DiaryEntry, (typeof MACROS)[number] | 'unknown'>[];
  /** Whether they are named, as above a column of them. */
  readonly isNamed?: boolean;
}

/** Protein, carbohydrates and fat of an entry or a meal, where the screen has room beside its energy. */
export function RowMacros({ of, isNamed = false }: RowMacrosProps) {
  const all = texts.value;
  return (
    <span class="row-macros">
      {MACROS.map((key) => (
        <span key={key} class={`row-macro ${key}`}>
          <span class={isNamed ? 'quiet' : 'visually-hidden'}>{all[key]}</span> {sumText(of, key)}
        </span>
      ))}
    </span>
  );
}

/** `12 g`; `?` where none states it. */
function sumText(of: RowMacrosProps['of'], key: (typeof MACROS)[number]): string {
  const stated = of.filter(({ unknown }) => unknown?.includes(key) !== true);
  if (stated.length === 0 && of.length > 0) return '?';
  return `${numbers.value.whole(stated.reduce((sum, entry) => sum + entry[key], 0))} g`;
}
