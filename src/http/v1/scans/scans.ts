import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../errors.ts';
import { LAST_ORDER } from '../../../scan/jobs/scan-feed.ts';
import type { Scans } from '../../../scan/jobs/scans.ts';
import type { ScanJob } from '../../../scan/scan-job.ts';
import { EXAMPLE_SCAN, EXAMPLE_UPLOAD_URL } from '../../scans/example-scan.ts';
import { newScanSchema, readScanRequest } from '../../scans/new-scan.ts';
import { toPublicAddress } from '../../scans/public-url.ts';
import type { ScanStreams } from '../../scans/scan-streams.ts';
import { noContent } from '../../server/bodies.ts';
import { BODY_LIMITS } from '../../server/limits.ts';
import { publicOrigin } from '../../server/public-origin.ts';
import { lastEventId } from '../../server/request-headers.ts';
import type { Route, RouteRequest } from '../../server/route.ts';
import { viewerOf } from '../acting-user.ts';
import { isoTime } from '../fields.ts';
import { analysisSchema } from './analysis-schema.ts';
import { scanEventSchema, scanJson, scanMessageSchema, scanSchema, stateJson } from './scan-json.ts';

const access = { credential: 'bearer', scope: 'scan' } as const;
const tag = 'Scans (v1)';
const PATH = '/v1/scan/image';
const params = z.object({ jobId: z.string().describe('Of a scan job.').meta({ example: EXAMPLE_SCAN.id }) });
const JOB_PATH = `${PATH}/:jobId`;

const createdSchema = z
  .object({
    jobId: z.string(),
    uploadUrl: z.string().describe('PUT the bytes of the image here, with the announced Content-Type.'),
    streamUrl: z
      .string()
      .describe('The stream of this job for readers that cannot send a credential, such as EventSource.'),
    status: z.literal('upload_pending'),
    created_at: z.iso.datetime(),
    uploadExpiresAt: z.iso.datetime(),
  })
  .meta({ id: 'CreatedScan' });

const streamAnswer = {
  description:
    'Server-Sent Events: `data:` lines with `{status, jobId}`, the state now and each later one; `completed` has ' +
    '`result` and `resultUrl`, `failed` has `error`. Then the service closes.',
  contentType: 'text/event-stream',
  schema: scanMessageSchema,
} as const;
const streamEnd = {
  204: 'Last-Event-ID names the last message: nothing follows, and no reader need come back.',
};

export interface ScanRoutesPorts {
  readonly scans: () => Scans;
  readonly scanStreams: () => ScanStreams;
  /** As configured; absent: as the client asked. */
  readonly publicUrl: string | undefined;
}

