import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { z } from 'zod';
import { pause } from '../../base/pause.ts';
import { barcodePicture, plainPicture } from '../barcode-picture.ts';
import type { Check } from '../check.ts';
import { CheckedResponse, CheckFailure, CheckSkip } from '../checked-response.ts';
import { toEan13 } from '../gs1-forms.ts';
import { findCommonFood } from '../products.ts';
import { type Session, unanswered } from '../session.ts';
import { createdScan, type ReportedScan, scanState, unversionedScan } from '../shapes.ts';

/** More than enough: there are four states, and none is repeated. */
const MAX_EVENTS = 10;

/** The messages of a stream until the service closed it. */
export interface FollowedScan {
  readonly states: readonly ReportedScan[];
  /** Id of the last message, which a reconnecting client would send. */
  readonly lastEventId: string | undefined;
}

/** Follows a scan to the end of its stream (Server-Sent Events with data lines only). */
async function watchScan(session: Session, path: string): Promise<FollowedScan> {
  const { signal } = session;
  const asked = `GET ${path}`;
  const states: ReportedScan[] = [];
  let lastEventId: string | undefined;
  try {
    const headers = { ...session.credential(), accept: 'text/event-stream' };
    const response = await session.request(path, { headers });
    const answer = new CheckedResponse({ asked, response, text: response.ok ? '' : await response.text() });
    answer.holdToAllAnswers();
    answer.expect(200).expectHeader('content-type', /^text\/event-stream/);
    for await (const event of eventsOf(response)) {
      lastEventId = event.id ?? lastEventId;
      states.push(new CheckedResponse({ asked, response, text: event.data }).read(scanState));
    }
  } catch (cause) {
    if (signal.aborted) {
      const last = states.at(-1)?.status ?? 'nothing';
      throw new CheckFailure(
        `${asked} told of ${last} and then of nothing more; no worker seems to look at images.`,
      );
    }
    throw unanswered(asked, cause, signal);
  }
  return { states, lastEventId };
}

async function* eventsOf({ body }: Response): AsyncGenerator<EventSourceMessage> {
  let count = 0;
  for await (const event of body!
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())) {
    if (++count > MAX_EVENTS) throw new CheckFailure('The stream of a scan has no end.');
    yield event;
  }
}

/** A worker may be busy with images of other clients. */
const SCAN_MS = 60_000;
const POLL_EVERY_MS = 1_000;
const TYPE = 'image/png';

