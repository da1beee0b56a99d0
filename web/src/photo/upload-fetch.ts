/** A `fetch` that reports upload progress, which the browser's own does not. Other requests use the browser's. */
export function fetchWithProgress(onProgress: (share: number) => void): typeof fetch {
  return (input, init) => {
    if (init?.method !== 'PUT' || !(init.body instanceof Blob)) return fetch(input, init);
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const request = new XMLHttpRequest();
    request.open('PUT', String(input));
    new Headers(init.headers).forEach((value, name) => {
      request.setRequestHeader(name, value);
    });
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
    request.onload = () => {
      const { status, responseText } = request;
      const headers = { 'content-type': request.getResponseHeader('content-type') ?? '' };
      resolve(new Response(status === 204 ? null : responseText, { status, headers }));
    };
    request.onerror = () => reject(new TypeError('The connection broke while a file was sent.'));
    request.onabort = () => reject(init.signal?.reason);
    init.signal?.addEventListener('abort', () => request.abort());
    request.send(init.body);
    return promise;
  };
}