/** From "here is a photo" to "these foods, these macros". */
export function scanRoutes(ports: ScanRoutesPorts): readonly Route[] {
  const { scans, publicUrl } = ports;
  const resultUrlOf = async (job: ScanJob, origin: string) => {
    const address = await scans().resultAddress(job);
    return address && toPublicAddress(address, origin);
  };
  const openStream = async (request: RouteRequest, reply: FastifyReply, job: ScanJob) => {
    const seenOrder = lastSeen(request.headers['last-event-id']);
    if (seenOrder >= LAST_ORDER) return noContent(reply);
    if (!ports.scanStreams().hasRoom) {
      throw new AppError({ code: 'unavailable', message: 'Too many streams are open; poll instead.' });
    }
    const origin = publicOrigin(request, publicUrl);
    reply.headers({
      'content-type': 'text/event-stream',
      // Ends the connection with the stream, and keeps proxies from holding messages back.
      connection: 'close',
      'x-accel-buffering': 'no',
    });
    if (reply.request.method === 'HEAD') return '';
    reply.hijack();
    reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
    ports.scanStreams().open(
      {
        scan: job,
        seenOrder,
        requestId: request.id,
        toMessage: async ({ job, status }) =>
          JSON.stringify(stateJson(job, status, await resultUrlOf(job, origin))),
      },
      reply.raw,
    );
    return reply;
  };
  return [
    {
      method: 'POST',
      path: PATH,
      access,
      operation: 'scanCreate',
      bodyLimit: BODY_LIMITS.fields,
      docs: {
        tag,
        operationId: 'createScanV1',
        summary: 'Begin a scan',
        description: 'Send the image to `uploadUrl` next, at most 10 MiB, within 15 minutes.',
        body: { schema: newScanSchema, example: { clientId: 'phone-1', contentType: 'image/jpeg' } },
        answer: {
          status: 201,
          description: 'The job, with Location.',
          headers: ['Location'],
          schema: createdSchema,
          example: createdJson(EXAMPLE_SCAN, EXAMPLE_UPLOAD_URL, 'https://larder.example/v1/scan/image/…'),
        },
        errors: ['invalid_content_type', 'quota_exceeded', 'storage_full'],
      },
      handle: async (request, reply) => {
        const { job, uploadAddress } = await scans().create(
          viewerOf(request.caller!),
          readScanRequest(newScanSchema, request.body),
          request.ids,
        );
        const origin = publicOrigin(request, publicUrl);
        const streamUrl = `${origin}${PATH}/${job.id}/events?ticket=${scans().ticketOf(job)}`;
        reply.code(201).header('location', `${PATH}/${job.id}`);
        return JSON.stringify(createdJson(job, toPublicAddress(uploadAddress, origin), streamUrl));
      },
    },
    {
      method: 'GET',
      path: JOB_PATH,
      access,
      operation: 'scanPoll',
      docs: {
        tag,
        operationId: 'getScanV1',
        summary: 'Ask how far a scan is',
        params,
        answer: {
          description: 'The job as it is now.',
          schema: scanSchema,
          example: scanJson(EXAMPLE_SCAN, undefined),
        },
        leadsTo: [analysisSchema],
        errors: ['scan_job_not_found'],
      },
      handle: async (request) => {
        const job = await scans().get(viewerOf(request.caller!), request.params['jobId']!);
        return JSON.stringify(scanJson(job, await resultUrlOf(job, publicOrigin(request, publicUrl))));
      },
    },
    {
      method: 'DELETE',
      path: JOB_PATH,
      access,
      operation: 'other',
      docs: {
        tag,
        operationId: 'deleteScanV1',
        summary: 'Delete a scan',
        description: 'Job, image and result; diary entries that were made from it stay.',
        params,
        answer: { status: 204, description: 'The scan is gone.' },
        errors: ['scan_job_not_found'],
      },
      handle: async ({ caller, params }, reply) => {
        await scans().remove(viewerOf(caller!), params['jobId']!);
        return noContent(reply);
      },
    },
    {
      method: 'GET',
      path: `${JOB_PATH}/stream`,
      access,
      operation: 'stream',
      docs: {
        tag,
        operationId: 'streamScanV1',
        summary: 'Follow a scan as it goes on',
        params,
        headers: lastEventId,
        answer: streamAnswer,
        leadsTo: [scanEventSchema],
        empty: streamEnd,
        errors: ['scan_job_not_found'],
      },
      handle: async (request, reply) => {
        const job = await scans().get(viewerOf(request.caller!), request.params['jobId']!);
        return openStream(request, reply, job);
      },
    },
    {
      method: 'GET',
      path: `${JOB_PATH}/events`,
      access: 'public',
      operation: 'stream',
      docs: {
        tag,
        operationId: 'followScanV1',
        summary: 'Follow a scan by its streamUrl',
        description:
          'What `streamUrl` leads to: the same stream, for whoever holds the ticket of this one job.',
        params,
        query: z.object({ ticket: z.string().describe('As it was given.') }),
        headers: lastEventId,
        answer: streamAnswer,
        leadsTo: [scanEventSchema],
        empty: streamEnd,
        errors: ['scan_job_not_found'],
      },
      handle: async (request, reply) => {
        const job = await scans().getByTicket(request.params['jobId']!, String(request.query['ticket']));
        return openStream(request, reply, job);
      },
    },
  ];
}

function createdJson(job: ScanJob, uploadUrl: string, streamUrl: string): z.infer<typeof createdSchema> {
  return {
    jobId: job.id,
    uploadUrl,
    streamUrl,
    status: 'upload_pending',
    created_at: isoTime(job.createdAtMs),
    uploadExpiresAt: isoTime(job.uploadExpiresAtMs),
  };
}

/** The order of the last state that the client has seen; 0 for an id that is none of ours. */
function lastSeen(header: string | string[] | undefined): number {
  return typeof header === 'string' && /^[1-9]$/.test(header) ? Number(header) : 0;
}
