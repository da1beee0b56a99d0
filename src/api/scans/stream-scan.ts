import { z } from 'zod';
import { LAST_ORDER, type ScanFeed } from '../../scan/jobs/scan-feed.ts';
import type { Scans } from '../../scan/jobs/scans.ts';
import type { ScanJob } from '../../scan/scan-job.ts';
import { viewerOf } from '../acting-user.ts';
import type { EventStreams } from '../event-streams.ts';
import { operation, type Reply } from '../operation.ts';
import { jobParams, scanEventSchema, scanMessageSchema, stateJson } from './scan-json.ts';
import { resultUrlOf } from './scan-parts.ts';

interface StreamPorts {
  readonly scans: Scans;
  readonly scanFeed: ScanFeed;
  readonly streams: EventStreams;
}

const streamHeaders = z.object({
  'Last-Event-ID': z
    .string()
    .optional()
    .describe('The `id` of the last message that was read: only later ones follow.')
    .transform(parseLastSeen),
});

const streamAnswer = {
  description:
    'Server-Sent Events: `data:` lines with `{status, jobId}`, the state now and each later one; `completed` has ' +
    '`result` and `resultUrl`, `failed` has `error`. Then the service closes.',
  contentType: 'text/event-stream',
  schema: scanMessageSchema,
} as const;
const streamEnd = {
  204: 'Last-Event-ID is the last message: no other follows, so do not connect again.',
};

export const streamScan = operation({
  method: 'GET',
  path: '/v1/scan/image/:jobId/stream',
  id: 'streamScanV1',
  tag: 'Scans (v1)',
  summary: 'Follow a scan until it ends',
  access: { credential: 'bearer', scope: 'scan' },
  counts: 'stream',
  params: jobParams,
  headers: streamHeaders,
  answer: streamAnswer,
  leadsTo: [scanEventSchema],
  empty: streamEnd,
  errors: ['scan_job_not_found'],
  handle: async (request, ports: StreamPorts) => {
    const job = await ports.scans.get(viewerOf(request.caller), request.params.jobId);
    return streamReply(job, request, ports, () => request.recheck());
  },
});

/** Serves the stream to readers that cannot send a credential. */
export const followScan = operation({
  method: 'GET',
  path: '/v1/scan/image/:jobId/events',
  id: 'followScanV1',
  tag: 'Scans (v1)',
  summary: 'Follow a scan by its streamUrl',
  description: 'Content of `streamUrl`: the same stream, for anyone with the ticket of this job.',
  access: 'public',
  counts: 'stream',
  params: jobParams,
  query: z.object({
    // A missing ticket is rejected like a wrong one.
    ticket: z.preprocess(String, z.string()).describe('As it was given.'),
  }),
  headers: streamHeaders,
  answer: streamAnswer,
  leadsTo: [scanEventSchema],
  empty: streamEnd,
  errors: ['scan_job_not_found'],
  handle: async (request, ports: StreamPorts) => {
    const job = await ports.scans.getByTicket(request.params.jobId, request.query.ticket);
    return streamReply(job, request, ports, () => ports.scans.requireLiveCredential(job));
  },
});

interface StreamRequest {
  readonly headers: z.output<typeof streamHeaders>;
  readonly requestId: string;
  readonly baseUrl: string;
}

function streamReply(
  job: ScanJob,
  { headers, requestId, baseUrl }: StreamRequest,
  { scans, scanFeed, streams }: StreamPorts,
  recheck: () => Promise<void>,
): Reply {
  const seenOrder = headers['Last-Event-ID'];
  if (seenOrder >= LAST_ORDER) return { status: 204 };
  return streams.reply({
    about: { requestId, scan: job.id },
    recheck,
    async *follow(signal) {
      for await (const { order, status, job: now } of scanFeed.watch(job, seenOrder, signal)) {
        const state = stateJson(now, status, await resultUrlOf(scans, now, baseUrl));
        yield { id: order, data: JSON.stringify(state) };
      }
    },
  });
}

/** The order of the last state that the client has received; 0 for an unknown id. */
function parseLastSeen(header: string | undefined): number {
  return header !== undefined && /^[1-9]$/.test(header) ? Number(header) : 0;
}
