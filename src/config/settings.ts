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
    'Address to listen on. `0.0.0.0` opens the service to the network.',
  ),
  port: setting('LARDER_PORT', port, '8080', 'TCP port to listen on; `0` takes a free one.'),
  publicUrl: optional(
    'LARDER_PUBLIC_URL',
    origin,
    'Origin under which clients reach the service, such as `https://food.example.org`; unset, it is taken from each request.',
  ),
  dataDir: setting(
    'LARDER_DATA_DIR',
    folder,
    './data',
    'Folder for keys, catalogues and everything else that is kept. `larder serve`, `import` and `restore` begin a new one where there is none; other commands refuse.',
  ),
  diskReserveMb: setting(
    'LARDER_DISK_RESERVE_MB',
    wholeNumber(0, 1_000_000),
    '500',
    'Space on the disk of the data folder, in millions of bytes, that images, analyses, imports, backups and copies of catalogues leave free for diaries and everything else; below it uploads are answered with 507. `0` reserves nothing.',
  ),
  apiThreads: setting(
    'LARDER_THREADS',
    threadCount,
    'auto',
    `API threads that share the port; \`auto\` takes one per processor, at most ${MAX_DEFAULT_API_THREADS}.`,
  ),
  uploads: setting(
    'LARDER_UPLOADS',
    wholeNumber(1, 1_024),
    '64',
    'Images that one service takes into its data folder at one time, of which one client gets at most half of what others leave; further ones are answered with 503.',
  ),
  logLevel: setting('LARDER_LOG_LEVEL', oneOf(LOG_LEVELS), 'info', `One of ${LOG_LEVELS.join(', ')}.`),
  shutdownTimeoutMs: setting(
    'LARDER_SHUTDOWN_TIMEOUT_MS',
    wholeNumber(0, 600_000),
    '10000',
    'How long requests under way may take to finish after SIGTERM or SIGINT; a process that takes over a data folder waits that long for the one before.',
  ),
  trustedProxies: setting(
    'LARDER_TRUSTED_PROXIES',
    networks,
    '',
    'Addresses or networks (`10.0.0.0/8`) of load balancers, separated by commas, whose `X-Forwarded-For` says which client asks, ten behind each other at most; none unless set.',
  ),
  outgoingNetworks: setting(
    'LARDER_OUTGOING_NETWORKS',
    networks,
    '',
    'Addresses or networks that are not on the internet, separated by commas, to which downloads may be redirected and in which an OpenID issuer may keep its keys; none unless set. Servers that a setting names need no permission.',
  ),
  corsOrigins: setting(
    'LARDER_CORS_ORIGINS',
    origins,
    '',
    'Origins whose pages may read answers, separated by commas, or `*` for all; none unless set.',
  ),
  meaning: setting(
    'LARDER_MEANING',
    oneOf(ON_OR_OFF),
    'on',
    '`on` proposes generic foods of a similar meaning where the words of a search find little (docs/search.md); `off` leaves the vectors of words out of new catalogues and of memory.',
  ),
  offExportUrl: setting(
    'LARDER_OFF_EXPORT_URL',
    webAddress,
    'https://static.openfoodfacts.org/data/openfoodfacts-products.jsonl.gz',
    'Where `larder import off` without a file fetches the newest export.',
  ),
  fdcExportUrl: setting(
    'LARDER_FDC_EXPORT_URL',
    webAddress,
    'https://fdc.nal.usda.gov/download-datasets',
    'Where `larder import fdc` without a file finds the newest export: a page that links `.zip` files, or one `.zip`.',
  ),
  keysPerTenant: setting(
    'LARDER_KEYS_PER_TENANT',
    wholeNumber(1, 1_000_000),
    '1000',
    'API keys of one tenant that may be live at one time, that is neither revoked nor expired; one more is refused with 403 `quota_exceeded`, on the command line unless it says `--beyond-quota`.',
  ),
  ownFoods: {
    foods: setting(
      'LARDER_OWN_FOODS_PER_TENANT',
      wholeNumber(1, 1_000_000),
      '10000',
      'Foods that one tenant may enter; more are refused with 403 `quota_exceeded`.',
    ),
    words: setting(
      'LARDER_OWN_FOOD_WORDS_PER_TENANT',
      wholeNumber(2_000, 20_000_000),
      '200000',
      'Words that the names, brands and aliases of these foods may have together: each takes some 60 bytes in the memory of each API thread, and 2 µs to index.',
    ),
  },
  ownFoodsMemoryMb: setting(
    'LARDER_OWN_FOODS_MEMORY_MB',
    wholeNumber(16, 65_536),
    '256',
    'Roughly what foods beside the catalogue may take in the memory of each API thread, in MiB, before those of tenants are forgotten that asked longest ago; they are read again when these ask.',
  ),
  externalFoods: setting(
    'LARDER_OUTSIDE_FOODS',
    wholeNumber(1, 1_000_000),
    '20000',
    'Foods of external services that are kept; of more, those that were kept first are forgotten.',
  ),
  externalApis: setting(
    'LARDER_OUTSIDE_APIS',
    listOf(OUTSIDE_APIS),
    '',
    'External services that are asked for barcodes which the catalogue lacks, in this order: `off` (Open Food Facts), `fdc` (USDA FoodData Central), `off,fdc` or none. Their answers become foods.',
  ),
  offApiUrl: setting(
    'LARDER_OFF_API_URL',
    webAddress,
    'https://world.openfoodfacts.org',
    'Where the product API of Open Food Facts is.',
  ),
  fdcApiUrl: setting(
    'LARDER_FDC_API_URL',
    webAddress,
    'https://api.nal.usda.gov/fdc',
    'Where the API of FoodData Central is.',
  ),
  fdcApiKey: setting(
    'LARDER_FDC_API_KEY',
    nonEmpty,
    'DEMO_KEY',
    'The key for the API of FoodData Central; the default allows some 30 questions an hour.',
  ),
  scanWorkers: setting(
    'LARDER_SCAN_WORKERS',
    scanWorkerCount,
    'auto',
    'Images that `larder serve` analyses at one time, each in a process of its own; `auto` takes 1, or 2 with more than two processors, and `0` leaves it to `larder worker`.',
  ),
  scanIdleMinutes: setting(
    'LARDER_SCAN_IDLE_MINUTES',
    wholeNumber(1, 10_000),
    '5',
    'Minutes without an image after which a process that analyses images ends and gives back its memory, some hundred MB; the next image starts it again, which takes a second or more.',
  ),
  workerPort: optional(
    'LARDER_WORKER_PORT',
    port,
    'TCP port at which `larder worker` answers `/healthz`, `/readyz` and `/metrics`; `0` takes a free one, and none is opened unless it is set.',
  ),
  scanTimeoutMs: setting(
    'LARDER_SCAN_TIMEOUT_MS',
    wholeNumber(100, 3_600_000),
    '60000',
    'How long the analysis of one image may take.',
  ),
  scanLimits: {
    perUser: setting(
      'LARDER_UNFINISHED_SCANS_PER_USER',
      wholeNumber(1, 1_000_000),
      '100',
      'Scans of one user that may wait for their image or their result at one time; one more is refused with `quota_exceeded`.',
    ),
    perTenant: setting(
      'LARDER_UNFINISHED_SCANS_PER_TENANT',
      wholeNumber(1, 1_000_000),
      '2000',
      'The same for all scans of a tenant, those that a key creates for no user included.',
    ),
    images: setting(
      'LARDER_STORED_IMAGES_PER_TENANT',
      wholeNumber(1, 1_000_000),
      '10000',
      'Images of a tenant that may be stored at one time, at most 10 MiB each, those included that are still expected; one more is refused with `quota_exceeded`.',
    ),
  },
  imageRetentionHours: setting(
    'LARDER_IMAGE_RETENTION_HOURS',
    wholeNumber(0, 8_760),
    '24',
    'How long an image is kept after its scan has been completed or has failed.',
  ),
  scanRetentionDays: setting(
    'LARDER_SCAN_RETENTION_DAYS',
    wholeNumber(1, 3_650),
    '30',
    'How long a scan is kept with its result and analysis after it has been completed or has failed; then it is removed, with its image if that is still there. Diary entries made from it stay.',
  ),
  dishModel: setting(
    'LARDER_DISH_MODEL',
    dishModel,
    'shipped',
    'What tells dishes apart: `shipped`, `none`, a folder with a classifier or an image-text model (docs/dish-model.md), or `hub:OWNER/NAME` for an image-text model that is fetched once.',
  ),
};

