import { person } from '../account/session.ts';
import { pathTo } from '../larder.ts';
import { texts } from '../texts/texts.ts';
import { Card } from './card.tsx';

const COMMAND = 'larder key create --scopes foods:read,diary:read,diary:write --name "My app"';

/** Keys for own apps are made where the service runs. */
export function AppsCard() {
  const { apps: all, console } = texts.value;
  const isOwner = person.value?.role === 'owner';
  return (
    <Card title={all.title} text={isOwner ? all.ownerText : all.memberText}>
      {isOwner && (
        <>
          <pre class="command">
            <code>{COMMAND}</code>
          </pre>
          <p class="quiet note">{all.userId}</p>
          <pre class="command">
            <code>{person.value?.id}</code>
          </pre>
          <a href={pathTo('console')}>{console}</a>
        </>
      )}
      <a href={pathTo('docs')} target="_blank" rel="noreferrer">
        {all.docs}
      </a>
    </Card>
  );
}
