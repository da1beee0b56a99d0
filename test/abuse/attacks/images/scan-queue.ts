import sharp from 'sharp';
import type { Attack } from '../../attack.ts';
import { inParallel } from '../../attacker/in-parallel.ts';
import { sendScan, tally } from '../../attacker/scanning.ts';
import { ms } from '../../measured.ts';
import { scanOfAnother } from './image-bombs.ts';

const COUNT = 60;
const WIDTH = 30;
const WIDTH_PX = 4_000;
const HEIGHT_PX = 3_000;

/** More large photos at one time than a worker gets through; another tenant scans a barcode behind them. */
export const scanQueue: Attack = {
  name: 'scan queue',
  async run(scene) {
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 12 };
    const scenery = sharp({
      create: { width: WIDTH_PX, height: HEIGHT_PX, channels: 3, background: '#808080', noise },
    });
    const photo = await scenery.jpeg({ quality: 80 }).toBuffer();
    const outcomes: string[] = [];
    const sending = inParallel({ count: COUNT, width: WIDTH, endsAtMs: scene.endsAtMs }, async () => {
      outcomes.push((await sendScan(scene, scene.key, 'image/jpeg', photo)).outcome);
    });
    const other = await scanOfAnother(scene);
    const sent = await sending;
    return {
      sent: `${sent} photos of 12 megapixels (${tally(outcomes)}); another's scan took ${ms(other.tookMs)}`,
      breaches: other.breaches,
    };
  },
};
