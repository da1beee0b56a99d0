/** What is mostly there at once and sometimes has to be waited for: on hot paths a needless promise costs more than the work. */
export type MaybePromise<T> = T | Promise<T>;

/** `next` of the value, without a detour where it is there. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** What `work` answers, and its failures as rejections, as of a function that always promises. */
export function attempt<T>(work: () => MaybePromise<T>): MaybePromise<T> {
  try {
    return work();
  } catch (failure) {
    return Promise.reject(failure);
  }
}
