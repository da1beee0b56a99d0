import { fixLinks } from './document.ts';
import './styles/offline.css';
import { effect } from '@preact/signals';
import { render } from 'preact';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { proveWith } from './account/ask.ts';
import { lastPerson, loadSession, viewedPerson } from './account/session.ts';
import { BASE, pathTo } from './larder.ts';
import { keepPage } from './offline/updates.ts';
import { lazyView } from './parts/later.tsx';
import { languages } from './preferences.ts';
import { Shell } from './shell.tsx';
import { chooseLanguage, language } from './texts/texts.ts';
import { TodayPage } from './today/today-page.tsx';

/** Addresses that this page answers itself; the console is another one. */
const OF_THIS_PAGE = /^(?!.*\/console$)/;

const Welcome = lazyView(async () => (await import('./account/account-page.tsx')).Welcome, 'account');
const TrendsPage = lazyView(
  async () => (await import('./trends/trends-page.tsx')).TrendsPage,
  'views',
  'adding',
);
const RecipesPage = lazyView(
  async () => (await import('./recipes/recipes-page.tsx')).RecipesPage,
  'views',
  'adding',
);
const FoodsPage = lazyView(async () => (await import('./foods/foods-page.tsx')).FoodsPage, 'views', 'adding');
const SettingsPage = lazyView(
  async () => (await import('./settings/settings-page.tsx')).SettingsPage,
  'views',
  'account',
);

const PrintPage = lazyView(async () => (await import('./print/print-page.tsx')).PrintPage, 'adding', 'views');

/** The own day, or that of whoever was chosen, of which nothing is left in the next one. */
function Today() {
  return (
    <Shell view="today">
      <TodayPage key={viewedPerson.value?.id ?? lastPerson.value} />
    </Shell>
  );
}

function Views() {
  const { route } = useLocation();
  return (
    <Router>
      <Route path={pathTo('welcome')} component={() => <Welcome onDone={() => route(pathTo(''), true)} />} />
      <Route path={pathTo('')} component={Today} />
      <Route path={pathTo('app/trends')} component={() => <Shell view="trends">{<TrendsPage />}</Shell>} />
      <Route path={pathTo('app/recipes')} component={() => <Shell view="recipes">{<RecipesPage />}</Shell>} />
      <Route path={pathTo('app/foods')} component={() => <Shell view="foods">{<FoodsPage />}</Shell>} />
      <Route
        path={pathTo('app/settings')}
        component={() => <Shell view="settings">{<SettingsPage />}</Shell>}
      />
      <Route path={pathTo('app/print')} component={() => <Shell view="trends">{<PrintPage />}</Shell>} />
      <Route default component={Today} />
    </Router>
  );
}

fixLinks();

// The app is installed in the language of the page.
effect(() => {
  const manifest = document.querySelector<HTMLLinkElement>('link[rel=manifest]')!;
  manifest.href = `${BASE}${language.value}.manifest.webmanifest`;
});

proveWith(async (methods) => (await import('./account/confirm.tsx')).confirmPerson(methods));

await Promise.all([chooseLanguage(languages()), loadSession()]);
render(
  <LocationProvider scope={OF_THIS_PAGE}>
    <Views />
  </LocationProvider>,
  document.getElementById('app')!,
);
void keepPage();
// What was chosen on another device comes after the first view.
void import('./offline/own-records.ts');
void import('./first-run/offer.ts').then(({ offerFirstRun }) => offerFirstRun());
const asked = new URLSearchParams(location.search).get('do');
if (asked !== null) void import('./installed/start.ts').then(({ start }) => start(asked));
