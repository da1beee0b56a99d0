import { setTimeout } from 'node:timers/promises';
import { EventReader } from '../../support/event-reader.ts';
import { toState } from '../cluster/audit.ts';
import type { Picture } from '../cluster/pictures.ts';
import type { ScanState, StreamRecord } from '../history-record.ts';
import { type Asked, ask, noted } from './asking.ts';
import type { ClientOptions } from './client.ts';

const CLIENT_ID = 'phone';
/** Time limit for sending a small image; then it is sent again. */
const UPLOAD_PATIENCE_MS = 3_000;
const PAUSE_MS = 200;
/** Time limit of a scan, after which it is lost. */
const SCAN_PATIENCE_MS = 60_000;
const SETTLED_ORDER = 3;

interface ScanClientParts extends ClientOptions {
  readonly pictures: readonly Picture[];
}

/** Sends one picture after the other and follows each scan to its end, by polling or by its stream. */
export async function sendPictures(parts: ScanClientParts): Promise<void> {
  while (!parts.signal.aborted) await sendPicture(parts);
}

/** Runs one scan from the image to its result, through all failures. */
export async function sendPicture(parts: ScanClientParts): Promise<void> {
  const { history, random, pictures } = parts;
  const picture = random.pick(pictures);
  const giveUpAtMs = history.nowMs() + SCAN_PATIENCE_MS;
  const begun = await begin(parts, picture, giveUpAtMs);
  if (begun === undefined) return;
  while (!(await upload(parts, begun, picture)) && history.nowMs() < giveUpAtMs) await setTimeout(PAUSE_MS);
  await (random.next() < 0.5 ? poll : listen)(parts, begun.jobId, giveUpAtMs);
}

interface Begun {
  readonly jobId: string;
  readonly uploadUrl: string;
}

/**
 * Creates a scan. A request with an idempotency key is repeated until it is answered; the outcome of another
 * may stay unknown.
 */
async function begin(
  { name: client, url, key, history, random }: ScanClientParts,
  { contentType }: Picture,
  giveUpAtMs: number,
): Promise<Begun | undefined> {
  const named = random.next() < 0.5 ? { key: `${client}-${history.records.length}` } : {};
  const body = JSON.stringify({ clientId: CLIENT_ID, contentType });
  for (;;) {
    const asked = await ask(history, `${url}/v1/scan/image`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(named.key !== undefined && { 'idempotency-key': named.key }),
      },
      body,
    });
    const job = asked.json?.jobId;
    history.note({ kind: 'begin', ...noted(client, asked), ...named, ...(job !== undefined && { job }) });
    if (job !== undefined) return asked.json;
    if (named.key === undefined || history.nowMs() > giveUpAtMs) return undefined;
    await setTimeout(PAUSE_MS);
  }
}

async function upload(
  { name: client, history }: ScanClientParts,
  { jobId: job, uploadUrl }: Begun,
  { contentType, bytes, expected }: Picture,
): Promise<boolean> {
  const asked = await ask(history, uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': contentType, 'content-length': String(bytes.length) },
    body: bytes,
    timeoutMs: UPLOAD_PATIENCE_MS,
  });
  history.note({ kind: 'upload', ...noted(client, asked), job, expected });
  return asked.status === 200 || asked.status === 201;
}

async function poll(
  { name: client, url, key, history }: ScanClientParts,
  job: string,
  giveUpAtMs: number,
): Promise<void> {
  while (history.nowMs() < giveUpAtMs) {
    const headers = { authorization: `Bearer ${key}` };
    const asked = await ask(history, `${url}/v1/scan/image/${job}`, { headers });
    const state = asked.status === 200 ? stateIn(asked.json) : undefined;
    history.note({ kind: 'poll', ...noted(client, asked), job, ...(state !== undefined && { state }) });
    if (state?.status === 'completed' || state?.status === 'failed') return;
    await setTimeout(PAUSE_MS);
  }
}

/** Reconnects after each interruption, with the last state it has seen. */
async function listen(parts: ScanClientParts, job: string, giveUpAtMs: number): Promise<void> {
  const { history } = parts;
  let after = 0;
  while (after < SETTLED_ORDER && history.nowMs() < giveUpAtMs) {
    const record = await listenOnce(parts, job, after, giveUpAtMs);
    history.note(record);
    after = record.messages.at(-1)?.order ?? after;
    if (after < SETTLED_ORDER) await setTimeout(PAUSE_MS);
  }
}

async function listenOnce(
  { name: client, url, key, history }: ScanClientParts,
  job: string,
  after: number,
  giveUpAtMs: number,
): Promise<StreamRecord> {
  const startMs = history.nowMs();
  const messages: StreamRecord['messages'][number][] = [];
  const record = (outcome: Pick<StreamRecord, 'status' | 'code'>): StreamRecord => ({
    ...{ kind: 'stream', client, startMs, endMs: history.nowMs(), ...outcome, job, after, messages },
  });
  let reader: EventReader | undefined;
  const giveUp = globalThis.setTimeout(() => reader?.close(), giveUpAtMs - startMs);
  try {
    reader = await EventReader.open(`${url}/v1/scan/image/${job}/stream`, {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      ...(after > 0 && { 'last-event-id': String(after) }),
    });
    for (let event = await reader.next(); event !== undefined; event = await reader.next()) {
      messages.push({ atMs: history.nowMs(), order: Number(event.id), state: stateIn(event.data) });
    }
    return record({ status: reader.status, ...(reader.status >= 400 && { code: codeIn(reader.text) }) });
  } catch (error) {
    return record({ status: 0, code: (error as Error).message });
  } finally {
    clearTimeout(giveUp);
  }
}

function stateIn({ status, result, error }: Asked['json']): ScanState {
  return toState(status, result, error);
}

function codeIn(text: string): string {
  return JSON.parse(text).error.code;
}
