import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';

// Optional npm packages of the recognizers: an installation with `npm ci --omit=optional` lacks all of them.

/** Opens photos; without it nothing is recognized. */
const IMAGES = 'sharp';
/** Runs the networks that read labels and recognize dishes. */
const NETWORKS = 'onnxruntime-node';
/** Runs image-text models, which only operators add. */
const IMAGE_TEXT_MODELS = '@huggingface/transformers';

/** Lists the packages that this configuration needs and the installation lacks, and what works without them. */
export interface ScanPackages {
  readonly missing: readonly string[];
  readonly canOpenPhotos: boolean;
  readonly canReadLabels: boolean;
  readonly canRecognizeDishes: boolean;
}

const { resolve } = createRequire(import.meta.url);

/** Checks which packages are installed, without loading them. */
export function findScanPackages(
  { dishModel }: Pick<Config, 'dishModel'>,
  isInstalled = isThere,
): ScanPackages {
  const needed = [IMAGES, NETWORKS, ...(isImageTextModel(dishModel) ? [IMAGE_TEXT_MODELS] : [])];
  const missing = needed.filter((name) => !isInstalled(name));
  const canOpenPhotos = !missing.includes(IMAGES);
  const canReadLabels = canOpenPhotos && !missing.includes(NETWORKS);
  const canRecognizeDishes = canReadLabels && !missing.includes(IMAGE_TEXT_MODELS);
  return { missing, canOpenPhotos, canReadLabels, canRecognizeDishes };
}

/** A model folder in the layout of Hugging Face has `config.json`, a classifier has `model.json`. */
function isImageTextModel(model: Config['dishModel']): boolean {
  if (typeof model === 'string') return false;
  return 'hubId' in model || existsSync(join(model.dir, 'config.json'));
}

function isThere(name: string): boolean {
  try {
    // Node remembers where a package was.
    return existsSync(resolve(name));
  } catch {
    return false;
  }
}

/**
 * Returns a text that says what does not work without the missing packages, and how to install them;
 * undefined if nothing is missing.
 */
export function missingPackagesText(packages: ScanPackages): string | undefined {
  if (packages.missing.length === 0) return undefined;
  const names = packages.missing.join(', ');
  return `${effectOf(packages)}: this installation lacks the npm packages ${names}. Run \`npm ci\` without --omit=optional to install them.`;
}

function effectOf({ canOpenPhotos, canReadLabels }: ScanPackages): string {
  if (!canOpenPhotos) return 'Photos cannot be scanned';
  return canReadLabels
    ? 'Scans do not recognize dishes'
    : 'Scans read barcodes, but neither labels nor dishes';
}
