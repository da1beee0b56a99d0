import { CLUSTER } from './cluster-settings.ts';
import {
  anyText,
  dishModel,
  folder,
  issuer,
  listOf,
  MAX_DEFAULT_API_THREADS,
  networks,
  nonEmpty,
  oneOf,
  origin,
  origins,
  port,
  scanWorkerCount,
  threadCount,
  tokenPrices,
  webAddress,
  wholeNumber,
} from './schemas.ts';
import { optional, required, setting, settingsOf } from './setting.ts';

/**
 * Every `LARDER_…` variable: field of `Config`, name, schema, default, meaning. A test compares `docs/configuration.md`
 * with these tables.
 */

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
const ON_OR_OFF = ['on', 'off'] as const;
const OUTSIDE_APIS = ['off', 'fdc'] as const;

export const SERVICE = {
  host: setting(
    'LARDER_HOST',
    nonEmpty,
    '127.0.0.1',
    'Address to listen on; `0.0.0.0` opens the service to the network.',
  ),
  port: setting('LARDER_PORT', port, '8080', 'TCP port; `0` takes a free one.'),
  publicUrl: optional(
    'LARDER_PUBLIC_URL',
    origin,
    'Origin in addresses that clients get, such as `https://food.example.org`; unset, that of each request.',
  ),
  dataDir: setting(
    'LARDER_DATA_DIR',
    folder,
    './data',
    'Folder for all data. `larder serve`, `import` and `restore` create it.',
  ),
  diskReserveMb: setting(
    'LARDER_DISK_RESERVE_MB',
    wholeNumber(0, 1_000_000),
    '500',
    "MB of the data folder's disk that all but the diary leave free; below it uploads get 507.",
  ),
  apiThreads: setting(
    'LARDER_THREADS',
    threadCount,
    'auto',
    `API threads; \`auto\` takes one per processor, at most ${MAX_DEFAULT_API_THREADS}.`,
  ),
  uploads: setting(
    'LARDER_UPLOADS',
    wholeNumber(1, 1_024),
    '64',
    'Simultaneous uploads into the data folder; more get 503.',
  ),
  logLevel: setting('LARDER_LOG_LEVEL', oneOf(LOG_LEVELS), 'info', `One of ${LOG_LEVELS.join(', ')}.`),
  shutdownTimeoutMs: setting(
    'LARDER_SHUTDOWN_TIMEOUT_MS',
    wholeNumber(0, 600_000),
    '10000',
    'Time for requests in progress after SIGTERM or SIGINT.',
  ),
  trustedProxies: setting(
    'LARDER_TRUSTED_PROXIES',
    networks,
    '',
    'Addresses or networks (`10.0.0.0/8,…`) of load balancers whose `X-Forwarded-For` is trusted, at most ten in a chain.',
  ),
  outgoingNetworks: setting(
    'LARDER_OUTGOING_NETWORKS',
    networks,
    '',
    'Private addresses or networks to which downloads may be redirected and where an OpenID issuer may have its keys. Servers named by a setting need no permission.',
  ),
  corsOrigins: setting('LARDER_CORS_ORIGINS', origins, '', 'Origins whose pages may read responses, or `*`.'),
  meaning: setting(
    'LARDER_MEANING',
    oneOf(ON_OR_OFF),
    'on',
    '`on` proposes foods of a similar meaning where a search finds little ([how](search.md#meaning-where-words-fail)).',
  ),
  offExportUrl: setting(
    'LARDER_OFF_EXPORT_URL',
    webAddress,
    'https://static.openfoodfacts.org/data/openfoodfacts-products.jsonl.gz',
    'What `larder import off` downloads.',
  ),
  fdcExportUrl: setting(
    'LARDER_FDC_EXPORT_URL',
    webAddress,
    'https://fdc.nal.usda.gov/download-datasets',
    'What `larder import fdc` downloads: a page that links `.zip` files, or one `.zip`.',
  ),
  keysPerTenant: setting(
    'LARDER_KEYS_PER_TENANT',
    wholeNumber(1, 1_000_000),
    '1000',
    'Quota of API keys, neither revoked nor expired.',
  ),
  ownFoods: {
    foods: setting(
      'LARDER_OWN_FOODS_PER_TENANT',
      wholeNumber(1, 1_000_000),
      '10000',
      'Quota of foods that were entered.',
    ),
    words: setting(
      'LARDER_OWN_FOOD_WORDS_PER_TENANT',
      wholeNumber(2_000, 20_000_000),
      '200000',
      'Quota of words in their names, brands and aliases; each takes some 60 bytes in each API thread.',
    ),
  },
  newEntriesPerUser: setting(
    'LARDER_NEW_ENTRIES_PER_USER',
    wholeNumber(1_000, 1_000_000),
    '20000',
    'Quota of diary entries that a user adds within 24 hours; beyond it only one with each request.',
  ),
  ownFoodsMemoryMb: setting(
    'LARDER_OWN_FOODS_MEMORY_MB',
    wholeNumber(16, 65_536),
    '256',
    'MiB in each API thread for foods beside the catalogue; tenants that asked longest ago are unloaded.',
  ),
  externalFoods: setting(
    'LARDER_OUTSIDE_FOODS',
    wholeNumber(1, 1_000_000),
    '20000',
    'Foods of external services that are kept; the oldest are dropped.',
  ),
  externalApis: setting(
    'LARDER_OUTSIDE_APIS',
    listOf(OUTSIDE_APIS),
    '',
    'Services that are asked for unknown barcodes, in this order: `off` (Open Food Facts), `fdc` (USDA FoodData Central) or `off,fdc`.',
  ),
  offApiUrl: setting(
    'LARDER_OFF_API_URL',
    webAddress,
    'https://world.openfoodfacts.org',
    'Product API of Open Food Facts.',
  ),
  fdcApiUrl: setting(
    'LARDER_FDC_API_URL',
    webAddress,
    'https://api.nal.usda.gov/fdc',
    'API of FoodData Central.',
  ),
  fdcApiKey: setting(
    'LARDER_FDC_API_KEY',
    nonEmpty,
    'DEMO_KEY',
    'Its key; the default allows some 30 requests an hour.',
  ),
  scanWorkers: setting(
    'LARDER_SCAN_WORKERS',
    scanWorkerCount,
    'auto',
    'Images that `larder serve` analyses at a time; `auto`: 1, or 2 with more than two processors; `0` leaves it to `larder worker`.',
  ),
  scanIdleMinutes: setting(
    'LARDER_SCAN_IDLE_MINUTES',
    wholeNumber(1, 10_000),
    '5',
    'Minutes without an image after which an analysing process ends.',
  ),
  workerPort: optional(
    'LARDER_WORKER_PORT',
    port,
    'Port at which `larder worker` answers `/healthz`, `/readyz` and `/metrics`; `0` takes a free one.',
  ),
  scanTimeoutMs: setting(
    'LARDER_SCAN_TIMEOUT_MS',
    wholeNumber(100, 3_600_000),
    '60000',
    'Limit for the analysis of one image.',
  ),
  scanLimits: {
    perUser: setting(
      'LARDER_UNFINISHED_SCANS_PER_USER',
      wholeNumber(1, 1_000_000),
      '100',
      'Quota of scans without a result.',
    ),
    perTenant: setting(
      'LARDER_UNFINISHED_SCANS_PER_TENANT',
      wholeNumber(1, 1_000_000),
      '2000',
      'The same for all users.',
    ),
    images: setting(
      'LARDER_STORED_IMAGES_PER_TENANT',
      wholeNumber(1, 1_000_000),
      '10000',
      'Quota of images, stored or expected.',
    ),
    imageMb: setting(
      'LARDER_STORED_IMAGES_MB_PER_TENANT',
      wholeNumber(11, 1_000_000_000),
      '30000',
      'Quota of their MB. An expected image counts as its `contentLength`, or 10 MiB.',
    ),
  },
  imageRetentionHours: setting(
    'LARDER_IMAGE_RETENTION_HOURS',
    wholeNumber(0, 8_760),
    '24',
    'Hours that an image is kept after its scan.',
  ),
  scanRetentionDays: setting(
    'LARDER_SCAN_RETENTION_DAYS',
    wholeNumber(1, 3_650),
    '30',
    'Days that result and analysis of a scan are kept.',
  ),
  dishModel: setting(
    'LARDER_DISH_MODEL',
    dishModel,
    'shipped',
    'Model that recognizes dishes: `shipped`, `none`, a folder or `hub:OWNER/NAME` ([dish-model.md](dish-model.md)).',
  ),
};

