type Send = (signal: AbortSignal) => Promise<Response>;

/**
 * Sends a request to a server that may fall silent. While no answer begins, a second try runs beside the first one and is
 * replaced by a fresh one every `everyMs`: a server that comes back answers new requests, but never those it lost. The
 * first try keeps all of its time, for a server that is merely slow. The request has to be idempotent. Fails as the first
 * try does.
 */
export async function renewedRequest(send: Send, everyMs: number): Promise<Response> {
  const answer = Promise.withResolvers<Response>();
  const tries: AbortController[] = [];
  let winner: AbortController | undefined;
  const begin = (onFailure: (error: unknown) => void) => {
    const abort = new AbortController();
    tries.push(abort);
    send(abort.signal).then((response) => {
      winner ??= abort;
      answer.resolve(response);
    }, onFailure);
  };
  begin(answer.reject);
  const timer = setInterval(() => {
    if (tries.length > 1) tries.pop()!.abort();
    begin(() => {});
  }, everyMs);
  try {
    return await answer.promise;
  } finally {
    clearInterval(timer);
    for (const abort of tries) if (abort !== winner) abort.abort();
  }
}
