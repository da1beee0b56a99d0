import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

it("loads neither Node's WebSocket client nor code that only the main thread needs", () => {
  const entry = new URL('./api-thread.ts', import.meta.url).href;
  const program = `await import('${entry}'); console.log(process.moduleLoadList.join()); process.exit()`;
  const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(loaded).toContain('NativeModule http,');
  // prom-client loads `cluster`.
  expect(loaded).not.toMatch(/undici|http2|NativeModule cluster|NativeModule https/);
});
