import { BACKUP } from './backup-settings.ts';
import { CLUSTER } from './cluster-settings.ts';
import { OPENID } from './openid-settings.ts';
import {
  anyText,
  baseUrl,
  dishModel,
  folder,
  issuer,
  listOf,
  MAX_DEFAULT_API_THREADS,
  networks,
  nonEmpty,
  oneOf,
  origins,
  port,
  scanWorkerCount,
  sharedSecret,
  threadCount,
  tokenPrices,
  webAddress,
  wholeNumber,
} from './schemas.ts';
import { optional, required, setting, settingsOf } from './setting.ts';
import { TLS } from './tls-settings.ts';

/**
 * Every `LARDER_…` variable: field of `Config`, name, schema, default, meaning. A test compares `docs/configuration.md`
 * with these tables.
 */

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
const UPDATES = ['off', 'weekly'] as const;
const ON_OR_OFF = ['on', 'off'] as const;
const OUTSIDE_APIS = ['off', 'fdc'] as const;

export const SERVICE = {
  host: setting(
    'LARDER_HOST',
    nonEmpty,
    '127.0.0.1',
    'Address to listen on; `0.0.0.0` opens it to the network.',
  ),
  port: setting('LARDER_PORT', port, '8080', 'TCP port; `0` takes a free one.'),
  publicUrl: optional(
    'LARDER_PUBLIC_URL',
    baseUrl,
    'Address of the service for its clients, such as `https://food.example.org`, also [with a path](home.md#under-a-path); unset, that of the request.',
  ),
  reauthSeconds: setting(
    'LARDER_REAUTH_SECONDS',
    wholeNumber(30, 86_400),
    '300',
    'How many seconds ago people must have [proved who they are](people.md#a-recent-proof) before they make credentials or erase data.',
  ),
  dataDir: setting('LARDER_DATA_DIR', folder, './data', 'Folder for all data.'),
  diskReserveMb: setting(
    'LARDER_DISK_RESERVE_MB',
    wholeNumber(0, 1_000_000),
    '500',
    'MB of its disk that uploads and imports leave free.',
  ),
  apiThreads: setting(
    'LARDER_THREADS',
    threadCount,
    'auto',
    `API threads; \`auto\`: one per processor, at most ${MAX_DEFAULT_API_THREADS}.`,
  ),
  uploads: setting('LARDER_UPLOADS', wholeNumber(1, 1_024), '64', 'Simultaneous uploads; more get 503.'),
  logLevel: setting('LARDER_LOG_LEVEL', oneOf(LOG_LEVELS), 'info', `One of ${LOG_LEVELS.join(', ')}.`),
  shutdownTimeoutMs: setting(
    'LARDER_SHUTDOWN_TIMEOUT_MS',
    wholeNumber(0, 600_000),
    '10000',
    'Time for requests in progress after SIGTERM.',
  ),
  trustedProxies: setting(
    'LARDER_TRUSTED_PROXIES',
    networks,
    '',
    'Addresses or networks of proxies whose `X-Forwarded-For`, `-Proto`, `-Host` and `-Prefix` are trusted.',
  ),
  sealing: {
    secrets: {
      current: optional(
        'LARDER_SECRET',
        sharedSecret,
        'Seals [secrets in the database](security.md#secrets-at-rest), at least 16 characters, the same on all nodes. Unset: `secret.key` in the data folder; in a cluster derived from the secret of the object store.',
      ),
      previous: optional(
        'LARDER_SECRET_PREVIOUS',
        sharedSecret,
        'The secret before, until [`larder secret rotate`](security.md#secrets-at-rest) has sealed everything by the new one.',
      ),
    },
  },
  hstsSeconds: setting(
    'LARDER_HSTS_SECONDS',
    wholeNumber(0, 63_072_000),
    '31536000',
    'How long browsers use the name of the service with TLS alone, on all its ports, after they have used it so (`Strict-Transport-Security`). `0`: not told.',
  ),
  outgoingNetworks: setting(
    'LARDER_OUTGOING_NETWORKS',
    networks,
    '',
    'Private networks for redirects of downloads and for keys of an OpenID issuer; servers named by settings are always allowed.',
  ),
  page: setting('LARDER_PAGE', oneOf(ON_OR_OFF), 'on', '`off`: no [page](page.md) for people at `/`.'),
  corsOrigins: setting('LARDER_CORS_ORIGINS', origins, '', 'Origins whose pages may read responses, or `*`.'),
  meaning: setting(
    'LARDER_MEANING',
    oneOf(ON_OR_OFF),
    'on',
    '`off`: no [foods of similar meaning](search.md#meaning-where-words-fail).',
  ),
  offExportUrl: setting(
    'LARDER_OFF_EXPORT_URL',
    webAddress,
    'https://static.openfoodfacts.org/data/openfoodfacts-products.jsonl.gz',
    'Address from which `larder import off` downloads.',
  ),
  offDeltaUrl: setting(
    'LARDER_OFF_DELTA_URL',
    webAddress,
    'https://static.openfoodfacts.org/data/delta/index.txt',
    'Address of the list of daily changes that [updates](importing.md#updates) read.',
  ),
  update: setting(
    'LARDER_UPDATE',
    oneOf(UPDATES),
    'off',
    '`weekly`: [updates](importing.md#updates) what was imported of Open Food Facts every seven days.',
  ),
  fdcExportUrl: setting(
    'LARDER_FDC_EXPORT_URL',
    webAddress,
    'https://fdc.nal.usda.gov/download-datasets',
    'Address from which `larder import fdc` downloads: a `.zip`, or a page with links.',
  ),
  keysPerTenant: setting(
    'LARDER_KEYS_PER_TENANT',
    wholeNumber(1, 1_000_000),
    '1000',
    'Quota of live API keys.',
  ),
  customFoods: {
    foods: setting(
      'LARDER_OWN_FOODS_PER_TENANT',
      wholeNumber(1, 1_000_000),
      '10000',
      'Quota of custom foods.',
    ),
    words: setting(
      'LARDER_OWN_FOOD_WORDS_PER_TENANT',
      wholeNumber(2_000, 20_000_000),
      '200000',
      'Quota of words in their names, brands and aliases.',
    ),
  },
  newEntriesPerUser: setting(
    'LARDER_NEW_ENTRIES_PER_USER',
    wholeNumber(1_000, 1_000_000),
    '20000',
    'Quota of diary entries in 24 hours; then one a request.',
  ),
  customFoodsMemoryMb: setting(
    'LARDER_OWN_FOODS_MEMORY_MB',
    wholeNumber(16, 65_536),
    '256',
    'MiB in each API thread for foods beside the catalogue.',
  ),
  externalFoods: setting(
    'LARDER_OUTSIDE_FOODS',
    wholeNumber(1, 1_000_000),
    '20000',
    'Foods that are kept of external services.',
  ),
  externalApis: setting(
    'LARDER_OUTSIDE_APIS',
    listOf(OUTSIDE_APIS),
    '',
    '[External services](custom-foods.md#foods-of-external-services), in this order: `off`, `fdc` or `off,fdc`.',
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
    'Key of FoodData Central; the default allows some 30 requests an hour.',
  ),
  webhooks: {
    perTenant: setting('LARDER_WEBHOOKS_PER_TENANT', wholeNumber(1, 1_000), '10', 'Quota of webhooks.'),
    networks: setting(
      'LARDER_WEBHOOK_NETWORKS',
      networks,
      '',
      'Private networks that [webhooks](webhooks.md) may reach, such as `192.168.0.0/16`; with any, `http:` addresses are taken, too.',
    ),
  },
  scanWorkers: setting(
    'LARDER_SCAN_WORKERS',
    scanWorkerCount,
    'auto',
    'Images analysed at a time; `auto`: 1, above two processors 2; `0`: [workers](scan-workers.md) do.',
  ),
  scanIdleMinutes: setting(
    'LARDER_SCAN_IDLE_MINUTES',
    wholeNumber(1, 10_000),
    '5',
    'Idle minutes after which an analysing process ends.',
  ),
  workerPort: optional(
    'LARDER_WORKER_PORT',
    port,
    'Port of `larder worker` for `/healthz`, `/readyz` and `/metrics`.',
  ),
  scanTimeoutMs: setting(
    'LARDER_SCAN_TIMEOUT_MS',
    wholeNumber(100, 3_600_000),
    '60000',
    'Limit of one analysis.',
  ),
  scanLimits: {
    perUser: setting(
      'LARDER_UNFINISHED_SCANS_PER_USER',
      wholeNumber(1, 1_000_000),
      '100',
      'Quota of unfinished scans.',
    ),
    perTenant: setting(
      'LARDER_UNFINISHED_SCANS_PER_TENANT',
      wholeNumber(1, 1_000_000),
      '2000',
      'The same of all users.',
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
      'Quota of their MB; without `contentLength` an expected one counts as 10 MiB.',
    ),
  },
  imageRetentionHours: setting(
    'LARDER_IMAGE_RETENTION_HOURS',
    wholeNumber(0, 8_760),
    '24',
    'Hours that images are kept.',
  ),
  scanRetentionDays: setting(
    'LARDER_SCAN_RETENTION_DAYS',
    wholeNumber(1, 3_650),
    '30',
    'Days that results and analyses are kept.',
  ),
  dishModel: setting(
    'LARDER_DISH_MODEL',
    dishModel,
    'shipped',
    '[Dish model](dish-model.md): `shipped`, `none`, a folder or `hub:OWNER/NAME`.',
  ),
  severalFoods: setting(
    'LARDER_SEVERAL_FOODS',
    oneOf(ON_OR_OFF),
    'on',
    '`off`: the dish model proposes [one food](recognition.md#several-foods) of a photo.',
  ),
};

