import type { ComponentChildren } from 'preact';
import '../styles/forms.css';
import '../styles/settings.css';
import { OpenIdAccounts } from '../account/openid.tsx';
import { person } from '../account/session.ts';
import { loadDietCard } from '../facts/parts.ts';
import { pathTo } from '../larder.ts';
import { Icon } from '../parts/icon.tsx';
import { Later } from '../parts/later.tsx';
import { energyUnit } from '../parts/measures.ts';
import { useSettled } from '../parts/signals.ts';
import { texts } from '../texts/texts.ts';
import { AccountCards } from './account-cards.tsx';
import { AppsCard } from './apps-card.tsx';
import { DeleteAccountCard } from './delete-account.tsx';
import { DevicesCard } from './devices-card.tsx';
import { DisplayCard } from './display-card.tsx';
import { areGoalsRead, GoalsForm } from './goals-form.tsx';
import { HouseholdCards } from './household-cards.tsx';
import { ExportCard, ImportCard } from './moving-cards.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PhotoCard } from './photo-card.tsx';

/** What a person sets: goals, how this device shows the page, the own data, the household and the account. */
export function SettingsPage() {
  const hasOthers = useSettled(areGoalsRead.value);
  return (
    <>
      <div class="title-line">
        <h1 class="title">{texts.value.settings}</h1>
        {person.value?.role === 'owner' && (
          <a class="button" href={pathTo('console')} target="_top">
            <Icon name="gauge" />
            {texts.value.console}
          </a>
        )}
      </div>
      <div aria-busy={!hasOthers}>
        <div class="settings">
          <GoalsForm key={energyUnit.value} />
          {hasOthers && <Later load={loadDietCard} props={{}} />}
          {hasOthers && <PhotoCard />}
        </div>
        {hasOthers && (
          <>
            <Section name="device">
              <DisplayCard />
            </Section>
            <Section name="people">
              <AccountCards />
              <PasskeysCard />
              <OpenIdAccounts />
              <DevicesCard />
              <HouseholdCards />
            </Section>
            <Section name="data">
              <ExportCard />
              <ImportCard />
              <AppsCard />
              <DeleteAccountCard />
            </Section>
          </>
        )}
      </div>
    </>
  );
}

interface SectionProps {
  readonly name: keyof typeof texts.value.settingSections;
  readonly children: ComponentChildren;
}

/** Cards of one topic, below its name. */
function Section({ name, children }: SectionProps) {
  return (
    <div class="setting-section">
      <h2 class="section-name">{texts.value.settingSections[name]}</h2>
      <div class="settings">{children}</div>
    </div>
  );
}
