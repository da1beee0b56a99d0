import type pg from 'pg';
import { describePlan, explain, explainForAnyValues, isPlanned, type PlanNode } from './query-plan.ts';
import type { SentStatement } from './recorded-statements.ts';

/** The PostgreSQL major version of the recorded plans; others may plan differently. */
export const PLANNED_BY = 15;

/** One statement with all its plans. */
export interface StatementPlans {
  readonly statement: Pick<SentStatement, 'name' | 'text'>;
  /** The methods that send it. Notifications that combine several writes at varying times list only themselves. */
  readonly by: readonly string[];
  /** Distinct plans, each with the kinds of users that have it. */
  readonly plans: readonly { readonly plan: PlanNode; readonly of: readonly string[] }[];
}

/** Plans each statement once for all kinds of users; statements that differ only in the length of a list count as one. */
export async function planStatements(
  client: pg.Client,
  sent: Readonly<Record<string, readonly SentStatement[]>>,
): Promise<StatementPlans[]> {
  const found = new Map<
    string,
    { statement: SentStatement; by: Set<string>; plans: Map<string, { plan: PlanNode; of: Set<string> }> }
  >();
  const note = (statement: SentStatement, plan: PlanNode, of: string) => {
    const text = shorten(statement.text);
    const known = found.get(text) ?? {
      statement: { ...statement, text },
      by: new Set<string>(),
      plans: new Map(),
    };
    found.set(text, known);
    known.by.add(text === 'select pg_notify($…)' ? 'notices' : statement.by);
    const shape = describePlan(plan);
    const same = known.plans.get(shape) ?? { plan, of: new Set() };
    known.plans.set(shape, same);
    same.of.add(of);
  };
  const prepared = new Set<string>();
  for (const [kind, statements] of Object.entries(sent)) {
    for (const statement of statements.filter(isPlanned)) {
      note(statement, await explain(client, statement), kind);
      if (statement.name === undefined || prepared.has(statement.text)) continue;
      prepared.add(statement.text);
      note(statement, await explainForAnyValues(client, statement.text), 'anybody once prepared');
    }
  }
  return Array.from(found.values(), ({ statement, by, plans }) => ({
    statement,
    by: [...by],
    plans: Array.from(plans.values(), ({ plan, of }) => ({ plan, of: [...of] })),
  }));
}

/** The plans as text, so that changes show in review. */
export function formatPlans(planned: readonly StatementPlans[]): string {
  return planned.map((each) => formatPlan(each)).join('\n');
}

function formatPlan({ statement: { name, text }, by, plans }: StatementPlans): string {
  const described = plans.map(({ plan, of }) =>
    plans.length === 1 ? describePlan(plan, 1) : `  for ${of.join(', ')}\n${describePlan(plan, 2)}`,
  );
  const prepared = name === undefined ? '' : ` (prepared as ${name})`;
  return `-- ${by.join(', ')}${prepared}\n${text}\n${described.join('\n')}\n`;
}

/** The statements whose plans for two databases differ in more than which index leads to a single row. */
export function differences(
  here: readonly StatementPlans[],
  there: readonly StatementPlans[],
): { readonly here: string; readonly there: string }[] {
  const shapesOf = ({ plans }: StatementPlans) => {
    const shapes = plans.flatMap(({ plan, of }) =>
      of.map((kind) => `${kind}: ${describePlan(plan, 0, { exact: false })}`),
    );
    return [...new Set(shapes)].sort().join('\n');
  };
  return here.flatMap((each, at) => {
    const other = there[at]!;
    if (shapesOf(each) === shapesOf(other)) return [];
    return { here: formatPlan(each), there: formatPlan(other) };
  });
}

/** Joins lines, and shortens lists of parameters. */
export function shorten(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/\(\$\d+(?:, \$\d+)*\)/g, '($…)')
    .trim();
}
