import { useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import {
  hasExpired,
  lastPerson,
  loadPeople,
  people,
  person,
  viewedPerson,
  viewPerson,
} from './account/session.ts';
import { otherName } from './diary/shown-diary.ts';
import { pathTo } from './larder.ts';
import { isReached } from './offline/device.ts';
import { SyncBar } from './offline/sync-bar.tsx';
import { Icon } from './parts/icon.tsx';
import { Later, withTexts } from './parts/later.tsx';
import { SheetHost } from './parts/sheet-host.tsx';
import { Toasts } from './parts/toast.tsx';
import { texts } from './texts/texts.ts';

/** Views that the navigation leads to, by their addresses. */
const VIEWS = {
  today: ['', 'utensils'],
  trends: ['app/trends', 'chart'],
  recipes: ['app/recipes', 'book'],
  foods: ['app/foods', 'apple'],
  settings: ['app/settings', 'sliders'],
} as const;
export type View = keyof typeof VIEWS;

const loadSignIn = withTexts(async () => (await import('./account/account-page.tsx')).SignIn, 'account');
const loadSignInAgain = withTexts(
  async () => (await import('./account/account-page.tsx')).SignInAgain,
  'account',
);

interface ShellProps {
  readonly view: View;
  readonly children: ComponentChildren;
}

/** The frame around every view: navigation, and the signed-in person. */
export function Shell({ view, children }: ShellProps) {
  if (person.value === null && !hasExpired.value) return <Later key="sign-in" load={loadSignIn} props={{}} />;
  // Views and dialogs of another person's diary have another colour.
  const isOther = (view === 'today' || view === 'trends') && otherName.value !== undefined;
  const classes = ['shell', person.value === null && 'waiting', isOther && 'others'];
  return (
    <div key={lastPerson.value} class={classes.filter(Boolean).join(' ')}>
      {person.value === null && <Later load={loadSignInAgain} props={{}} />}
      <header class="top">
        <a class="brand" href={pathTo('')}>
          Larder
        </a>
        <nav>
          {(Object.keys(VIEWS) as View[]).map((each) => (
            <a key={each} href={pathTo(VIEWS[each][0])} aria-current={view === each ? 'page' : undefined}>
              <Icon name={VIEWS[each][1]} />
              {texts.value[each]}
            </a>
          ))}
        </nav>
        <WhosePicker />
      </header>
      <SyncBar />
      <main>{children}</main>
      <SheetHost />
      <Toasts />
    </div>
  );
}

/** Chooses whose diary is shown, where others let theirs be seen. */
function WhosePicker() {
  useSignalEffect(() => {
    // Offline, the earlier list stays.
    if (person.value !== null && person.value !== undefined && isReached.value) loadPeople().catch(() => {});
  });
  useEffect(() => {
    // Rights may have changed meanwhile.
    const onChange = () => {
      if (document.visibilityState === 'visible' && person.peek()) loadPeople().catch(() => {});
    };
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, []);
  const seen = people.value.filter(({ access }) => access !== 'none');
  if (seen.length < 2) return null;
  return (
    <label class="whose">
      <span class="initial" aria-hidden="true">
        {viewedPerson.value?.name.slice(0, 1)}
      </span>
      <span class="visually-hidden">{texts.value.whose}</span>
      <select value={viewedPerson.value?.id} onChange={({ currentTarget: { value } }) => viewPerson(value)}>
        {seen.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
