import '../styles/forms.css';
import '../styles/settings.css';
import { OpenIdAccounts } from '../account/openid.tsx';
import { energyUnit } from '../parts/measures.ts';
import { useSettled } from '../parts/settled.ts';
import { texts } from '../texts/texts.ts';
import { AccountCards } from './account-cards.tsx';
import { AppsCard } from './apps-card.tsx';
import { DevicesCard } from './devices-card.tsx';
import { DisplayCard } from './display-card.tsx';
import { areGoalsRead, GoalsForm } from './goals-form.tsx';
import { HouseholdCards } from './household-cards.tsx';
import { ExportCard, ImportCard } from './moving-cards.tsx';

/** What a person sets: goals, how this device shows the page, the own data, the household and the account. */
export function SettingsPage() {
  const hasOthers = useSettled(areGoalsRead.value);
  return (
    <>
      <h1 class="title">{texts.value.settings}</h1>
      <div class="settings" aria-busy={!hasOthers}>
        <GoalsForm key={energyUnit.value} />
        {hasOthers && (
          <>
            <DisplayCard />
            <AccountCards />
            <OpenIdAccounts />
            <DevicesCard />
            <HouseholdCards />
            <ExportCard />
            <ImportCard />
            <AppsCard />
          </>
        )}
      </div>
    </>
  );
}
