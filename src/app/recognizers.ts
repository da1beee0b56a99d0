import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '@larder/core/errors.ts';
import type { Config } from '../config/config.ts';
import { readStarterFoods } from '../foods/starter/starter-foods.ts';
import { OutgoingAddresses } from '../outgoing/outgoing-addresses.ts';
import type { Recognizer } from '../scan/recognizer.ts';
import { checkDishModel, openDishModel } from '../scan/recognizers/dish/open-dish-model.ts';
import type { VisionModel } from '../scan/recognizers/remote/vision-model.ts';
import { openDisk } from './data-folder.ts';
import { findScanPackages, missingPackagesText } from './installation/scan-packages.ts';

const SHIPPED_DISH_MODEL = fileURLToPath(new URL('../../models/dish-mobilenet', import.meta.url));

/** Share of a scan's time for the vision service; if it does not respond, the dish model runs in the remaining time. */
const VISION_SHARE = 0.5;

/**
 * The configured recognizers in the order of their use; each process that analyses images has its own. Throws
 * an `OperatorError` for a model that cannot be used. Their libraries are imported here, because a service
 * imports this file, too.
 */
export async function openRecognizers(config: Config): Promise<Recognizer[]> {
  const { boundImageDecoding } = await import('../scan/images/open-photo.ts');
  const { BarcodeRecognizer } = await import('../scan/recognizers/barcode/barcode-recognizer.ts');
  boundImageDecoding();
  const { canReadLabels, canRecognizeDishes } = findScanPackages(config);
  const remote = await openVisionModel(config);
  const dish = canRecognizeDishes ? await openDish(config) : undefined;
  const [labels, receipts] = canReadLabels ? await openTextRecognizers() : [[], []];
  return [
    await BarcodeRecognizer.open({ nowMs: () => performance.now() }),
    ...labels,
    ...(remote === undefined ? [] : [remote]),
    ...(dish === undefined ? [] : [dish]),
    ...receipts,
  ];
}

/** Labels and receipts are read by the same networks, which are in memory once. */
async function openTextRecognizers(): Promise<readonly [labels: Recognizer[], receipts: Recognizer[]]> {
  const { TextReader } = await import('../scan/recognizers/label/text/text-reader.ts');
  const { LabelRecognizer } = await import('../scan/recognizers/label/label-recognizer.ts');
  const { ReceiptRecognizer } = await import('../scan/recognizers/receipt/receipt-recognizer.ts');
  const reader = await TextReader.open();
  return [[await LabelRecognizer.open(reader)], [await ReceiptRecognizer.open(reader)]];
}

/** Checks the packages and the configured model without loading them. Throws an `OperatorError` if photos cannot be scanned. */
export async function checkRecognizers(config: Config): Promise<void> {
  const packages = findScanPackages(config);
  if (!packages.canOpenPhotos) throw new OperatorError(missingPackagesText(packages)!);
  if (!packages.canRecognizeDishes) return;
  const dir = folderOf(config.dishModel);
  if (dir !== undefined) await checkDishModel(dir, readStarterFoods());
}

async function openVisionModel({ vision, scanTimeoutMs }: Config): Promise<VisionModel | undefined> {
  if (vision === undefined) return undefined;
  const { VISION_LIMITS, VisionModel } = await import('../scan/recognizers/remote/vision-model.ts');
  const { url: base, secrets, timeoutMs, ...rest } = vision;
  const totalMs = Math.floor(scanTimeoutMs * VISION_SHARE);
  return new VisionModel({ base, ...secrets, ...rest, limits: { ...VISION_LIMITS, timeoutMs, totalMs } });
}

async function openDish(config: Config): Promise<Recognizer | undefined> {
  const { dishModel, dataDir, outgoingNetworks } = config;
  if (dishModel === 'none') return undefined;
  const shared = {
    cacheDir: join(dataDir, 'models'),
    foods: readStarterFoods,
    severalFoods: config.severalFoods === 'on',
  };
  const dir = folderOf(dishModel);
  if (dir !== undefined) return openDishModel({ dir, ...shared });
  const hub = { addresses: new OutgoingAddresses({ allowed: outgoingNetworks }), disk: openDisk(config) };
  return openDishModel({ ...(dishModel as { readonly hubId: string }), hub, ...shared });
}

/** Undefined without a model, and for one from Hugging Face. */
function folderOf(dishModel: Config['dishModel']): string | undefined {
  if (dishModel === 'shipped') return SHIPPED_DISH_MODEL;
  return typeof dishModel === 'object' && 'dir' in dishModel ? dishModel.dir : undefined;
}
