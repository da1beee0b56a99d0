import type { ComponentChildren } from 'preact';
import { SignIn } from './account/account-page.tsx';
import { person, signOut } from './account/session.ts';
import { pathTo } from './larder.ts';
import { Toasts } from './parts/toast.tsx';
import { texts } from './texts/texts.ts';

interface ShellProps {
  readonly view: 'today';
  readonly children: ComponentChildren;
}

/** What stands around every view: the way to the others, and who is signed in. */
export function Shell({ view, children }: ShellProps) {
  if (person.value === null) return <SignIn />;
  const { today, signOut: leave } = texts.value;
  return (
    <div class="shell">
      <header class="top">
        <a class="brand" href={pathTo('')}>
          Larder
        </a>
        <nav>
          <a href={pathTo('')} aria-current={view === 'today' ? 'page' : undefined}>
            {today}
          </a>
        </nav>
        <button type="button" class="link" onClick={() => void signOut()}>
          {leave}
        </button>
      </header>
      <main>{children}</main>
      <Toasts />
    </div>
  );
}
