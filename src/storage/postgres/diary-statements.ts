import { AMOUNT_KEYS, MAX_DAY_ENTRIES } from '../../diary/entry.ts';
import { MAX_GOALS_PER_USER } from '../../diary/goals.ts';
import { MAX_RECIPES_PER_USER } from '../../diary/recipe.ts';
import {
  ENTRY_COLUMNS,
  EXACT_VERSION,
  GOALS_COLUMNS,
  RECIPE_COLUMNS,
  REQUEST_DONE,
  REST_COLUMNS,
  WRITTEN_ENTRY_COLUMNS,
} from '../diary-rows.ts';
import { eraseFoods } from '../erase-foods.ts';

// Each statement is one atomic step, limits included, so that no other write can come between check and change.

/** A statement that each connection of our own prepares once, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

const OWNED = 'tenant_id = $1 and user_id = $2';

/** Types of `WRITTEN_ENTRY_COLUMNS`, for the arrays that a batch travels in. */
const ENTRY_TYPES =
  'text,text,int,text,text,bigint,bigint,bigint,bigint,bigint,bigint,text,text,text,text,double precision,text,bigint,bigint,' +
  'text,int,int,int,int,int,int,int';
const FIRST_VALUE = 3;

/** Whether no node of a version before has changed the entry since: see `EXACT_VERSION`. */
const IS_EXACT = `${EXACT_VERSION} = version`;
const READ_ENTRY = ENTRY_COLUMNS.replace(/basis$/, `case when ${IS_EXACT} then basis end`);

const SUMS = [
  ...AMOUNT_KEYS.map((column) => `coalesce(sum(${column}), 0)::bigint`),
  ...REST_COLUMNS.split(', ').map(
    (column) => `coalesce(sum(${column}) filter (where ${IS_EXACT}), 0)::bigint`,
  ),
].join(', ');

const entryColumns = WRITTEN_ENTRY_COLUMNS.split(', ');
const recipeColumns = RECIPE_COLUMNS.split(', ');
const goalsColumns = GOALS_COLUMNS.split(', ');
const entryArrays = ENTRY_TYPES.split(',').map((type, index) => `$${index + FIRST_VALUE}::${type}[]`);

function statement(name: string, text: string): Statement {
  return { name: `diary-${name}`, text };
}

function values(columns: readonly string[]): string {
  return columns.map((_, index) => `$${index + FIRST_VALUE}`).join(', ');
}

function assignments(columns: readonly string[]): string {
  return columns.map((column, index) => `${column} = $${index + FIRST_VALUE}`).join(', ');
}

export const FIND_ENTRY = statement(
  'find-entry',
  `select ${READ_ENTRY} from diary_entries where ${OWNED} and id = $3`,
);

export const LIST_ENTRIES = statement(
  'list-entries',
  `select ${READ_ENTRY} from diary_entries
   where ${OWNED} and (date, id) > ($3, $4) and date <= $5 order by date, id limit $6`,
);

export const LIST_LATEST = statement(
  'list-latest',
  `select ${READ_ENTRY} from diary_entries where ${OWNED} order by date desc, id desc limit $3`,
);

export const SUM_DAYS = statement(
  'sum-days',
  `select date, ${SUMS} from diary_entries
   where ${OWNED} and date between $3 and $4 group by date order by date`,
);

/** Adds nothing when one of the days has no room. */
const ADD = `insert into diary_entries (tenant_id, user_id, ${WRITTEN_ENTRY_COLUMNS})
   select $1, $2, added.* from unnest(${entryArrays.join(', ')}) as added (${WRITTEN_ENTRY_COLUMNS})
   where not exists (
     select 1 from unnest($3::text[]) as day (label) group by day.label
     having count(*) + (
       select count(*) from diary_entries where ${OWNED} and date = day.label collate "C"
     ) > ${MAX_DAY_ENTRIES}
   )`;

export const ADD_ENTRIES = statement('add-entries', ADD);

