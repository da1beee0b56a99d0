import type { Attack, Scene } from '../attack.ts';
import { inParallel } from '../attacker/in-parallel.ts';
import { manyFields, nested, ODD_VALUES } from '../generators/bodies.ts';

const WIDTH = 8;
const MIB = 1024 * 1024;
/** Beyond all limits; cut off long before its end. */
const ENDLESS_BYTES = 64 * MIB;

interface Target {
  readonly method: string;
  readonly path: string;
}

/** Routes that read JSON. */
const TARGETS: readonly Target[] = [
  { method: 'POST', path: '/v1/users/eve/diary' },
  { method: 'POST', path: '/v1/foods' },
  { method: 'POST', path: '/v1/scan/image' },
  { method: 'POST', path: '/scan/image' },
  { method: 'POST', path: '/v1/users/eve/recipes' },
  { method: 'POST', path: '/v1/users/eve/measurements' },
  { method: 'POST', path: '/v1/users/eve/diary/batch' },
  { method: 'POST', path: '/v1/users/eve/diary/text' },
  { method: 'POST', path: '/v1/foods/parse' },
  { method: 'POST', path: '/foods/parse' },
  { method: 'PUT', path: '/v1/users/eve/goals' },
  { method: 'POST', path: '/v1/users/eve/diary/copy' },
  { method: 'POST', path: '/mcp' },
  { method: 'POST', path: '/v1/auth/token' },
  { method: 'POST', path: '/v1/keys' },
  { method: 'PATCH', path: '/v1/keys/1xUf0O1ZNLc9' },
];

/** Sends each body to each route in turn, with and without a credential. */
async function sendBodies(
  { client, key, endsAtMs }: Scene,
  bodies: readonly string[],
  rounds: number,
): Promise<number> {
  const count = bodies.length * TARGETS.length * rounds;
  return inParallel({ count, width: WIDTH, endsAtMs }, async (at) => {
    const { method, path } = TARGETS[at % TARGETS.length]!;
    const credential: Record<string, string> =
      at % 3 === 0 ? {} : { authorization: `Bearer ${key}`, 'x-api-key': key };
    await client.send(path, {
      method,
      headers: { 'content-type': 'application/json', ...credential },
      body: bodies[Math.floor(at / TARGETS.length) % bodies.length]!,
      localAddress: `127.0.2.${1 + (at % 250)}`,
    });
  });
}

export const oversizedJson: Attack = {
  name: 'oversized JSON',
  async run(scene) {
    const large = [
      `[${'0,'.repeat(MIB / 2)}0]`,
      manyFields(100_000),
      `"${'a'.repeat(2 * MIB)}"`,
      ...ODD_VALUES,
    ];
    const sent = await sendBodies(scene, large, 2);
    await sendEndless(scene);
    return { sent: `${sent} bodies of up to 2 MiB, 2 without end`, breaches: [] };
  },
};

export const nestedJson: Attack = {
  name: 'nested JSON',
  async run(scene) {
    const forms = ['arrays', 'objects', 'both'] as const;
    const bodies = forms.flatMap((form) => [64, 65, 5_000, 100_000].map((levels) => nested(levels, form)));
    const sent = await sendBodies(scene, [...bodies, '['.repeat(500_000), '{"a":'.repeat(100_000)], 2);
    return { sent: `${sent} bodies of up to 500,000 levels`, breaches: [] };
  },
};

/** One with a length that it never reaches the end of, one in chunks. */
async function sendEndless({ client, key }: Scene): Promise<void> {
  const head = `POST /v1/foods HTTP/1.1\r\nHost: larder\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
  const piece = 'a'.repeat(64 * 1024);
  const lengths = [`Content-Length: ${ENDLESS_BYTES}\r\n\r\n"`, 'Transfer-Encoding: chunked\r\n\r\n'];
  await Promise.all(
    lengths.map(async (length, at) => {
      const socket = client.connect();
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      socket.resume();
      socket.write(head + length);
      const text = at === 0 ? piece : `${piece.length.toString(16)}\r\n${piece}\r\n`;
      for (let bytes = 0; bytes < ENDLESS_BYTES && socket.writable; bytes += piece.length) {
        const written = new Promise<void>((resolve) => socket.write(text, () => resolve()));
        await Promise.race([written, closed]);
      }
      socket.destroy();
    }),
  );
}
