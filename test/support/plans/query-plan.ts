import type pg from 'pg';
import type { SentStatement } from './recorded-statements.ts';

/** The used part of a node of EXPLAIN. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Operation?: string;
  readonly 'Parent Relationship'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly Filter?: string;
  readonly 'Sort Key'?: readonly string[];
  readonly 'Plan Rows': number;
  readonly Plans?: readonly PlanNode[];
}

/** PostgreSQL's plan for a statement with these values. */
export async function explain(client: pg.Client, { text, values }: SentStatement): Promise<PlanNode> {
  return planOf(await client.query(`explain (format json) ${text}`, values as unknown[]));
}

/** The generic plan for any values, which PostgreSQL may use for prepared statements. */
export async function explainForAnyValues(client: pg.Client, text: string): Promise<PlanNode> {
  await client.query(`prepare any_values as ${text}`);
  try {
    const { rows } = await client.query<{ count: number }>(
      `select cardinality(parameter_types) as count from pg_prepared_statements where name = 'any_values'`,
    );
    const nulls = Array.from({ length: rows[0]!.count }, () => 'null').join(', ');
    await client.query('set plan_cache_mode = force_generic_plan');
    return planOf(await client.query(`explain (format json) execute any_values ${nulls && `(${nulls})`}`));
  } finally {
    await client.query('reset plan_cache_mode');
    await client.query('deallocate any_values');
  }
}

function planOf({ rows }: pg.QueryResult<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>): PlanNode {
  return rows[0]!['QUERY PLAN'][0].Plan;
}

/** Nodes that consume all rows before they emit the first. */
const GATHERING = ['Sort', 'Aggregate', 'Hash'];

/**
 * Full scans of tables, and of indexes without a condition, except for partial indexes, which have few rows,
 * and scans that a limit ends early.
 */
export function* wholeReads(
  plan: PlanNode,
  partialIndexes: ReadonlySet<string>,
  isLimited = false,
): Generator<PlanNode> {
  const { 'Node Type': kind, 'Index Name': index = '' } = plan;
  if (kind === 'Seq Scan') yield plan;
  if (/^(Bitmap )?Index/.test(kind) && plan['Index Cond'] === undefined) {
    if (!isLimited && !partialIndexes.has(index)) yield plan;
  }
  const isChildLimited = kind === 'Limit' || (isLimited && !GATHERING.includes(kind));
  for (const child of plan.Plans ?? []) yield* wholeReads(child, partialIndexes, isChildLimited);
}

/** Whether PostgreSQL plans the statement, unlike LOCK, BEGIN or a setting. */
export function isPlanned({ text }: Pick<SentStatement, 'text'>): boolean {
  return /^\s*(select|insert|update|delete|with|merge|values)\b/i.test(text) && !/\bset_config\(/.test(text);
}

/** Plans that are part of another plan. */
const ROLES: Readonly<Record<string, string>> = { InitPlan: 'once: ', SubPlan: 'for each: ' };

/** Each read of one of the tables that does not use values of all these columns, or those of another row. */
export function* readsWithout(
  plan: PlanNode,
  tables: ReadonlySet<unknown>,
  columns: readonly string[],
): Generator<{ readonly table: string; readonly lacks: readonly string[] }> {
  const table = plan['Relation Name'] ?? '';
  if (/\bScan$/.test(plan['Node Type']) && tables.has(table)) {
    const conditions = [plan, ...(plan.Plans ?? [])].flatMap((node) => [
      node['Index Cond'] ?? '',
      node['Recheck Cond'] ?? '',
      node.Filter ?? '',
    ]);
    const isGiven = (column: string) =>
      new RegExp(`\\b${column}\\)?(?:::text)? = `).test(conditions.join(' '));
    const lacks = columns.filter((column) => !isGiven(column));
    if (lacks.length > 0) yield { table, lacks };
  }
  for (const child of plan.Plans ?? []) yield* readsWithout(child, tables, columns);
}

/**
 * The plan's shape without values and estimates, which should change only on purpose. Unless `exact`, it omits which
 * index leads to a single row, because that depends on details such as tree heights.
 */
export function describePlan(plan: PlanNode, depth = 0, { exact = true } = {}): string {
  const of = plan['Relation Name'] === undefined ? '' : ` ${plan['Relation Name']}`;
  const isTold = exact || plan['Plan Rows'] > 1;
  const by = plan['Index Name'] === undefined ? '' : isTold ? ` by ${plan['Index Name']}` : ' by some index';
  const kind = plan['Node Type'] === 'ModifyTable' ? plan.Operation! : plan['Node Type'];
  const role = ROLES[plan['Parent Relationship'] ?? ''] ?? '';
  const where =
    plan['Index Cond'] === undefined || !isTold ? '' : ` where ${withoutValues(plan['Index Cond'])}`;
  const on = plan['Sort Key'] === undefined ? '' : ` on ${plan['Sort Key'].join(', ')}`;
  const line = `${'  '.repeat(depth)}${role}${kind}${of}${by}${where}${on}`;
  return [line, ...(plan.Plans ?? []).map((child) => describePlan(child, depth + 1, { exact }))].join('\n');
}

/** `(id = 'x'::text)` and `(id = $1)` are the same condition. */
function withoutValues(condition: string): string {
  return condition
    .replace(/'(?:[^']|'')*'(?:::[a-z]+(?: [a-z]+)*(?:\[\])?)?/g, '?')
    .replace(/\$\d+/g, '?')
    .replace(/(?<=[=<>(,] ?)-?\d+(?:\.\d+)?\b/g, '?');
}