/** An OpenID issuer outside of this service. */
export const OIDC = {
  issuer: required(
    'LARDER_OIDC_ISSUER',
    issuer,
    'Address of an OpenID issuer whose access tokens are accepted, too.',
  ),
  audience: setting('LARDER_OIDC_AUDIENCE', nonEmpty, 'larder', 'Audience that its tokens have to name.'),
  userClaim: setting('LARDER_OIDC_USER_CLAIM', nonEmpty, 'sub', 'Claim with the user.'),
  scopeClaim: setting(
    'LARDER_OIDC_SCOPE_CLAIM',
    nonEmpty,
    'scope',
    'Claim with the scopes: an array, or separated by spaces.',
  ),
  tenantClaim: optional(
    'LARDER_OIDC_TENANT_CLAIM',
    anyText,
    'Claim with the tenant; unset, it is `default`.',
  ),
};

/** A vision model behind an OpenAI-compatible API. */
export const VISION = {
  url: required(
    'LARDER_VISION_URL',
    webAddress,
    'Address of an OpenAI-compatible API, up to `/chat/completions`. Photos are sent there.',
  ),
  model: required('LARDER_VISION_MODEL', anyText, 'Name of its model.'),
  timeoutMs: setting(
    'LARDER_VISION_TIMEOUT_MS',
    wholeNumber(100, 60_000),
    '20000',
    'Limit of one request; at most three a photo, within half of `LARDER_SCAN_TIMEOUT_MS`.',
  ),
  prices: optional(
    'LARDER_VISION_PRICES',
    tokenPrices,
    'USD for a million tokens of input and of output, such as `2.50,10`, for metrics.',
  ),
  secrets: {
    apiKey: setting('LARDER_VISION_KEY', anyText, '', 'Its key, if it needs one.'),
  },
};

/** Read by commands that ask a running service. */
export const CLIENT = {
  secrets: {
    key: optional(
      'LARDER_KEY',
      anyText,
      'API key of `larder scan`, `check` and `status`; unset, the first key of the data folder.',
    ),
  },
};

export const SETTINGS = settingsOf({ SERVICE, OIDC, VISION, CLUSTER, CLIENT });
