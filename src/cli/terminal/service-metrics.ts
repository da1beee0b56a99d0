/** Maximum kinds of refused requests that are shown. */
const MAX_REFUSALS = 5;

/** The metrics of a service that `larder status` shows. */
export interface ServiceFigures {
  readonly scanQueue: { readonly waiting: number; readonly running: number };
  /** Kinds of the latest rejected requests, newest first. */
  readonly refusals: readonly RefusedKind[];
  /** Requests of web pages whose origin is not allowed. */
  readonly refusedOrigins: number;
}

export interface RefusedKind {
  readonly method: string;
  readonly route: string;
  readonly code: string;
  readonly count: number;
  readonly lastAt: string;
}

/** Reads metrics in the Prometheus text format; undefined for any other text. */
export function readServiceFigures(text: string): ServiceFigures | undefined {
  const jobs = samplesOf(text, 'larder_scan_queue_jobs');
  const [waiting, running] = ['waiting', 'running'].map(
    (state) => jobs.find(({ labels }) => labels['state'] === state)?.value,
  );
  if (waiting === undefined || running === undefined) return undefined;
  const counts = new Map(
    samplesOf(text, 'larder_http_refusals_total').map(({ labels, value }) => [kindOf(labels), value]),
  );
  const refusals = samplesOf(text, 'larder_http_last_refusal_timestamp_seconds')
    .toSorted((a, b) => b.value - a.value)
    .slice(0, MAX_REFUSALS)
    .map(({ labels, value }) => ({
      method: labels['method'] ?? '',
      route: labels['route'] ?? '',
      code: labels['code'] ?? '',
      count: counts.get(kindOf(labels)) ?? 1,
      lastAt: new Date(value * 1000).toISOString(),
    }));
  const [refusedOrigins] = samplesOf(text, 'larder_http_refused_origins_total');
  return { scanQueue: { waiting, running }, refusals, refusedOrigins: refusedOrigins?.value ?? 0 };
}

type Labels = Readonly<Record<string, string | undefined>>;

function kindOf({ method, route, code }: Labels): string {
  return `${method} ${route} ${code}`;
}

function samplesOf(text: string, name: string): { labels: Labels; value: number }[] {
  return Array.from(
    text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm')),
    ([, labels, value]) => ({
      labels: Object.fromEntries(
        Array.from((labels ?? '').matchAll(/(\w+)="([^"]*)"/g), ([, label, content]) => [label, content]),
      ),
      value: Number(value),
    }),
  );
}
