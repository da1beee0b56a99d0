import { format } from './format.ts';
import type { ImportReport, OutcomeCount } from './operator.ts';
import { words } from './texts/texts.ts';
import { Facts, nameIn } from './view.tsx';

const OUTCOMES = ['merged', 'known', 'skipped', 'broken', 'mended', 'noticed'] as const;

/** Shows how many records an import read, and their outcomes. Outcomes that did not occur are left out. */
export function ImportReportView({ report }: { readonly report: ImportReport }) {
  return (
    <section aria-label={words.value.report}>
      <ReportParts report={report} />
    </section>
  );
}

/** The counts, inside of what has a name already. */
export function ReportParts({ report }: { readonly report: ImportReport }) {
  const { reportNames } = words.value;
  return (
    <>
      <Facts facts={factsOf(report)} />
      {OUTCOMES.map((name) => (
        <Outcome key={name} title={reportNames[name]} outcome={report[name]} />
      ))}
    </>
  );
}

function factsOf({ origin, files = [], startedAt, seconds, read, kept, foods }: ImportReport) {
  const { origins, reportNames: names, source } = words.value;
  const { count, duration, moment } = format.value;
  const facts: [name: string, text: string | undefined][] = [
    [source, origin && nameIn(origins, origin)],
    [names.files, files.join(', ')],
    [names.startedAt, startedAt && moment(startedAt)],
    [names.duration, seconds === undefined ? undefined : duration(Math.max(1, seconds))],
    [names.read, read ? count(read) : undefined],
    [names.kept, kept ? count(kept) : undefined],
    [names.foods, foods ? count(foods) : undefined],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined && fact[1] !== '');
}

interface OutcomeProps {
  readonly title: string;
  readonly outcome: OutcomeCount | undefined;
}

/** The service gives reasons in English. */
function Outcome({ title, outcome }: OutcomeProps) {
  if (outcome === undefined || outcome.count === 0) return null;
  const { count } = format.value;
  return (
    <div class="part">
      <h3>
        {title}: {count(outcome.count)}
      </h3>
      <div lang="en">
        <Facts facts={outcome.reasons.map(({ reason, count: times }) => [reason, count(times)])} />
      </div>
    </div>
  );
}
