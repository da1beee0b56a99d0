import '../styles/base.css';
import '../styles/shell.css';
import '../styles/views.css';
import '../styles/console.css';
import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import { loadSession } from '../account/session.ts';
import { BASE } from '../larder.ts';
import { languages } from '../preferences.ts';
import { chooseLanguage } from '../texts/texts.ts';
import { Console } from './console.tsx';
import { loadWords } from './texts/texts.ts';

// Addresses of the document are relative to where it was opened, and other views lie elsewhere.
for (const link of document.querySelectorAll<HTMLLinkElement>('link[href]'))
  link.href = new URL(link.href).href;

await Promise.all([chooseLanguage(languages()).then(loadWords), loadSession()]);
render(
  <LocationProvider scope={`${BASE.pathname}console`}>
    <Console />
  </LocationProvider>,
  document.getElementById('app')!,
);
