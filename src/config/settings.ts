import {
  anyText,
  bucketName,
  dishModel,
  issuer,
  listOf,
  MAX_DEFAULT_API_THREADS,
  MAX_PORT,
  MAX_UPLOADS,
  networks,
  nonEmpty,
  oneOf,
  optionalPort,
  optionalWebAddress,
  origin,
  origins,
  scanWorkerCount,
  serverAddress,
  sharedSecret,
  threadCount,
  tokenPrices,
  webAddress,
  wholeNumber,
} from './parsers.ts';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const OUTSIDE_APIS = ['off', 'fdc'] as const;
export type ExternalApi = (typeof OUTSIDE_APIS)[number];

/** What one environment variable means. `parse` throws a plain Error that says what a good value looks like. */
export interface Setting<T> {
  readonly fallback: string;
  readonly parse: (text: string) => T;
  readonly meaning: string;
  /** Its value is shown nowhere, not in the message that refuses it either. */
  readonly isSecret?: true;
}

function setting<T>(fallback: string, parse: (text: string) => T, meaning: string): Setting<T> {
  return { fallback, parse, meaning };
}

function secret(parse: (text: string) => string, meaning: string): Setting<string> {
  return { fallback: '', parse, meaning, isSecret: true };
}

/** Every `LARDER_…` name there is. `docs/configuration.md` is held equal to this table by a test. */
export const SETTINGS = {
  LARDER_HOST: setting(
    '127.0.0.1',
    nonEmpty,
    'Address to listen on. `0.0.0.0` opens the service to the network.',
  ),
  LARDER_PORT: setting('8080', wholeNumber(0, MAX_PORT), 'TCP port to listen on; `0` takes a free one.'),
  LARDER_PUBLIC_URL: setting(
    '',
    origin,
    'Origin under which clients reach the service, such as `https://food.example.org`; unset, it is taken from each request.',
  ),
  LARDER_KEY: secret(
    anyText,
    'API key with which `larder scan` asks a service; unset, it takes the first key of the data folder.',
  ),
  LARDER_DATA_DIR: setting(
    './data',
    nonEmpty,
    'Folder for keys, catalogues and everything else that is kept. `larder serve`, `import` and `restore` begin a new one where there is none; other commands refuse.',
  ),
  LARDER_DISK_RESERVE_MB: setting(
    '500',
    wholeNumber(0, 1_000_000),
    'Space on the disk of the data folder, in millions of bytes, that images, analyses, imports, backups and copies of catalogues leave free for diaries and everything else; below it uploads are answered with 507. `0` reserves nothing.',
  ),
  LARDER_THREADS: setting(
    'auto',
    threadCount,
    `API threads that share the port; \`auto\` takes one per processor, at most ${MAX_DEFAULT_API_THREADS}.`,
  ),
  LARDER_UPLOADS: setting(
    '64',
    wholeNumber(1, MAX_UPLOADS),
    'Images that one service takes into its data folder at one time, of which one client gets at most half of what others leave; further ones are answered with 503.',
  ),
  LARDER_LOG_LEVEL: setting('info', oneOf(LOG_LEVELS), `One of ${LOG_LEVELS.join(', ')}.`),
  LARDER_SHUTDOWN_TIMEOUT_MS: setting(
    '10000',
    wholeNumber(0, 600_000),
    'How long requests under way may take to finish after SIGTERM or SIGINT; a process that takes over a data folder waits that long for the one before.',
  ),
  LARDER_TRUSTED_PROXIES: setting(
    '',
    networks,
    'Addresses or networks (`10.0.0.0/8`) of load balancers, separated by commas, whose `X-Forwarded-For` says which client asks, ten behind each other at most; none unless set.',
  ),
  LARDER_OUTGOING_NETWORKS: setting(
    '',
    networks,
    'Addresses or networks that are not on the internet, separated by commas, to which downloads may be redirected and in which an OpenID issuer may keep its keys; none unless set. Servers that a setting names need no permission.',
  ),
  LARDER_CORS_ORIGINS: setting(
    '',
    origins,
    'Origins whose pages may read answers, separated by commas, or `*` for all; none unless set.',
  ),
  LARDER_DATABASE_URL: secret(
    serverAddress('postgres:', 'postgresql:'),
    'Address of a PostgreSQL database, `postgres://user:password@host/name`. With it the service is one node of a cluster, and needs `LARDER_S3_…` and `LARDER_REDIS_URL` as well; without, everything lies in the data folder.',
  ),
  LARDER_DATABASE_LISTEN_URL: secret(
    serverAddress('postgres:', 'postgresql:'),
    'Address of the same database without a pooler in between, for the one connection of a node that listens to the others; unset, it is `LARDER_DATABASE_URL`.',
  ),
  LARDER_DATABASE_REPLICA_URL: secret(
    serverAddress('postgres:', 'postgresql:'),
    'Address of a streaming replica of the same database, which answers lists and sums of diaries as soon as it has all that was written before, as `LARDER_DATABASE_URL` would; unset, that answers them itself.',
  ),
  LARDER_DATABASE_CONNECTIONS: setting(
    '20',
    wholeNumber(1, 1_000),
    'Connections to PostgreSQL that the API threads of one node open at most together, and as many to a replica; each thread has at least 3, one of them for looking up credentials alone. One more listens, one asks which catalogue is active, and a start takes 1 for a moment.',
  ),
  LARDER_DATABASE_WAIT_TIMEOUT_MS: setting(
    '5000',
    wholeNumber(100, 60_000),
    'How long a request may wait for one of these connections, and a new one for PostgreSQL, before it is answered with 503.',
  ),
  LARDER_DATABASE_STATEMENT_TIMEOUT_MS: setting(
    '10000',
    wholeNumber(100, 600_000),
    'How long PostgreSQL may take for one statement before it is cancelled and the request is answered with 503.',
  ),
  LARDER_DATABASE_MIGRATION_TIMEOUT_MS: setting(
    '1800000',
    wholeNumber(1_000, 86_400_000),
    'The same for the statements of a start, which bring tables up to date or wait for the node that does.',
  ),
  LARDER_S3_ENDPOINT: setting(
    '',
    (text) => (text === '' ? text : webAddress(text)),
    'Address of an S3-compatible object store without the bucket, for images and analyses.',
  ),
  LARDER_S3_BUCKET: setting('', bucketName, 'Bucket there, which has to exist.'),
  LARDER_S3_REGION: setting('us-east-1', nonEmpty, 'Region that requests to it are signed for.'),
  LARDER_S3_ACCESS_KEY_ID: setting('', anyText, 'Key id that they are signed with.'),
  LARDER_S3_SECRET_ACCESS_KEY: secret(anyText, 'Secret that they are signed with.'),
  LARDER_S3_ADDRESSING: setting(
    'path',
    oneOf(['path', 'host']),
    'Where the bucket stands in addresses: `path` (`endpoint/bucket/key`) or `host` (`bucket.endpoint/key`).',
  ),
  LARDER_STORAGE_EVENTS_SECRET: secret(
    sharedSecret,
    'Secret that the object store shows when it tells of uploads, as `Authorization: Bearer <secret>` to `/internal/storage-events`; at least 16 characters. Unset, that address is 404 and images are looked for. Of no use in a data folder.',
  ),
  LARDER_REDIS_URL: secret(
    serverAddress('redis:', 'rediss:'),
    'Address of a Redis or Valkey, `redis://:password@host:6379`, in which all nodes count requests together.',
  ),
  LARDER_REDIS_TIMEOUT_MS: setting(
    '200',
    wholeNumber(20, 60_000),
    'How long Redis may owe every answer before this node counts requests for itself; requests wait that long at most.',
  ),
  LARDER_OIDC_ISSUER: setting(
    '',
    issuer,
    'Address of an OpenID issuer whose access tokens are taken besides our own; none unless set.',
  ),
  LARDER_OIDC_AUDIENCE: setting('larder', nonEmpty, 'Audience that its tokens must name.'),
  LARDER_OIDC_USER_CLAIM: setting('sub', nonEmpty, 'Claim that says the user.'),
  LARDER_OIDC_SCOPE_CLAIM: setting(
    'scope',
    nonEmpty,
    'Claim that lists scopes, as an array or separated by spaces.',
  ),
  LARDER_OIDC_TENANT_CLAIM: setting(
    '',
    anyText,
    'Claim that says the tenant; unless set, all its users belong to tenant `default`.',
  ),
  LARDER_OFF_EXPORT_URL: setting(
    'https://static.openfoodfacts.org/data/openfoodfacts-products.jsonl.gz',
    webAddress,
    'Where `larder import off` without a file fetches the newest export.',
  ),
  LARDER_FDC_EXPORT_URL: setting(
    'https://fdc.nal.usda.gov/download-datasets',
    webAddress,
    'Where `larder import fdc` without a file finds the newest export: a page that links `.zip` files, or one `.zip`.',
  ),
  LARDER_KEYS_PER_TENANT: setting(
    '1000',
    wholeNumber(1, 1_000_000),
    'API keys of one tenant that may be live at one time, that is neither revoked nor expired; one more is refused with 403 `quota_exceeded`, on the command line unless it says `--beyond-quota`.',
  ),
  LARDER_OWN_FOODS_PER_TENANT: setting(
    '10000',
    wholeNumber(1, 1_000_000),
    'Foods that one tenant may enter; more are refused with 403 `quota_exceeded`.',
  ),
  LARDER_OWN_FOOD_WORDS_PER_TENANT: setting(
    '200000',
    wholeNumber(2_000, 20_000_000),
    'Words that the names, brands and aliases of these foods may have together: each takes some 60 bytes in the memory of each API thread, and 2 µs to index.',
  ),
  LARDER_OWN_FOODS_MEMORY_MB: setting(
    '256',
    wholeNumber(16, 65_536),
    'Roughly what foods beside the catalogue may take in the memory of each API thread, in MiB, before those of tenants are forgotten that asked longest ago; they are read again when these ask.',
  ),
  LARDER_OUTSIDE_FOODS: setting(
    '20000',
    wholeNumber(1, 1_000_000),
    'Foods of external services that are kept; of more, those that were kept first are forgotten.',
  ),
  LARDER_OUTSIDE_APIS: setting(
    '',
    listOf(OUTSIDE_APIS),
    'External services that are asked for barcodes which the catalogue lacks, in this order: `off` (Open Food Facts), `fdc` (USDA FoodData Central), `off,fdc` or none. Their answers become foods.',
  ),
  LARDER_OFF_API_URL: setting(
    'https://world.openfoodfacts.org',
    webAddress,
    'Where the product API of Open Food Facts is.',
  ),
  LARDER_FDC_API_URL: setting(
    'https://api.nal.usda.gov/fdc',
    webAddress,
    'Where the API of FoodData Central is.',
  ),
  LARDER_FDC_API_KEY: setting(
    'DEMO_KEY',
    nonEmpty,
    'The key for the API of FoodData Central; the default allows some 30 questions an hour.',
  ),
  LARDER_SCAN_WORKERS: setting(
    'auto',
    scanWorkerCount,
    'Images that `larder serve` analyses at one time, each in a process of its own; `auto` takes 1, or 2 with more than two processors, and `0` leaves it to `larder worker`.',
  ),
  LARDER_WORKER_PORT: setting(
    '',
    optionalPort,
    'TCP port at which `larder worker` answers `/healthz`, `/readyz` and `/metrics`; `0` takes a free one, and none is opened unless it is set.',
  ),
  LARDER_SCAN_TIMEOUT_MS: setting(
    '60000',
    wholeNumber(100, 3_600_000),
    'How long the analysis of one image may take.',
  ),
  LARDER_UNFINISHED_SCANS_PER_USER: setting(
    '100',
    wholeNumber(1, 1_000_000),
    'Scans of one user that may wait for their image or their result at one time; one more is refused with `quota_exceeded`.',
  ),
  LARDER_UNFINISHED_SCANS_PER_TENANT: setting(
    '2000',
    wholeNumber(1, 1_000_000),
    'The same for all scans of a tenant, those that a key creates for no user included.',
  ),
  LARDER_STORED_IMAGES_PER_TENANT: setting(
    '10000',
    wholeNumber(1, 1_000_000),
    'Images of a tenant that may be stored at one time, at most 10 MiB each, those included that are still expected; one more is refused with `quota_exceeded`.',
  ),
  LARDER_IMAGE_RETENTION_HOURS: setting(
    '24',
    wholeNumber(0, 8_760),
    'How long an image is kept after its scan has been completed or has failed.',
  ),
  LARDER_SCAN_RETENTION_DAYS: setting(
    '30',
    wholeNumber(1, 3_650),
    'How long a scan is kept with its result and analysis after it has been completed or has failed; then it is removed, with its image if that is still there. Diary entries made from it stay.',
  ),
  LARDER_DISH_MODEL: setting(
    'shipped',
    dishModel,
    'What tells dishes apart: `shipped`, `none`, a folder with a classifier or an image-text model (docs/dish-model.md), or `hub:OWNER/NAME` for an image-text model that is fetched once.',
  ),
  LARDER_VISION_URL: setting(
    '',
    optionalWebAddress,
    'Address of an OpenAI-compatible API, up to `/chat/completions`, whose vision model is asked before the dish model; none unless set. Photos are sent there.',
  ),
  LARDER_VISION_MODEL: setting('', (text) => text, 'Name of its model.'),
  LARDER_VISION_KEY: secret((text) => text, 'Key for it, where it wants one.'),
  LARDER_VISION_TIMEOUT_MS: setting(
    '20000',
    wholeNumber(100, 60_000),
    'How long one question to it may take; a photo is asked about three times at most, within half of `LARDER_SCAN_TIMEOUT_MS`.',
  ),
  LARDER_VISION_PRICES: setting(
    '',
    tokenPrices,
    'What it costs, in USD for a million tokens of input and of output, such as `2.50,10`; with it the metrics count money too.',
  ),
} as const;