/** An OpenID issuer outside of this service. */
export const OIDC = {
  issuer: required(
    'LARDER_OIDC_ISSUER',
    issuer,
    'Address of an OpenID issuer whose access tokens are taken besides our own; none unless set.',
  ),
  audience: setting('LARDER_OIDC_AUDIENCE', nonEmpty, 'larder', 'Audience that its tokens must name.'),
  userClaim: setting('LARDER_OIDC_USER_CLAIM', nonEmpty, 'sub', 'Claim that says the user.'),
  scopeClaim: setting(
    'LARDER_OIDC_SCOPE_CLAIM',
    nonEmpty,
    'scope',
    'Claim that lists scopes, as an array or separated by spaces.',
  ),
  tenantClaim: optional(
    'LARDER_OIDC_TENANT_CLAIM',
    anyText,
    'Claim that says the tenant; unless set, all its users belong to tenant `default`.',
  ),
};

/** A vision model behind an OpenAI-compatible API. */
export const VISION = {
  url: required(
    'LARDER_VISION_URL',
    webAddress,
    'Address of an OpenAI-compatible API, up to `/chat/completions`, whose vision model is asked before the dish model; none unless set. Photos are sent there.',
  ),
  model: required('LARDER_VISION_MODEL', anyText, 'Name of its model.'),
  timeoutMs: setting(
    'LARDER_VISION_TIMEOUT_MS',
    wholeNumber(100, 60_000),
    '20000',
    'How long one question to it may take; a photo is asked about three times at most, within half of `LARDER_SCAN_TIMEOUT_MS`.',
  ),
  prices: optional(
    'LARDER_VISION_PRICES',
    tokenPrices,
    'What it costs, in USD for a million tokens of input and of output, such as `2.50,10`; with it the metrics count money too.',
  ),
  secrets: {
    apiKey: setting('LARDER_VISION_KEY', anyText, '', 'Key for it, where it wants one.'),
  },
};

/** Read by commands that ask a running service. */
export const CLIENT = {
  secrets: {
    key: optional(
      'LARDER_KEY',
      anyText,
      'API key with which `larder scan` asks a service; unset, it takes the first key of the data folder.',
    ),
  },
};

export const SETTINGS = settingsOf({ SERVICE, OIDC, VISION, CLUSTER, CLIENT });