const NAME = entryArrays.length + FIRST_VALUE;

/** The same for a named request, of whose row it notes that this is done. */
export const ADD_NAMED_ENTRIES = statement(
  'add-named-entries',
  `with added as (${ADD} returning id),
        done as (
          update idempotent_requests set ${REQUEST_DONE}
          where tenant_id = $1 and user_id = $${NAME} and idempotency_key = $${NAME + 1} and status is null
            and exists (select 1 from added)
        )
   select id from added`,
);

export const REPLACE_ENTRY = statement(
  'replace-entry',
  `update diary_entries set ${assignments(entryColumns)}
   where ${OWNED} and id = $4 and version = $5::int - 1 and (
     date = $3 or
     (select count(*) from diary_entries where ${OWNED} and date = $3) < ${MAX_DAY_ENTRIES}
   )`,
);

export const REMOVE_ENTRY = statement(
  'remove-entry',
  `delete from diary_entries where ${OWNED} and id = $3 and version = coalesce($4, version)`,
);

export const FIND_ENTRY_VERSION = statement(
  'find-entry-version',
  `select version from diary_entries where ${OWNED} and id = $3`,
);

export const FIND_RECIPE = statement(
  'find-recipe',
  `select ${RECIPE_COLUMNS} from diary_recipes where ${OWNED} and id = $3`,
);

export const LIST_RECIPES = statement(
  'list-recipes',
  `select ${RECIPE_COLUMNS} from diary_recipes where ${OWNED} and id > $3 order by id limit $4`,
);

export const ADD_RECIPE = statement(
  'add-recipe',
  `insert into diary_recipes (tenant_id, user_id, ${RECIPE_COLUMNS}) select $1, $2, ${values(recipeColumns)}
   where (select count(*) from diary_recipes where ${OWNED}) < ${MAX_RECIPES_PER_USER}`,
);

export const REPLACE_RECIPE = statement(
  'replace-recipe',
  `update diary_recipes set ${assignments(recipeColumns)} where ${OWNED} and id = $3 and version = $4::int - 1`,
);

export const REMOVE_RECIPE = statement(
  'remove-recipe',
  `delete from diary_recipes where ${OWNED} and id = $3 and version = coalesce($4, version)`,
);

export const FIND_RECIPE_VERSION = statement(
  'find-recipe-version',
  `select version from diary_recipes where ${OWNED} and id = $3`,
);

export const LIST_GOALS = statement(
  'list-goals',
  `select ${GOALS_COLUMNS} from diary_goals where ${OWNED} order by from_date`,
);

const REPLACE_HISTORY = `$${goalsColumns.length + FIRST_VALUE}::boolean`;

/** Goals that replace the history drop all others in the same step. */
export const PUT_GOALS = statement(
  'put-goals',
  `with dropped as (
     delete from diary_goals where ${OWNED} and ${REPLACE_HISTORY} and from_date <> $3
   )
   insert into diary_goals (tenant_id, user_id, ${GOALS_COLUMNS}) select $1, $2, ${values(goalsColumns)}
   where ${REPLACE_HISTORY}
      or (select count(*) from diary_goals where ${OWNED} and from_date <> $3) < ${MAX_GOALS_PER_USER}
   on conflict (tenant_id, user_id, from_date) do update
   set ${goalsColumns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
);

export const ERASE_USER_FOODS = statement('erase-user-foods', eraseFoods(OWNED));

/** Found first, since erasing them keeps all other writers of foods waiting. */
export const HAS_FOODS = statement('has-foods', `select from live_foods where ${OWNED} limit 1`);

export const ERASE_USER = statement(
  'erase-user',
  `with recipes as (delete from diary_recipes where ${OWNED}),
        goals as (delete from diary_goals where ${OWNED}),
        answers as (delete from idempotent_requests where tenant_id = $1 and subject_user_id = $2)
   delete from diary_entries where ${OWNED}`,
);
