/** The rules of ARCHITECTURE.md, checked by a tool and not by memory. */
const features = '^src/(catalogue|barcode|scan|diary|access|limits|idempotency|objects)/';

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'features-know-no-outside',
      comment:
        'A feature imports errors.ts, itself and other features; never adapters, http, cli or configuration.',
      severity: 'error',
      from: { path: features, pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(adapters|http|cli|compose|config|main)' },
    },
    {
      name: 'search-is-pure',
      comment: 'catalogue/search could be a package of its own: no I/O, nothing of the project.',
      severity: 'error',
      from: { path: '^src/catalogue/search/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^src/catalogue/search/' },
    },
    {
      name: 'http-never-sees-adapters',
      severity: 'error',
      from: { path: '^src/http/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/adapters/' },
    },
    {
      name: 'adapters-never-see-http',
      severity: 'error',
      from: { path: '^src/adapters/' },
      to: { path: '^src/http/' },
    },
    {
      name: 'v1-alone',
      severity: 'error',
      from: { path: '^src/http/v1/' },
      to: { path: '^src/http/unversioned/' },
    },
    {
      name: 'unversioned-alone',
      severity: 'error',
      from: { path: '^src/http/unversioned/' },
      to: { path: '^src/http/v1/' },
    },
    {
      name: 'embedded-alone',
      severity: 'error',
      from: { path: '^src/adapters/embedded/' },
      to: { path: '^src/adapters/cluster/' },
    },
    {
      name: 'cluster-alone',
      severity: 'error',
      from: { path: '^src/adapters/cluster/' },
      to: { path: '^src/adapters/embedded/' },
    },
    {
      name: 'only-compose-imports-adapters',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/compose/', '^src/adapters/', '\\.test\\.ts$'] },
      to: { path: '^src/adapters/' },
    },
    {
      name: 'check-knows-an-address-and-a-key',
      comment: 'What tries a service from outside takes nothing from the code that answers.',
      severity: 'error',
      from: { path: '^src/check/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(check|barcode|errors|access/scope)' },
    },
    {
      name: 'src-stands-alone',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(test|bench|tools)/' },
    },
    {
      name: 'no-dev-dependency-in-src',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm-dev'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.mjs'] },
  },
};
