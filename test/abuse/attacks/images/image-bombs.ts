import { ean13Bars } from '../../../support/barcode-bars.ts';
import { barcodePicture } from '../../../support/barcode-picture.ts';
import type { Attack, Scene } from '../../attack.ts';
import { sendScan, tally } from '../../attacker/scanning.ts';
import { imageBombs } from '../../generators/images.ts';
import { ms } from '../../measured.ts';

/** A food that comes with Larder. */
const BARCODE = '0747599322198';
/** Maximum wait for a scan, whatever others send. */
const SCAN_WITHIN_MS = 30_000;

/** Decompression and pixel bombs of every type; another tenant scans a barcode meanwhile. */
export const imageBombsAttack: Attack = {
  name: 'image bombs',
  async run(scene) {
    const bombs = imageBombs();
    const sent = Promise.all(
      bombs.map(async ({ name, type, bytes }) => ({
        name,
        ...(await sendScan(scene, scene.key, type, bytes)),
      })),
    );
    const other = await scanOfAnother(scene);
    const scans = await sent;
    const wrong = scans.filter(({ outcome }) => ['never settled', 'internal_error'].includes(outcome));
    return {
      sent: `${bombs.length} images (${tally(scans.map(({ outcome }) => outcome))}); another's scan took ${ms(other.tookMs)}`,
      breaches: [...wrong.map(({ name, outcome }) => `${name}: ${outcome}`), ...other.breaches],
    };
  },
};

/** What a scan of the other tenant comes to meanwhile. */
export async function scanOfAnother(scene: Scene) {
  const picture = await barcodePicture({ bars: ean13Bars(BARCODE) });
  const { outcome, tookMs } = await sendScan(
    scene,
    scene.victimKey,
    'image/png',
    await picture.png().toBuffer(),
  );
  return {
    tookMs,
    breaches: [
      ...(outcome === 'completed' ? [] : [`another's scan: ${outcome}`]),
      ...(tookMs > SCAN_WITHIN_MS ? [`another's scan took ${ms(tookMs)}`] : []),
    ],
  };
}
