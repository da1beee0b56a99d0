/** Least way of a finger, and how much longer it is than high. */
const MIN_PX = 64;
const MIN_SLOPE = 2;

/** Calls back when a finger swipes over an element: 1 towards the start of the line, -1 towards its end. Returns its end. */
export function onSwipe(element: HTMLElement, act: (direction: 1 | -1) => void): () => void {
  let start: Touch | undefined;
  const begin = ({ touches }: TouchEvent) => {
    start = touches.length === 1 ? touches[0] : undefined;
  };
  const end = ({ changedTouches: [last] }: TouchEvent) => {
    if (start === undefined || last === undefined) return;
    const [x, y] = [last.clientX - start.clientX, last.clientY - start.clientY];
    start = undefined;
    if (Math.abs(x) < MIN_PX || Math.abs(x) < MIN_SLOPE * Math.abs(y)) return;
    const isBack = document.dir === 'rtl' ? x < 0 : x > 0;
    act(isBack ? -1 : 1);
  };
  element.addEventListener('touchstart', begin, { passive: true });
  element.addEventListener('touchend', end, { passive: true });
  return () => {
    element.removeEventListener('touchstart', begin);
    element.removeEventListener('touchend', end);
  };
}
