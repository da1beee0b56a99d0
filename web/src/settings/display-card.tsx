import { nameOfWeekday, WEEKDAYS } from '../days.ts';
import { type Preferences, prefer, preferences } from '../preferences.ts';
import { type Language, languageChoices } from '../texts/languages.ts';
import { language, texts } from '../texts/texts.ts';
import { Card } from './card.tsx';

const AUTO = 'auto';
const DEVICE_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** Sunday, Monday and Saturday, on which weeks begin. */
const WEEK_STARTS = [1, 0, 6] as const;

/** How this device shows the page. */
export function DisplayCard() {
  const { appearance, language: languageName, theme: themeName, themes, display: all } = texts.value;
  const { theme, energy, units, weekStart, timeZone } = preferences.value;
  const choose = <Key extends keyof Preferences>(key: Key, value: Preferences[Key] | undefined) =>
    void prefer({ [key]: value });
  return (
    <Card title={appearance} text={all.text}>
      <Choice
        label={languageName}
        value={language.value}
        options={languageChoices()}
        onChoose={(value) => choose('language', value as Language)}
      />
      <Choice
        label={themeName}
        value={theme ?? AUTO}
        options={Object.entries(themes)}
        onChoose={(value) => choose('theme', value === AUTO ? undefined : (value as 'light' | 'dark'))}
      />
      <div class="fields">
        <Choice
          label={all.energy}
          value={energy ?? 'kcal'}
          options={[
            ['kcal', 'kcal'],
            ['kJ', 'kJ'],
          ]}
          onChoose={(value) => choose('energy', value === 'kJ' ? value : undefined)}
        />
        <Choice
          label={all.units}
          value={units ?? 'metric'}
          options={[
            ['metric', all.metric],
            ['us', all.us],
          ]}
          onChoose={(value) => choose('units', value === 'us' ? value : undefined)}
        />
      </div>
      <Choice
        label={all.weekStart}
        value={weekStart === undefined ? AUTO : String(weekStart)}
        options={[
          [AUTO, all.asRegion],
          ...WEEK_STARTS.map((day) => [String(day), nameOfWeekday(WEEKDAYS[day]!)] as const),
        ]}
        onChoose={(value) => choose('weekStart', value === AUTO ? undefined : (Number(value) as 0 | 1 | 6))}
      />
      <Choice
        label={all.timeZone}
        value={timeZone ?? AUTO}
        options={[
          [AUTO, `${all.asDevice} (${DEVICE_ZONE})`],
          ...Intl.supportedValuesOf('timeZone').map((zone) => [zone, zone.replaceAll('_', ' ')] as const),
        ]}
        onChoose={(value) => choose('timeZone', value === AUTO ? undefined : value)}
      />
    </Card>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onChoose: (value: string) => void;
}

export function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget: { value: chosen } }) => onChoose(chosen)}>
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** 4 January 1970 was a Sunday. */
