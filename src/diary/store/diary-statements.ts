import { columnOf } from '../../db/dialect.ts';
import type { Query } from '../../db/writer.ts';
import { AMOUNT_KEYS, isRequired, MAX_DAY_ENTRIES } from '../records/entry.ts';
import { BILLIONTHS_PER_THOUSANDTH } from '../records/exact-amount.ts';
import { MAX_RECIPES_PER_USER } from '../records/recipe.ts';
import {
  ENTRY_COLUMNS,
  GOALS_COLUMNS,
  READ_ENTRY_COLUMNS,
  READ_GOALS_COLUMNS,
  READ_RECIPE_COLUMNS,
  RECIPE_COLUMNS,
} from './diary-rows.ts';

// Values begin with tenant and user. PostgreSQL runs each write as one statement, so that no other write comes between
// check and change.

const OWNED = 'tenant_id = $1 and user_id = $2';
/** Stored responses to whoever wrote for the user. */
const ABOUT = 'tenant_id = $1 and subject_user_id = $2';
/** As many rows are erased at a time: some 10 ms of the writer. */
const SLICE_ROWS = 2_000;
const READ_ENTRY = READ_ENTRY_COLUMNS.join();

const AMOUNTS = AMOUNT_KEYS.map(columnOf);

/**
 * How many entries there are; then for each amount the sum of its thousandths, the sum of the billionths beyond them, and how
 * many entries state it. The sum of the billionths themselves would not fit into 64 bits.
 */
const SUMS = [
  'count(*)',
  ...AMOUNTS.map((name) => `cast(coalesce(sum(${name} / ${BILLIONTHS_PER_THOUSANDTH}), 0) as bigint)`),
  ...AMOUNTS.map((name) => `cast(coalesce(sum(${name} % ${BILLIONTHS_PER_THOUSANDTH}), 0) as bigint)`),
  ...AMOUNT_KEYS.map((key) => (isRequired(key) ? 'count(*)' : `count(${columnOf(key)})`)),
];

function query(name: string, sql: string): Query {
  return { name, sql };
}

/** Of all columns but the owner's. */
function assignments(columns: readonly string[]): string[] {
  return columns.map((name, index) => `${name} = $${index + 1}`).slice(2);
}

function places(columns: readonly string[]): string[] {
  return columns.map((_, index) => `$${index + 1}`);
}

export const FIND_ENTRY = query(
  'find-entry',
  `select ${READ_ENTRY} from diary_entries where ${OWNED} and id = $3`,
);

/** Finds as many by their ids, each by itself: PostgreSQL reads all entries of the user for a list, of whom it expects a few. */
export function findEntries(count: number): Query {
  const each = idPlaces(count).map(
    (id) => `select ${READ_ENTRY} from diary_entries where ${OWNED} and id = ${id}`,
  );
  return query(`find-entries-${count}`, each.join(' union all '));
}

export function findRecipes(count: number): Query {
  return query(
    `find-recipes-${count}`,
    `select ${READ_RECIPE_COLUMNS} from diary_recipes where ${OWNED} and id in (${idPlaces(count)})`,
  );
}

/** Those after the owner's. */
function idPlaces(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `$${at + 3}`);
}

export const LIST_ENTRIES = query(
  'list-entries',
  `select ${READ_ENTRY} from diary_entries
   where ${OWNED} and (date, id) > ($3, $4) and date <= $5 order by date, id limit $6`,
);

export const LIST_LATEST = query(
  'list-latest',
  `select ${READ_ENTRY} from diary_entries where ${OWNED} order by date desc, id desc limit $3`,
);

/**
 * As a row of `SUM_DAYS`, without a date where the day is empty. A statement of its own, since SQLite plans a range anew for each pair of
 * bounds, which takes longer than the sums.
 */
export const SUM_DAY = query(
  'sum-day',
  `select min(date), null, ${SUMS} from diary_entries where ${OWNED} and date = $3`,
);

