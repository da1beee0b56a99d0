import { expect, inject, it } from 'vitest';
import { clusterSettings } from '../support/cluster-settings.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

it.skipIf(inject('cluster') === undefined)(
  'a worker on another machine works on the scans of a node, and stops on request',
  async () => {
    const settings = await clusterSettings();
    using folder = tempFolder();
    await using service = await startServiceProcess({
      ...settings,
      LARDER_SCAN_WORKERS: '0',
      LARDER_THREADS: '1',
    });
    const settled = Promise.withResolvers<unknown>();
    await using worker = startWorkerProcess(
      { ...settings, LARDER_DATA_DIR: folder.path, LARDER_WORKER_PORT: '0' },
      {
        onLine: ({ msg, scan, outcome }) => {
          if (msg === 'a scan is settled') settled.resolve({ scan, outcome });
        },
      },
    );
    const headers = { authorization: `Bearer ${service.key}` };
    const created = await fetch(`${service.url}/v1/scan/image`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ clientId: 'phone-1', contentType: 'image/png' }),
    });
    const { jobId, uploadUrl } = (await created.json()) as { jobId: string; uploadUrl: string };
    const put = { method: 'PUT', headers: { 'content-type': 'image/png' }, body: '%PDF-1.7' };
    expect((await fetch(uploadUrl, put)).ok).toBe(true);

    const path = `${service.url}/v1/scan/image/${jobId}`;
    // A request for the scan makes the service look up the image, because this store sends no events.
    await (await fetch(path, { headers })).json();
    expect(await settled.promise).toEqual({ scan: jobId, outcome: 'unsupported_image' });
    expect(await (await fetch(path, { headers })).json()).toMatchObject({ status: 'failed' });

    const { port } = worker.lines.find((line) => line.port !== undefined)!;
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect(await ready.json()).toMatchObject({ status: 'ready', database: 'reachable' });
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  },
);