export const scanChecks: readonly Check[] = [
  {
    name: 'scans are refused as they should be',
    scopes: ['scan'],
    timeoutMs: SCAN_MS,
    async run(session) {
      for (const [as, path] of [
        ['v1', '/v1/scan/image'],
        ['unversioned', '/scan/image'],
      ] as const) {
        const text = await session.ask('POST', path, {
          as,
          body: { clientId: 'check', contentType: 'text/plain' },
        });
        text.expectError(400, 'invalid_content_type');
        const nobodys = await session.ask('GET', `${path}/01900000000000000000000000`, { as });
        nobodys.expectError(404, 'scan_job_not_found');
      }
    },
  },
  {
    name: 'a scanned picture is followed to its end',
    scopes: ['scan'],
    timeoutMs: SCAN_MS,
    async run(session) {
      const picture = plainPicture();
      const { path } = await beginScan(session, 'v1', picture);
      const { states, lastEventId } = await watchScan(session, `${path}/stream`);
      const told = states.map(({ status }) => status);
      const end = told.at(-1);
      if (end !== 'completed' && end !== 'failed') {
        throw new CheckFailure(
          `The stream of a scan ended after ${told.join(', ') || 'nothing'}, not with its result.`,
        );
      }
      const polled = (await session.ask('GET', path)).expect(200);
      polled.expectSame('state', polled.read(scanState), states.at(-1));
      if (lastEventId !== undefined) {
        const headers = { 'last-event-id': lastEventId };
        (await session.ask('GET', `${path}/stream`, { headers })).expect(204);
      }
      (await session.ask('DELETE', path)).expect(204);
      (await session.ask('GET', path)).expectError(404, 'scan_job_not_found');
    },
  },
  {
    name: 'a scanned barcode becomes its food',
    scopes: ['scan', 'foods:read'],
    timeoutMs: SCAN_MS,
    async run(session) {
      const code = await findPrintableCode(session);
      const { path } = await beginScan(session, 'v1', barcodePicture(code));
      const { states } = await watchScan(session, `${path}/stream`);
      expectBarcode(states.at(-1), code);
      const polled = (await session.ask('GET', path)).expect(200);
      const { resultUrl } = polled.read(z.object({ resultUrl: z.url() }));
      const stored = await session.fetchStored(resultUrl);
      stored.expect(200).read(z.looseObject({}));
    },
  },
  {
    name: 'a scanned picture is asked for until it ends (unversioned)',
    scopes: ['scan'],
    timeoutMs: SCAN_MS,
    async run(session) {
      const { id } = await beginScan(session, 'unversioned', plainPicture());
      for (;;) {
        const answer = await session.ask('GET', `/scan/image/${id}`, { as: 'unversioned' });
        if (answer.expect(200).read(unversionedScan).status !== 'processing') return;
        await pause(POLL_EVERY_MS, { signal: session.signal }).catch(() => {
          const seconds = (SCAN_MS * session.patience) / 1000;
          throw new CheckFailure(`GET /scan/image/${id} still says processing after ${seconds} s.`);
        });
      }
    },
  },
];

const scanPackages = z.object({ missingScanPackages: z.array(z.string()).optional() });

interface BegunScan {
  readonly id: string;
  /** The path in the versioned variant, the only one that can delete. */
  readonly path: string;
}

/** Creates a scan, uploads the image, and registers its removal. */
async function beginScan(
  session: Session,
  as: 'v1' | 'unversioned',
  picture: Uint8Array,
): Promise<BegunScan> {
  const { missingScanPackages: missing = [] } = (await session.ask('GET', '/readyz', { as: 'nobody' })).read(
    scanPackages,
  );
  if (missing.includes('sharp')) {
    throw new CheckSkip(
      `The service has no scans: the npm packages ${missing.join(', ')} are not installed there.`,
    );
  }
  const created = await session.ask('POST', as === 'v1' ? '/v1/scan/image' : '/scan/image', {
    as,
    body: { clientId: 'larder-check', contentType: TYPE },
  });
  const { jobId: id, uploadUrl } = created.expect(201).read(createdScan);
  const path = `/v1/scan/image/${id}`;
  session.later(async (cleaning) => {
    const gone = await cleaning.ask('DELETE', path);
    if (gone.status !== 404) gone.expect(204);
  });
  const sent = await session.put(uploadUrl, picture, TYPE);
  if (sent.status < 200 || sent.status > 299) sent.expect(200);
  return { id, path };
}

/** A product number that search finds, and that an image of its bars should find again. */
async function findPrintableCode(session: Session): Promise<string> {
  const isPrintable = ({ barcode = '' }) => toEan13(barcode) !== undefined;
  const food = await findCommonFood(session, isPrintable);
  if (food === undefined) throw new CheckSkip('Search finds no food whose barcode can be printed.');
  return toEan13(food.barcode!)!;
}

function expectBarcode(end: ReportedScan | undefined, code: string): void {
  if (end?.status === 'completed') {
    if (end.result.items.some(({ barcode }) => barcode !== undefined && toEan13(barcode) === code)) return;
    throw new CheckFailure(`The scan of a picture of barcode ${code} found something else.`);
  }
  const how = end?.status === 'failed' ? `failed: ${end.error.message}` : 'ended without a result';
  throw new CheckFailure(`The scan of a picture of barcode ${code} ${how}`);
}