/** Entries that a thread sums up without a pause: about five milliseconds. A single day may hold four times as many. */
export const SLICE_SUMMED = 5_000;

/** Finds a row where the days have more entries than one slice. */
export const IS_LONG = query(
  'is-long',
  `select 1 from diary_entries where ${OWNED} and date between $3 and $4 limit 1 offset ${SLICE_SUMMED}`,
);

const DAYS = `diary_entries where ${OWNED} and date between $3 and $4`;
const SLICE = `(
     select * from diary_entries
     where ${OWNED} and (date, id) > ($3, $4) and date <= $5 order by date, id limit ${SLICE_SUMMED}
   ) as slice`;

/** A row for each day, or for each meal of each day: the day, the meal or null, and the sums. */
export const SUM_DAYS = {
  day: query('sum-days', sumRows('null', 'date', DAYS)),
  meal: query('sum-meals', sumRows('meal_type', 'date, meal_type', DAYS)),
};

/** The same of a slice; each row ends with the last id that is in it. */
export const SUM_SLICE = {
  day: query('sum-slice', sumRows('null', 'date', SLICE, ', max(id)')),
  meal: query('sum-slice-meals', sumRows('meal_type', 'date, meal_type', SLICE, ', max(id)')),
};

function sumRows(meal: string, group: string, from: string, last = ''): string {
  return `select date, ${meal}, ${SUMS}${last} from ${from} group by ${group} order by date`;
}

/** Counts entries with later ids than `$3`, up to `$4`. */
export const COUNT_SINCE = query(
  'count-since',
  `select count(*) from (select 1 from diary_entries where ${OWNED} and id > $3 limit $4) as counted`,
);

/** Finds no row where the day has no room for `$4` entries more, or where more than `$6` have later ids than `$5`. */
export const HAS_ROOM = query(
  'has-room',
  `select 1 as room
   where (select count(*) from diary_entries where ${OWNED} and date = $3) <= ${MAX_DAY_ENTRIES} - $4
     and not exists (select 1 from diary_entries where ${OWNED} and id > $5 limit 1 offset $6)`,
);

export const REPLACE_ENTRY = query(
  'replace-entry',
  `update diary_entries set ${assignments(Object.keys(ENTRY_COLUMNS))}
   where ${OWNED} and id = $4 and version = $5 - 1 and (
     date = $3 or (select count(*) from diary_entries where ${OWNED} and date = $3) < ${MAX_DAY_ENTRIES}
   )`,
);

export const REMOVE_ENTRY = query(
  'remove-entry',
  `delete from diary_entries where ${OWNED} and id = $3 and version = coalesce($4, version)`,
);

export const FIND_RECIPE = query(
  'find-recipe',
  `select ${READ_RECIPE_COLUMNS} from diary_recipes where ${OWNED} and id = $3`,
);

export const LIST_RECIPES = query(
  'list-recipes',
  `select ${READ_RECIPE_COLUMNS} from diary_recipes where ${OWNED} and id > $3 order by id limit $4`,
);

export const ADD_RECIPE = query(
  'add-recipe',
  `insert into diary_recipes (${RECIPE_COLUMNS}) select ${places(RECIPE_COLUMNS)}
   where (select count(*) from diary_recipes where ${OWNED}) < ${MAX_RECIPES_PER_USER}`,
);

export const REPLACE_RECIPE = query(
  'replace-recipe',
  `update diary_recipes set ${assignments(RECIPE_COLUMNS)} where ${OWNED} and id = $3 and version = $4 - 1`,
);

export const REMOVE_RECIPE = query(
  'remove-recipe',
  `delete from diary_recipes where ${OWNED} and id = $3 and version = coalesce($4, version)`,
);

export const LIST_GOALS = query(
  'list-goals',
  `select ${READ_GOALS_COLUMNS} from diary_goals where ${OWNED} order by from_date`,
);

