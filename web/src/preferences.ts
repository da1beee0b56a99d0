import { computed, effect, signal } from '@preact/signals';
import type { MealType } from 'larder-client';
import { timeZone } from './days.ts';
import type { Language } from './texts/languages.ts';
import { chooseLanguage } from './texts/texts.ts';

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
  /** Meals that are shown only where they have entries. */
  readonly hiddenMeals?: readonly MealType[] | undefined;
}

const KEY = 'larder-preferences';

export const preferences = signal<Preferences>(stored());

effect(() => {
  const { theme } = preferences.value;
  localStorage.setItem(KEY, JSON.stringify(preferences.value));
  document.documentElement.dataset['theme'] = theme ?? '';
  timeZone.value = preferences.value.timeZone;
});

/** Called with each choice that was made on this device. */
export const preferred: ((change: Preferences) => void)[] = [];

/** `isOwn`: chosen here, not on another device. */
export async function prefer(change: Preferences, isOwn = true): Promise<void> {
  preferences.value = { ...preferences.value, ...change };
  if (isOwn) for (const tell of preferred) tell(change);
  if ('language' in change) await chooseLanguage(languages());
}

interface WeekInfo {
  /** 1 is Monday, 7 Sunday. */
  readonly firstDay: number;
}

/** The day on which weeks begin: 0 is Sunday. */
export const weekStart = computed(() => {
  const locale = new Intl.Locale(navigator.language) as Intl.Locale & {
    getWeekInfo?: () => WeekInfo;
    weekInfo?: WeekInfo;
  };
  const { firstDay } = locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: 1 };
  return preferences.value.weekStart ?? firstDay % 7;
});

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
