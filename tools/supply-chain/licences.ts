/** SPDX identifiers of licences that allow redistribution of Larder without further terms. */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
]);

interface Exception {
  /** The packages with this exception. */
  readonly packages: RegExp;
  readonly licence: string;
  readonly reason: string;
}

/** Licences allowed for single packages. `none` means that a package states no SPDX identifier. */
const EXCEPTIONS: readonly Exception[] = [
  {
    packages: /^@img\/sharp-/,
    licence: 'LGPL-3.0-or-later',
    reason: 'libvips is a shared library that its user can exchange; sharp loads it at run time.',
  },
  {
    packages: /^libheif-js$/,
    licence: 'LGPL-3.0',
    reason:
      'A WebAssembly module in a package of its own that its user can exchange; loaded for the first HEIC image.',
  },
  {
    packages: /^lightningcss(-|$)/,
    licence: 'MPL-2.0',
    reason: 'A part of the test runner that is not passed on.',
  },
  {
    packages: /^axe-core$/,
    licence: 'MPL-2.0',
    reason: 'Checks the page in tests and is not passed on.',
  },
  {
    packages: /^argparse$/,
    licence: 'Python-2.0',
    reason: 'A part of the generator of types, which is not passed on.',
  },
  {
    packages: /^fast-sha256$/,
    licence: 'Unlicense',
    reason: 'In the public domain; signs webhooks in tests and is not passed on.',
  },
  {
    packages: /^dejavu-fonts-ttf$/,
    licence: 'none',
    reason:
      'Bitstream Vera licence, which allows all use; the fonts draw labels in tests and are not passed on.',
  },
];

export interface Licensed {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, `none` if the package states none. */
  readonly licence: string;
}

/** Reasons for which these packages cannot be redistributed; empty if all licences are allowed. */
export function licenceProblems(packages: readonly Licensed[]): string[] {
  return packages
    .filter(({ name, licence }) => !isAllowed(licence, name))
    .map(
      ({ name, version, licence }) => `${name} ${version}: the licence "${licence}" is not on the allow list`,
    );
}

/** One side of OR must be allowed, both sides of AND. SPDX binds AND tighter; parentheses enclose whole expressions. */
function isAllowed(expression: string, name: string): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  if (/[()]/.test(plain)) return false;
  return plain.split(' OR ').some((side) => side.split(' AND ').every((licence) => isListed(licence, name)));
}

function isListed(licence: string, name: string): boolean {
  return (
    ALLOWED.has(licence) ||
    EXCEPTIONS.some(({ packages, licence: excepted }) => excepted === licence && packages.test(name))
  );
}
