import { computed } from '@preact/signals';
import { locale } from '../texts/texts.ts';

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
/** From the longest; seconds for what is shorter. */
const AGES = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Numbers and times as the language and the region of the browser write them. */
export const format = computed(() => {
  const tag = locale.value;
  const ago = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' });
  const moment = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' });
  return {
    count: (value: number) => new Intl.NumberFormat(tag, { maximumFractionDigits: 0 }).format(value),
    bytes(value: number): string {
      const step = Math.min(
        BYTE_UNITS.length - 1,
        Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)),
      );
      const amount = value / 1_000 ** step;
      return new Intl.NumberFormat(tag, {
        style: 'unit',
        unit: BYTE_UNITS[step]!,
        // `0 byte` otherwise.
        unitDisplay: step === 0 ? 'long' : 'short',
        maximumFractionDigits: amount < 10 && step > 0 ? 1 : 0,
      }).format(amount);
    },
    moment: (iso: string) => moment.format(new Date(iso)),
    ago(iso: string): string {
      const seconds = (Date.now() - Date.parse(iso)) / 1_000;
      const [unit, length] = AGES.find(([, length]) => Math.abs(seconds) >= length) ?? ['minute', 60];
      return ago.format(-Math.round(seconds / length), unit);
    },
    /** In its longest unit. */
    duration(seconds: number): string {
      const [unit, length] = AGES.find(([, length]) => seconds >= length) ?? (['second', 1] as const);
      return new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' }).format(
        Math.round(seconds / length),
      );
    },
  };
});
