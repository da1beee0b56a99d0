const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;

let lastMs = 0;

/** Makes a ULID. Ids of one device sort in the order in which they were made. */
export function newId(nowMs: number = Date.now()): string {
  lastMs = Math.max(nowMs, lastMs + 1);
  let time = '';
  for (let rest = lastMs; time.length < TIME_CHARACTERS; rest = Math.floor(rest / 32))
    time = CROCKFORD[rest % 32] + time;
  // `randomUUID` is absent on pages without TLS.
  const random = crypto.getRandomValues(new Uint8Array(RANDOM_CHARACTERS));
  return time + Array.from(random, (byte) => CROCKFORD[byte % 32]).join('');
}
