/**
 * Works on the parts 0 to `count` - 1 in order, several at once. On the first error it starts no more, waits for what is
 * under way, and throws.
 */
export async function eachPart(
  { count, atOnce }: { readonly count: number; readonly atOnce: number },
  work: (part: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const workOn = async (): Promise<void> => {
    while (next < count) {
      const part = next++;
      await work(part).catch((error) => {
        next = count;
        throw error;
      });
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(atOnce, count) }, workOn));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
