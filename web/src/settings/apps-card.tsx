import { person } from '../account/session.ts';
import { pathTo } from '../larder.ts';
import { texts } from '../texts/texts.ts';
import { Card } from './card.tsx';
import { OwnKeys } from './own-keys.tsx';

/** Keys of the person; those that act for all users are made in the console. */
export function AppsCard() {
  const { apps: all, console } = texts.value;
  return (
    <Card title={all.title} text={all.text}>
      <OwnKeys />
      <p class="quiet note">{all.userId}</p>
      <pre class="command">
        <code>{person.value?.id}</code>
      </pre>
      {person.value?.role === 'owner' && (
        <>
          <p class="quiet note">{all.ownerText}</p>
          <a href={pathTo('console')}>{console}</a>
        </>
      )}
      <a href={pathTo('docs')} target="_blank" rel="noreferrer">
        {all.docs}
      </a>
    </Card>
  );
}
