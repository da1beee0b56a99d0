import { fixLinks } from '../document.ts';
import '../styles/console.css';
import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import { proveWith } from '../account/ask.ts';
import { loadSession } from '../account/session.ts';
import { BASE } from '../larder.ts';
import { languages } from '../preferences.ts';
import { chooseLanguage } from '../texts/texts.ts';
import { Console } from './console.tsx';
import { loadWords } from './texts/texts.ts';

fixLinks();

proveWith(async (methods) => (await import('../account/confirm.tsx')).confirmPerson(methods));

await Promise.all([chooseLanguage(languages()).then(loadWords), loadSession()]);
render(
  <LocationProvider scope={`${BASE.pathname}console`}>
    <Console />
  </LocationProvider>,
  document.getElementById('app')!,
);
