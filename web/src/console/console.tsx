import { useEffect, useRef } from 'preact/hooks';
import { Route, Router, useLocation } from 'preact-iso';
import { person } from '../account/session.ts';
import { pathTo } from '../larder.ts';
import { Later, lazyView, withTexts } from '../parts/later.tsx';
import { Toasts } from '../parts/toast.tsx';
import { ConfirmDialog } from './dialogs.tsx';
import { words } from './texts/texts.ts';

/** Sections by the last part of their addresses; the first is at the address of the console. */
const SECTIONS = {
  overview: lazyView(async () => (await import('./overview-page.tsx')).OverviewPage),
  foods: lazyView(async () => (await import('./foods-page.tsx')).FoodsPage),
  imports: lazyView(async () => (await import('./imports-page.tsx')).ImportsPage),
  scans: lazyView(async () => (await import('./scans-page.tsx')).ScansPage),
  keys: lazyView(async () => (await import('./keys-page.tsx')).KeysPage),
  webhooks: lazyView(async () => (await import('./webhooks-page.tsx')).WebhooksPage),
  people: lazyView(async () => (await import('./people-page.tsx')).PeoplePage, 'account'),
  events: lazyView(async () => (await import('./events-page.tsx')).EventsPage),
  backup: lazyView(async () => (await import('./backup-page.tsx')).BackupPage),
} as const;
type Section = keyof typeof SECTIONS;
const NAMES = Object.keys(SECTIONS) as Section[];

const pathOf = (section: Section) => pathTo(section === 'overview' ? 'console' : `console/${section}`);

const loadSignIn = withTexts(async () => (await import('../account/account-page.tsx')).SignIn, 'account');

/** The application of who runs the service. */
export function Console() {
  if (person.value === null || person.value === undefined) return <Later load={loadSignIn} props={{}} />;
  if (person.value.role !== 'owner') return <MembersGoBack />;
  return <Sections />;
}

function Sections() {
  const { path } = useLocation();
  const shown = NAMES.find((name) => path === pathOf(name)) ?? 'overview';
  const { title, toDiary, sections } = words.value;
  const nav = useRef<HTMLElement>(null);
  // On a phone the row of sections is wider than the screen.
  useEffect(
    () =>
      nav.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' }),
    [shown],
  );
  return (
    <div class="console">
      <header>
        <a class="brand" href={pathTo('')} title={toDiary}>
          Larder
        </a>
        <span class="quiet">{title}</span>
        <nav ref={nav} aria-label={title}>
          {NAMES.map((name) => (
            <a key={name} href={pathOf(name)} aria-current={name === shown ? 'page' : undefined}>
              {sections[name]}
            </a>
          ))}
        </nav>
        <a class="back" href={pathTo('')}>
          {toDiary}
        </a>
      </header>
      <main>
        <Router>
          {NAMES.map((name) => (
            <Route key={name} path={pathOf(name)} component={SECTIONS[name]} />
          ))}
          <Route default component={SECTIONS.overview} />
        </Router>
      </main>
      <ConfirmDialog />
      <Toasts />
    </div>
  );
}

function MembersGoBack() {
  const { title, ownersOnly, toDiary } = words.value;
  return (
    <main class="account">
      <p class="brand">Larder</p>
      <h1>{title}</h1>
      <p>{ownersOnly}</p>
      <p>
        <a href={pathTo('')}>{toDiary}</a>
      </p>
    </main>
  );
}
