import { expect, test } from 'vitest';
import { requireUncommon } from './people.ts';

test.each(['password', 'Password1', '12345678', 'QWERTYUIOP', 'iloveyou', 'princess1'])(
  '%s is one of the commonest',
  async (password) => {
    await expect(requireUncommon(password, ['Ann'])).rejects.toMatchObject({
      code: 'invalid_request',
      details: { fields: ['password'], weakness: 'common' },
    });
  },
);

test.each(['annabelle1', '!Annabélle 2026!', 'annabelleannabelle', 'larder2026', 'LarderLarder!'])(
  '%s is the name of the person or of the service',
  async (password) => {
    await expect(requireUncommon(password, ['Annabelle'])).rejects.toMatchObject({
      details: { weakness: 'name' },
    });
  },
);

test.each(['eggs and toast', 'plums and oats', 'larder of annabelle', '🥚🥚🥚🥚🥚🥚🥚🥚'])(
  '%s is accepted',
  async (password) => {
    await expect(requireUncommon(password, ['Ann'])).resolves.toBeUndefined();
  },
);
