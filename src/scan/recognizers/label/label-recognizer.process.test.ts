import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LABEL_LAYOUTS } from '../../../../test/support/labels/label-layouts.ts';
import { labelSvg } from '../../../../test/support/labels/label-svg.ts';
import { photograph } from '../../../../test/support/labels/photograph.ts';
import { drawFacts } from '../../../../test/support/labels/printed-facts.ts';
import { useTestFonts } from '../../../../test/support/labels/use-test-fonts.ts';
import type { ImageFacts } from '../../images/image-facts.ts';
import { inspectImage } from '../../images/inspect-image.ts';
import { OpenPhoto } from '../../images/open-photo.ts';
import type { LabelProposal } from '../../recognizer.ts';
import { LabelRecognizer } from './label-recognizer.ts';

let recognizer: LabelRecognizer;

beforeAll(async () => {
  useTestFonts();
  recognizer = await LabelRecognizer.open();
});
afterAll(() => recognizer.close());

async function recognize(image: Buffer, signal = new AbortController().signal) {
  return recognizer.recognize(
    await OpenPhoto.open(image, inspectImage(image) as ImageFacts, () => 0),
    signal,
  );
}

async function shoot(name: string, turnDegrees = 0, edit = (text: string) => text): Promise<Buffer> {
  const { draw, step, colours, shot } = LABEL_LAYOUTS.find((layout) => layout.name === name)!;
  const drawing = draw(drawFacts(() => 0.4, step));
  const prints = drawing.prints.map((print) => ({ ...print, text: edit(print.text) }));
  return photograph(labelSvg({ ...drawing, prints }, colours), { ...shot, turnDegrees }, () => 0.4);
}

describe('LabelRecognizer', () => {
  const { perServing, servingAmount, per100 } = drawFacts(() => 0.4, 1);

  it('proposes the facts of a label, scaled to 100 g', async () => {
    const { proposals } = await recognize(await shoot('US vertical'));
    expect(proposals).toHaveLength(1);
    const proposal = proposals[0] as LabelProposal;
    expect(proposal).toMatchObject({
      kind: 'label',
      basis: 'g',
      serving: { unit: 'cup', basisAmount: servingAmount },
    });
    expect(proposal.per100.energy).toBeCloseTo((perServing.kcal * 100) / servingAmount, 2);
    expect(proposal.per100.carbohydrates).toBeCloseTo((perServing.carbohydrates * 100) / servingAmount, 2);
    expect(proposal.box!.width).toBeGreaterThan(0.4);
  });

  it('reads a label rotated by a quarter turn', async () => {
    const { proposals, details } = await recognize(await shoot('EU de, 100 + serving, one cell', 90));
    expect(details).toMatchObject({ quartersTurned: 3 });
    expect((proposals[0] as LabelProposal).per100.fat).toBeCloseTo(drawFacts(() => 0.4, 0.1).per100.fat, 2);
    expect(per100.fat).toBeGreaterThan(0);
  });

  it('reads a serving stated only in ounces', async () => {
    const image = await shoot('US vertical', 0, (text) => text.replace(/^2\/3 cup.*/, '3 ounces'));
    const { proposals } = await recognize(image);
    expect(proposals).toMatchObject([{ basis: 'g', serving: { value: 84, unit: 'g', basisAmount: 84 } }]);
  });

  it('reads a label that takes a third of a photo of 12 megapixels', async () => {
    const label = sharp(await shoot('EU de, 100 + serving, one cell')).resize({ width: 1411 });
    const scene = sharp({ create: { width: 4032, height: 3024, channels: 3, background: '#7a8' } });
    const image = scene.composite([{ input: await label.toBuffer(), left: 1200, top: 700 }]);
    const { proposals } = await recognize(await image.jpeg({ quality: 85 }).toBuffer());
    const proposal = proposals[0] as LabelProposal;
    expect(proposal.per100.fat).toBeCloseTo(drawFacts(() => 0.4, 0.1).per100.fat, 2);
    expect(proposal.box!.width).toBeLessThan(0.5);
  });

  it('proposes nothing for a photo without text', async () => {
    const blank = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><circle cx="400" cy="300" r="200" fill="#a52"/></svg>',
    );
    expect(await recognize(await photograph(blank, {}, () => 0.5))).toEqual({ proposals: [] });
  });

  it('stops when it is aborted', async () => {
    const reason = new Error('too late');
    await expect(recognize(await shoot('US vertical'), AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
