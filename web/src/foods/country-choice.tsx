import type { Signal } from '@preact/signals';
import { Icon } from '../parts/icon.tsx';
import { setTo } from '../parts/signals.ts';
import { locale, texts } from '../texts/texts.ts';
import '../styles/countries.css';

interface CountryChoiceProps {
  /** Codes (`de`) in the order of their choice; none for all products. */
  readonly countries: Signal<readonly string[]>;
}

/** Chooses the countries whose products are imported. */
export function CountryChoice({ countries }: CountryChoiceProps) {
  const all = texts.value.shopFoods;
  const chosen = countries.value;
  const names = countryNames(locale.value);
  const nameOf = (code: string) => names.find(([known]) => known === code)?.[1] ?? code;
  return (
    <fieldset class="countries" aria-label={all.countries}>
      {chosen.length > 0 && (
        <ul>
          {chosen.map((code) => (
            <li key={code}>
              <button
                type="button"
                aria-label={all.leaveOut(nameOf(code))}
                onClick={() =>
                  setTo(
                    countries,
                    chosen.filter((other) => other !== code),
                  )
                }
              >
                {nameOf(code)}
                <Icon name="x" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <label>
        {all.addCountry}
        <select
          value=""
          onChange={({ currentTarget }) => {
            if (currentTarget.value !== '') countries.value = [...chosen, currentTarget.value];
            currentTarget.value = '';
          }}
        >
          <option value="">…</option>
          {names
            .filter(([code]) => !chosen.includes(code))
            .map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
        </select>
      </label>
      <p class="quiet note">{chosen.length === 0 ? all.allCountries : all.chosenCountries}</p>
    </fieldset>
  );
}

/** The part of an import's request that names the countries. */
export function sliceOf(countries: readonly string[]) {
  return countries.length === 0 ? {} : { slice: { countries } };
}

/** The country of the browser, if its language names one. */
export function ownCountry(): readonly string[] {
  const region = new Intl.Locale(navigator.language).region?.toLowerCase();
  return region !== undefined && /^[a-z]{2}$/.test(region) ? [region] : [];
}

const A = 'A'.charCodeAt(0);
const LETTERS = Array.from({ length: 26 }, (_, at) => String.fromCharCode(A + at));
/** Codes of Unicode that stand for no country. */
const NO_COUNTRIES = ['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ'];

/** All countries by name, in the order of the language. */
function countryNames(language: string): readonly (readonly [code: string, name: string])[] {
  const display = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  const compare = new Intl.Collator(language).compare;
  return LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
    .filter((code) => !NO_COUNTRIES.includes(code) && new Intl.Locale(`und-${code}`).region === code)
    .flatMap((code) => {
      const name = display.of(code);
      return name === undefined ? [] : [[code.toLowerCase(), name] as const];
    })
    .sort(([, a], [, b]) => compare(a, b));
}
