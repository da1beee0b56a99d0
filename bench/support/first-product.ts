/** The barcode of some product of the catalogue that a service answers from. */
import { Larder } from '#larder-client';
export async function firstProduct({
  port,
  key,
}: {
  readonly port: number;
  readonly key: string;
}): Promise<string> {
  const larder = new Larder({ url: `http://127.0.0.1:${port}`, key });
  const foods = await larder.foods.search({ q: 'chocolate', limit: 100 });
  return foods.find(({ barcode }) => barcode !== undefined)!.barcode!;
}
