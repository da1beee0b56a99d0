import { readFileSync } from 'node:fs';

const PAGE = new URL('../../docs/operating.md', import.meta.url);

interface DocumentedMetric {
  readonly name: string;
  readonly labels: readonly string[];
  readonly clusterOnly: boolean;
}

/** The metrics in the tables of docs/operating.md: `name{label,label}`, several in a row. */
export function readDocumentedMetrics(): DocumentedMetric[] {
  const rows = readFileSync(PAGE, 'utf8').matchAll(/^\| (.+) \| (`larder_.+) \|$/gm);
  return [...rows].flatMap(([, about, metrics]) =>
    Array.from(metrics!.matchAll(/`(larder_\w+)(?:\{([\w,]+)\})?`/g), ([, name, labels]) => ({
      name: name!,
      labels: labels?.split(',') ?? [],
      clusterOnly: about!.startsWith("a cluster's "),
    })),
  );
}
