import type { Scans } from '../../scan/jobs/scans.ts';
import type { ScanJob } from '../../scan/scan-job.ts';

/** Completes addresses of this service, which begin with a slash; those of another object store are absolute already. */
export function toPublicUrl(address: string, origin: string): string {
  return address.startsWith('/') ? origin + address : address;
}

/** Where the full analysis of a scan can be read; undefined where there is none. */
export async function resultUrlOf(scans: Scans, job: ScanJob, origin: string): Promise<string | undefined> {
  const address = await scans.resultAddress(job);
  return address && toPublicUrl(address, origin);
}
