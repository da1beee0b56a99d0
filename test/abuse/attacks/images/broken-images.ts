import sharp from 'sharp';
import { halvesHeic } from '../../../support/heic-file.ts';
import type { Attack } from '../../attack.ts';
import { inParallel } from '../../attacker/in-parallel.ts';
import { type ImageType, sendScan, tally } from '../../attacker/scanning.ts';
import { breakImage } from '../../generators/images.ts';

/** More than are analysed at one time, so that none of these waits for us. */
const WIDTH = 24;
const SIDE_PX = 96;
/** Some ten images a second are analysed on two processors that others use as well. */
const FULL_LIMIT_MS = 45 * 60_000;

/** Images of every type, damaged in other places each time. */
export const brokenImages: Attack = {
  name: 'broken images',
  fullLimitMs: FULL_LIMIT_MS,
  async run(scene) {
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
    const picture = sharp({
      create: { width: SIDE_PX, height: SIDE_PX, channels: 3, background: '#808080', noise },
    });
    const whole: readonly (readonly [ImageType, Uint8Array])[] = [
      ['image/jpeg', await picture.clone().jpeg().toBuffer()],
      ['image/jpeg', await picture.clone().jpeg({ progressive: true }).toBuffer()],
      ['image/png', await picture.clone().png().toBuffer()],
      ['image/webp', await picture.clone().webp().toBuffer()],
      ['image/webp', await picture.clone().webp({ lossless: true }).toBuffer()],
      ['image/heic', halvesHeic()],
    ];
    const outcomes: string[] = [];
    const wanted = { count: scene.count(10_000, 400), width: WIDTH, endsAtMs: scene.endsAtMs };
    const sent = await inParallel(wanted, async (at) => {
      const [type, bytes] = whole[at % whole.length]!;
      const { outcome } = await sendScan(scene, scene.key, type, breakImage(bytes, scene.random));
      outcomes.push(outcome);
    });
    const wrong = outcomes.filter((outcome) => ['never settled', 'internal_error'].includes(outcome));
    return { sent: `${sent} images (${tally(outcomes)})`, breaches: wrong.length > 0 ? [tally(wrong)] : [] };
  },
};