/** Settings of an external OpenID issuer. */
export const OIDC = {
  issuer: required('LARDER_OIDC_ISSUER', issuer, 'Address of the issuer.'),
  audience: setting('LARDER_OIDC_AUDIENCE', nonEmpty, 'larder', 'Audience of its tokens.'),
  userClaim: setting('LARDER_OIDC_USER_CLAIM', nonEmpty, 'sub', 'Claim with the user.'),
  scopeClaim: setting(
    'LARDER_OIDC_SCOPE_CLAIM',
    nonEmpty,
    'scope',
    'Claim with the scopes, an array or separated by spaces.',
  ),
  tenantClaim: optional(
    'LARDER_OIDC_TENANT_CLAIM',
    anyText,
    'Claim with the tenant; unset, it is `default`.',
  ),
};

/** Settings of a vision model behind an OpenAI-compatible API. */
export const VISION = {
  url: required(
    'LARDER_VISION_URL',
    webAddress,
    'OpenAI-compatible API, up to `/chat/completions`. Photos are sent there.',
  ),
  model: required('LARDER_VISION_MODEL', anyText, 'Name of its model.'),
  timeoutMs: setting('LARDER_VISION_TIMEOUT_MS', wholeNumber(100, 60_000), '20000', 'Limit of one request.'),
  prices: optional(
    'LARDER_VISION_PRICES',
    tokenPrices,
    'USD for a million tokens of input and output, such as `2.50,10`.',
  ),
  secrets: {
    apiKey: setting('LARDER_VISION_KEY', anyText, '', 'Its key.'),
  },
};

/** Settings of commands that call a running service. */
export const CLIENT = {
  secrets: {
    key: optional(
      'LARDER_KEY',
      anyText,
      'API key of `larder scan`, `check`, `status` and `mcp`; unset, that of `first-key.txt`.',
    ),
  },
};

export const SETTINGS = settingsOf({ SERVICE, TLS, BACKUP, OPENID, OIDC, VISION, CLUSTER, CLIENT });