/** Does nothing where the user has as many goals of other days as the last value says. */
export const PUT_GOALS = query(
  'put-goals',
  `insert into diary_goals (${GOALS_COLUMNS}) select ${places(GOALS_COLUMNS)}
   where (select count(*) from diary_goals where ${OWNED} and from_date <> $3) < $${GOALS_COLUMNS.length + 1}
   on conflict (tenant_id, user_id, from_date) do update set ${READ_GOALS_COLUMNS.slice(1).map((name) => `${name} = excluded.${name}`)}`,
);

export const REMOVE_OTHER_GOALS = query(
  'remove-other-goals',
  `delete from diary_goals where ${OWNED} and from_date <> $3`,
);

/** Begins the owner's log after its end, so that whoever follows it begins anew. */
export const END_LOG = query(
  'end-log',
  `update change_heads set seq = seq + 1, start = seq + 1 where ${OWNED}`,
);

/**
 * The head goes first, since its lock keeps writers waiting, and then the log: what is written meanwhile has a head and is in the log.
 * Kept answers about a user repeat what the diary said, so erasing
 * the user removes them too, whoever asked.
 */
export const ERASE_USER = [
  query('del-head', `delete from change_heads where ${OWNED}`),
  query('del-log', `delete from changes where ${OWNED}`),
  query('del-entries', `delete from diary_entries where ${OWNED}`),
  query('del-recipes', `delete from diary_recipes where ${OWNED}`),
  query('del-goals', `delete from diary_goals where ${OWNED}`),
  query('del-answers', `delete from idempotent_requests where ${ABOUT}`),
] as const;

/** Of what has no limit for each user: whether there is more than a slice, and the deletion of a slice. */
export const ERASE_SLICES = [
  {
    isLarge: query(
      'has-many-entries',
      `select 1 from diary_entries where ${OWNED} limit 1 offset ${SLICE_ROWS}`,
    ),
    erase: query(
      'erase-some-entries',
      `delete from diary_entries where (tenant_id, user_id, date, id) in (
        select tenant_id, user_id, date, id from diary_entries where ${OWNED} limit ${SLICE_ROWS})`,
    ),
  },
  {
    isLarge: query('has-many-changes', `select 1 from changes where ${OWNED} limit 1 offset ${SLICE_ROWS}`),
    erase: query(
      'erase-some-changes',
      `delete from changes where (tenant_id, user_id, kind, id) in (
        select tenant_id, user_id, kind, id from changes where ${OWNED} limit ${SLICE_ROWS})`,
    ),
  },
  {
    isLarge: query(
      'has-many-answers',
      `select 1 from idempotent_requests where ${ABOUT} limit 1 offset ${SLICE_ROWS}`,
    ),
    erase: query(
      'erase-some-answers',
      `delete from idempotent_requests where (tenant_id, user_id, idempotency_key) in (
        select tenant_id, user_id, idempotency_key from idempotent_requests where ${ABOUT} limit ${SLICE_ROWS})`,
    ),
  },
] as const;

export const FIND_FOOD = query('find-food', `select 1 from live_foods where ${OWNED} limit 1`);

/** Each food gets a number of its own in the tenant's log, as by single deletions, under the lock of the tenant's foods. */
export const ERASE_FOODS = [
  query(
    'count-erased-foods',
    `update change_heads set seq = seq + (select count(*) from live_foods where ${OWNED})
     where tenant_id = $1 and user_id = ''`,
  ),
  query(
    'log-erased-foods',
    `insert into changes (tenant_id, user_id, kind, id, seq, deleted, forget_after_ms)
     select tenant_id, '', 'food', id,
       (select seq from change_heads where tenant_id = $1 and user_id = '')
         - count(*) over () + row_number() over (order by id), 1, cast($3 as bigint)
     from live_foods where ${OWNED}
     on conflict (tenant_id, user_id, kind, id) do update set
       seq = excluded.seq, deleted = excluded.deleted, forget_after_ms = excluded.forget_after_ms`,
  ),
  query('erase-foods', `delete from live_foods where ${OWNED}`),
] as const;
