import { z } from 'zod';
import type { Caller } from '../../access/api-key.ts';
import { userIdText } from '../../api/text-schemas.ts';
import type { Tool } from './tool.ts';
import { deleteFoodTool, getCustomFoodsTool, saveFoodTool } from './tools/custom-foods.ts';
import { logWaterTool, noteDayTool } from './tools/day-notes.ts';
import { getDayTool, getTrendTool, setGoalsTool } from './tools/days.ts';
import { changeEntryTool, copyMealTool, deleteEntryTool, logMealTool } from './tools/entries.ts';
import { lookupBarcodeTool, recentFoodsTool, searchFoodsTool } from './tools/foods.ts';
import { readMealTool } from './tools/read-meal.ts';
import { deleteRecipeTool, getRecipesTool, saveRecipeTool } from './tools/recipes.ts';
import {
  addFavouriteTool,
  deleteSavedTool,
  getSavedTool,
  logSavedMealTool,
  saveMealTool,
} from './tools/saved-meals.ts';
import { scanPhotoTool } from './tools/scan-photo.ts';

/** All tools, in the order of `tools/list`. */
const TOOLS: readonly Tool[] = [
  ...[searchFoodsTool, lookupBarcodeTool, readMealTool, getCustomFoodsTool],
  ...[getDayTool, getTrendTool, recentFoodsTool, getSavedTool, getRecipesTool],
  ...[logMealTool, changeEntryTool, deleteEntryTool, copyMealTool, logSavedMealTool, logWaterTool],
  ...[saveRecipeTool, deleteRecipeTool, saveFoodTool, deleteFoodTool],
  ...[saveMealTool, addFavouriteTool, deleteSavedTool, noteDayTool, setGoalsTool, scanPhotoTool],
];

/** A tool as a client sees it, with a schema of its arguments for callers with one user or with many. */
export interface OfferedTool {
  readonly tool: Tool;
  readonly input: z.ZodObject;
  /** The form of the tool in `tools/list`. */
  readonly listed: {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly annotations: Tool['annotations'];
    readonly inputSchema: { readonly type: 'object' };
    readonly outputSchema: { readonly type: 'object' };
  };
}

const userIdArgument = {
  required: { userId: userIdText.describe('The user, as the app names them.') },
  none: {},
  optional: { userId: userIdText.optional().describe('Finds foods of this user too.') },
};

/** JSON Schemas are created once, when the first client requests them. */
const offered = new Map<boolean, readonly OfferedTool[]>();

/** All tools. A caller of one user has no argument for the user. */
export function allTools(isOfOneUser: boolean): readonly OfferedTool[] {
  const known = offered.get(isOfOneUser) ?? TOOLS.map((tool) => offer(tool, isOfOneUser));
  offered.set(isOfOneUser, known);
  return known;
}

/** The tools that the scopes of the caller allow. */
export function toolsFor({ scopes }: Caller, isOfOneUser: boolean): readonly OfferedTool[] {
  return allTools(isOfOneUser).filter(({ tool }) => scopes.includes(tool.scope));
}

function offer(tool: Tool, isOfOneUser: boolean): OfferedTool {
  const { name, title, description, annotations, output } = tool;
  const input = isOfOneUser ? tool.input : tool.input.extend(userIdArgument[tool.user]);
  return {
    tool,
    input,
    listed: {
      ...{ name, title, description, annotations },
      inputSchema: jsonSchemaOf(input, 'input'),
      outputSchema: jsonSchemaOf(output, 'output'),
    },
  };
}

function jsonSchemaOf(schema: z.ZodObject, io: 'input' | 'output') {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io,
    // Bounds that every whole number has would only fill the context of a model.
    override({ jsonSchema }) {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return described as { type: 'object' };
}
