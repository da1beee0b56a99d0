import { DAY, FAVOURITE, MEAL, SETTINGS } from '../../diary/records/record-kinds.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { recordOperations } from './record-operations.ts';

/** The operations on all kinds of records. */
export const RECORD_OPERATIONS = [
  ...recordOperations({
    kind: DAY,
    path: 'diary/days',
    name: 'DiaryDay',
    plural: 'DiaryDays',
    noun: 'what was noted about a day',
    nouns: 'notes on days',
    description:
      'A note on the day as a whole, and whether it is complete. Every day can be read; one that nobody has written has version 0.',
    example: { note: 'Birthday of Ann.', complete: true },
    exampleChange: { complete: false },
    limit: BODY_LIMITS.item,
  }),
  ...recordOperations({
    kind: MEAL,
    path: 'meals',
    name: 'SavedMeal',
    plural: 'SavedMeals',
    noun: 'saved meal',
    nouns: 'saved meals',
    description:
      'Up to 50 foods that are logged together with `…/log`. The amounts of an item with a food or recipe are those of the time of saving, for display.',
    example: {
      name: 'Usual breakfast',
      items: [{ foodName: 'Banana', foodId: 'starter:banana', quantity: 1, unit: 'serving', calories: 105 }],
    },
    exampleChange: { name: 'Weekend breakfast' },
    limit: BODY_LIMITS.recipe,
  }),
  ...recordOperations({
    kind: FAVOURITE,
    path: 'favourites',
    name: 'Favourite',
    plural: 'Favourites',
    noun: 'favourite',
    nouns: 'favourites',
    description: 'A food, a recipe or a saved meal that is offered first.',
    example: { name: 'Banana', foodId: 'starter:banana', quantity: 1, unit: 'serving' },
    exampleChange: { quantity: 2 },
    limit: BODY_LIMITS.fields,
  }),
  ...recordOperations({
    kind: SETTINGS,
    path: 'settings',
    name: 'UserSettings',
    plural: 'UserSettings',
    noun: 'settings of a user',
    nouns: 'settings',
    description:
      'What a user chose on any device. Who may read the diary may read them; only the user changes them. Before the first change they have version 0.',
    example: { language: 'de', measures: 'metric', waterStepMl: 250, waterGoalMl: 2_000 },
    exampleChange: { waterGoalMl: 2_500 },
    limit: BODY_LIMITS.item,
  }),
];
