/** Does `work` for 0 to `count - 1`, at most `width` at one time, and begins nothing after `endsAtMs`. Resolves with how many began. */
export async function inParallel(
  { count, width, endsAtMs }: { readonly count: number; readonly width: number; readonly endsAtMs: number },
  work: (index: number) => Promise<unknown>,
): Promise<number> {
  let begun = 0;
  const workOn = async () => {
    while (begun < count && performance.now() < endsAtMs) await work(begun++);
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, workOn));
  return begun;
}
