type Send = (signal: AbortSignal) => Promise<Response>;

/**
 * Asks a server that may fall silent. While no answer begins, a fresh try stands beside the first one and is replaced
 * every `everyMs`, so that the answer comes soon after the server is back, though what it left unanswered stays so. The
 * first try keeps all of its time, for a server that is merely slow. What is sent has to be harmless when it is sent
 * again. Fails as the first try does.
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
