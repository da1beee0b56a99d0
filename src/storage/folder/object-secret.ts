import { join } from 'node:path';
import { OperatorError } from '../../errors.ts';
import { keepPrivateFile } from '../../files/owner-only-file.ts';

const SECRET_FILE = 'object-secret';
const SECRET_BYTES = 32;
const HEX_SECRET = new RegExp(`^[0-9a-f]{${2 * SECRET_BYTES}}$`);

/** The secret that signs addresses of objects: made once for a data folder, and shared by all who serve from it. */
export async function keepObjectSecret(
  dataDir: string,
  randomBytes: (count: number) => Buffer,
): Promise<Buffer> {
  const path = join(dataDir, SECRET_FILE);
  const text = await keepPrivateFile(path, `${randomBytes(SECRET_BYTES).toString('hex')}\n`);
  if (!HEX_SECRET.test(text)) {
    throw new OperatorError(
      `${path} is damaged; remove it and start again. Addresses given out before end then.`,
    );
  }
  return Buffer.from(text, 'hex');
}
