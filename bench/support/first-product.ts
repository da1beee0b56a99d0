/** The barcode of some product of the catalogue that a service answers from. */
export async function firstProduct({
  port,
  key,
}: {
  readonly port: number;
  readonly key: string;
}): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/foods/search?q=chocolate&limit=100`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const foods = (await answer.json()) as { barcode?: string }[];
  return foods.find(({ barcode }) => barcode !== undefined)!.barcode!;
}
