import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Food } from '@larder/core/food.ts';
import type { Recognizer } from '../../recognizer.ts';
import type { HubOptions } from './hub-fetch.ts';

export type DishModelPlace = (
  | { readonly dir: string }
  | { readonly hubId: string; readonly hub: HubOptions }
) & {
  /** Folder for downloads and computed vectors. */
  readonly cacheDir: string;
  /** The foods that labels refer to, or that an image-text model chooses from. */
  readonly foods: () => Iterable<Food>;
  /** Whether a classifier looks for several foods on a photo. */
  readonly severalFoods?: boolean;
};

/**
 * Opens a dish model: a classifier, recognised by its `model.json`, or an image-text model in the layout of
 * Hugging Face. Loads only the libraries of that kind. Throws an `OperatorError` for other folders.
 */
export async function openDishModel(place: DishModelPlace): Promise<Recognizer> {
  if ('dir' in place && (await isClassifier(place.dir))) {
    const { DishRecognizer } = await import('./dish-recognizer.ts');
    const { dir, foods, severalFoods = true } = place;
    return DishRecognizer.open(dir, foods(), { severalFoods });
  }
  const { cacheDir, foods } = place;
  const source = 'dir' in place ? { dir: place.dir } : { hubId: place.hubId, hub: place.hub, cacheDir };
  const { OpenVocabularyRecognizer } = await import('./open-vocabulary-recognizer.ts');
  return OpenVocabularyRecognizer.open({ source, foods: foods(), cacheDir });
}

/** Checks a classifier's files and checksums, or that an image-text model exists. Throws as opening it would. */
export async function checkDishModel(dir: string, foods: Iterable<Food>): Promise<void> {
  if (!(await isClassifier(dir))) return;
  const { readClassifierFolder } = await import('./classifier-folder.ts');
  await readClassifierFolder(dir, foods);
}

/** A folder with neither file is treated as a classifier with a missing file. */
async function isClassifier(dir: string): Promise<boolean> {
  if (await exists(join(dir, 'model.json'))) return true;
  return !(await exists(join(dir, 'config.json')));
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
