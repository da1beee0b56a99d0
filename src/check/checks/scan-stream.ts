import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { CheckedResponse, CheckFailure } from '../checked-response.ts';
import { type Session, unanswered } from '../session.ts';
import { type ReportedScan, scanState } from '../shapes.ts';

/** More than enough: there are four states, and none is repeated. */
const MAX_EVENTS = 10;

/** The messages of a stream until the service closed it. */
export interface FollowedScan {
  readonly states: readonly ReportedScan[];
  /** Id of the last message, which a reconnecting client would send. */
  readonly lastEventId: string | undefined;
}

/** Follows a scan to the end of its stream (Server-Sent Events with data lines only). */
export async function watchScan(session: Session, path: string): Promise<FollowedScan> {
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
