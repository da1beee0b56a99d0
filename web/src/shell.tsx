import type { ComponentChildren } from 'preact';
import { hasExpired, lastPerson, person } from './account/session.ts';
import { WhosePicker } from './account/whose-picker.tsx';
import { otherName } from './diary/shown-diary.ts';
import { pathTo } from './larder.ts';
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
