import { effect, signal } from '@preact/signals';
import type { MealType } from 'larder-client';
import { chooseLanguage, type Language } from './texts/texts.ts';

/** How this device shows the page. */
export interface Preferences {
  /** That of the browser by default. */
  readonly language?: Language | undefined;
  readonly theme?: 'light' | 'dark' | undefined;
  /** kcal by default. */
  readonly energy?: 'kJ' | undefined;
  /** Metric by default. */
  readonly units?: 'us' | undefined;
  /** 0 is Sunday; that of the region by default. */
  readonly weekStart?: 0 | 1 | 6 | undefined;
  /** An IANA name; that of the device by default. */
  readonly timeZone?: string | undefined;
  /** Names of one's own for meals. */
  readonly mealNames?: Readonly<Partial<Record<MealType, string>>> | undefined;
}

const KEY = 'larder-preferences';

export const preferences = signal<Preferences>(stored());

effect(() => {
  const { theme } = preferences.value;
  localStorage.setItem(KEY, JSON.stringify(preferences.value));
  document.documentElement.dataset['theme'] = theme ?? '';
});

export async function prefer(change: Preferences): Promise<void> {
  preferences.value = { ...preferences.value, ...change };
  if ('language' in change) await chooseLanguage(languages());
}

/** The languages to try, preferred first. */
export function languages(): readonly string[] {
  const { language } = preferences.peek();
  return language === undefined ? navigator.languages : [language];
}

function stored(): Preferences {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}');
  } catch {
    return {};
  }
}
