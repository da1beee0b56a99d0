import { z } from 'zod';
import type { FeedChange } from '../../diary/feed/user-feed.ts';
import type { DiaryOwner } from '../../diary/records/entry.ts';
import { KINDS, kindNamed } from '../../diary/records/record-kinds.ts';
import { EXAMPLE_ENTRY } from '../diary/diary-docs.ts';
import {
  entryObject,
  entrySchema,
  type withLocalIngredients,
  type withLocalNames,
} from '../diary/entry-json.ts';
import { goalsObject, goalsSchema } from '../diary/goals-json.ts';
import { customFoodObject, foodSchema } from '../foods/food-json.ts';
import { measurementObject, measurementSchema } from '../measurements/measurement-json.ts';
import { recipeObject, recipeSchema } from '../recipes/recipe-json.ts';
import { recordObject, recordSchema } from '../records/record-json.ts';

const op = z.enum(['upsert', 'delete']);

const allGoals = goalsSchema
  .extend({ all: z.array(goalsSchema).describe('All goals that were stated, by their first days.') })
  .meta({ id: 'AllGoals', description: 'The goals stated for the latest day, and all others.' });

const VALUES = {
  entry: entrySchema,
  recipe: recipeSchema,
  goals: allGoals,
  measurement: measurementSchema,
  food: foodSchema,
  ...Object.fromEntries(KINDS.map((kind) => [kind.name, recordSchema(kind)])),
};

const CHANGE_KINDS = Object.keys(VALUES);
const WHAT_KINDS_ARE = `"kinds" must be out of ${CHANGE_KINDS.join(', ')}, with commas between them.`;

/** The parameter of feed and stream. */
export const kindsQuery = z.object({
  kinds: z
    .string()
    .regex(new RegExp(`^(${CHANGE_KINDS.join('|')})(,(${CHANGE_KINDS.join('|')}))*$`), WHAT_KINDS_ARE)
    .optional()
    .describe('Only these kinds of changes, with commas between them; all without it.')
    .meta({ example: 'entry,goals' })
    .transform((list): ReadonlySet<string> | undefined =>
      list === undefined ? undefined : new Set(list.split(',')),
    ),
});

/** Describes `changeObject`. */
const changeSchema = z
  .discriminatedUnion(
    'kind',
    Object.entries(VALUES).map(([kind, value]) =>
      z
        .object({
          kind: z.literal(kind),
          op: op.describe('`upsert`: `value` is the current state. `delete`: the object was deleted.'),
          id: z.string(),
          value: value.optional().describe('With `upsert`: the object as its own operation returns it.'),
        })
        .meta({ id: `${kind[0]!.toUpperCase()}${kind.slice(1)}Change` }),
    ) as unknown as [z.ZodObject<{ kind: z.ZodLiteral<string> }>],
  )
  .meta({
    id: 'Change',
    description: 'The current state of one object. All goals of a user are one object.',
  });

export const cursorText = z.string().describe('Opaque; send it as `after`.');

export const feedPageSchema = z
  .object({
    changes: z.array(changeSchema),
    cursor: cursorText,
    more: z.boolean().describe('Whether more changes are available now.'),
  })
  .meta({ id: 'ChangesPage' });

export const feedNewsSchema = z
  .object({ cursor: z.string().describe('Current end of the feed.') })
  .meta({ id: 'ChangesNews' });

export const EXAMPLE_CURSOR = 'MX5DU2Vjb2RlRXhhbXBsZX5tOGt4YjJrfi1-LX4t';
export const EXAMPLE_PAGE = {
  changes: [
    { kind: 'entry', op: 'upsert', id: EXAMPLE_ENTRY.id, value: EXAMPLE_ENTRY },
    { kind: 'recipe', op: 'delete', id: '01KG9V4N00000000000000RECP' },
  ],
  cursor: EXAMPLE_CURSOR,
  more: false,
};

/** Functions that name the foods of entries and of recipes in a language. */
export interface Namers {
  readonly entry: ReturnType<typeof withLocalNames>;
  readonly recipe: ReturnType<typeof withLocalIngredients>;
}

/** A change as in responses. */
export function changeObject(change: FeedChange, { userId }: DiaryOwner, named: Namers): object {
  const { kind, id } = change;
  const value = valueObject(change, userId, named);
  return value === undefined ? { kind, op: 'delete', id } : { kind, op: 'upsert', id, value };
}

function valueObject(change: FeedChange, userId: string, named: Namers): object | undefined {
  if (change.value === undefined) return undefined;
  if (change.kind === 'entry') return named.entry(entryObject(change.value, userId));
  if (change.kind === 'recipe') return named.recipe(recipeObject(change.value, userId));
  if (change.kind === 'measurement') return measurementObject(change.value, userId);
  if (change.kind === 'food') return customFoodObject(change.value);
  if (change.kind === 'goals') {
    const { all, version } = change.value;
    return { ...goalsObject(all.at(-1), version), all: all.map((goals) => goalsObject(goals)) };
  }
  return recordObject(kindNamed(change.kind), change.value, userId);
}
