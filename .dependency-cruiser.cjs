/** The rules of ARCHITECTURE.md, checked by a tool and not by memory. */

const TESTS = '\\.test\\.ts$';

/** Implementations of the ports in the folder above each. */
const ADAPTERS = '^src/(db|blobs|counters)/[^/]+/';

/** From the bottom up: a layer imports layers below it, and no folder is without one. */
const LAYERS = [
  ['packages', '^packages/'],
  ['foundation', '^src/db/[^/]+$|^src/(base|changes|files|threads|idempotency|outgoing)/'],
  ['settings', '^src/(config|limits)/|^src/(blobs|counters)/[^/]+$'],
  ['access', '^src/(access|people)/'],
  ['foods', '^src/foods/'],
  ['scan', '^src/scan/'],
  ['diary', '^src/diary/'],
  ['own-data', '^src/own-data/'],
  ['webhooks', '^src/webhooks/'],
  ['api', '^src/api/'],
  ['faces', '^src/faces/'],
  ['adapters', `${ADAPTERS}|^src/http/`],
  ['app', '^src/app/'],
  ['commands', '^src/(cli|check)/'],
];

/** Each file of these folders declares the operations of a resource, unless its name says what it holds for several of them. */
const OPERATIONS = {
  path: [
    '^src/api/[^/]+/',
    '^src/http/service/(front-page|health|metrics|receive-storage-event|signed-objects)\\.ts$',
  ],
  pathNot: ['-(json|input|query|docs|schema|parts|streams)\\.ts$', '\\.json$', TESTS],
};

const upwards = LAYERS.slice(0, -1).map(([name, path], at) => ({
  name: `${name}-imports-nothing-above`,
  severity: 'error',
  from: { path, pathNot: TESTS },
  to: { path: LAYERS.slice(at + 1).map(([, above]) => above) },
}));

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...upwards,
    {
      name: 'every-folder-has-a-layer',
      severity: 'error',
      from: { path: '^(src|packages)/', pathNot: LAYERS.map(([, path]) => path) },
      to: {},
    },
    {
      name: 'features-know-no-settings',
      comment: 'What a feature needs of the configuration is handed to it.',
      severity: 'error',
      from: {
        path: '^src/(access|people|foods|scan|diary|own-data|webhooks|limits|blobs|counters|db|idempotency)/',
        pathNot: [ADAPTERS, TESTS],
      },
      to: { path: '^src/config/' },
    },
    {
      name: 'core-is-pure',
      comment: 'packages/core runs in a browser: no I/O, nothing else of the project.',
      severity: 'error',
      from: { path: '^packages/core/', pathNot: TESTS },
      to: { pathNot: '^packages/core/|^node_modules/zod/' },
    },
    {
      name: 'search-is-pure',
      comment: 'packages/search knows words alone: no I/O, nothing else of the project.',
      severity: 'error',
      from: { path: '^packages/search/', pathNot: TESTS },
      to: { pathNot: '^packages/(core|search)/' },
    },
    {
      name: 'text-is-pure',
      comment:
        'packages/text reads texts by words and an index that it is handed: no I/O. It lets other work in between lines.',
      severity: 'error',
      from: { path: '^packages/text/', pathNot: TESTS },
      to: { pathNot: '^packages/|^timers/promises$' },
    },
    {
      name: 'client-stands-alone',
      comment: 'larder-client is published alone: it imports nothing, and runs wherever fetch does.',
      severity: 'error',
      from: { path: '^packages/client/src/', pathNot: TESTS },
      to: { pathNot: '^packages/client/src/' },
    },
    {
      name: 'the-page-knows-the-client-alone',
      comment: 'The page does nothing that an app could not do.',
      severity: 'error',
      from: { path: '^web/src/', pathNot: TESTS },
      to: { path: '^(src|packages)/', pathNot: '^packages/client/(src/index\\.ts$|dist/)' },
    },
    {
      name: 'packages-know-no-client',
      severity: 'error',
      from: { path: '^packages/(core|search|text)/' },
      to: { path: '^packages/client/' },
    },
    {
      name: 'only-app-imports-adapters',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/app/', ADAPTERS, TESTS] },
      to: { path: ADAPTERS },
    },
    {
      name: 'adapters-never-see-http',
      severity: 'error',
      from: { path: ADAPTERS },
      to: { path: '^src/(api|faces|http)/' },
    },
    {
      name: 'http-never-sees-the-database',
      severity: 'error',
      from: { path: '^src/(api|faces|http)/' },
      to: { path: '^src/db/' },
    },
    {
      name: 'server-knows-no-operation',
      comment: 'What an operation needs of the server is declared by the operation.',
      severity: 'error',
      from: { path: '^src/http/server/', pathNot: TESTS },
      to: { path: '^src/(foods|scan|diary|own-data|webhooks|faces|api/[^/]+)/' },
    },
    {
      name: 'faces-alone',
      comment: 'A face says operations in words of its own and knows no other face.',
      severity: 'error',
      from: { path: '^src/faces/([^/]+)/' },
      to: { path: '^src/faces/', pathNot: '^src/faces/$1/' },
    },
    {
      name: 'operations-alone',
      comment: 'What the operations of two resources share is in a file of its own.',
      severity: 'error',
      from: OPERATIONS,
      to: OPERATIONS,
    },
    {
      name: 'sqlite-alone',
      severity: 'error',
      from: { path: '^src/(db/sqlite|blobs/folder|counters/memory)/' },
      to: { path: '^src/(db/postgres|blobs/s3|counters/redis)/' },
    },
    {
      name: 'postgres-alone',
      severity: 'error',
      from: { path: '^src/(db/postgres|blobs/s3|counters/redis)/' },
      to: { path: '^src/(db/sqlite|blobs/folder)/' },
    },
    {
      name: 'check-knows-an-address-and-a-key',
      comment: 'What tries a service from outside takes nothing from the code that answers, only the client.',
      severity: 'error',
      from: { path: '^src/check/', pathNot: TESTS },
      to: { path: '^src/', pathNot: '^src/(check|access/api-key|base/(pause|retry))' },
    },
    {
      name: 'src-stands-alone',
      severity: 'error',
      from: { path: '^(src|packages)/', pathNot: TESTS },
      to: { path: '^(test|bench|tools)/' },
    },
    {
      name: 'no-dev-dependency-in-src',
      severity: 'error',
      from: { path: '^(src|packages)/', pathNot: TESTS },
      to: { dependencyTypes: ['npm-dev'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
