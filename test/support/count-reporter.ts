import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Writes "N passed, N failed, N skipped" to a file, so that a script can print the counts last. */
export class CountReporter implements Reporter {
  readonly #file: string;

  constructor({ file }: { file: string }) {
    this.#file = file;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) counts[stateOf(test.result().state)]++;
      if (tests.length === 0 || module.errors().length > 0) counts.failed++;
    }
    writeFileSync(
      this.#file,
      `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`,
    );
  }
}

/** A test that never ran, because its file or the run failed, has not passed. */
function stateOf(state: 'passed' | 'failed' | 'skipped' | 'pending'): 'passed' | 'failed' | 'skipped' {
  return state === 'pending' ? 'failed' : state;
}
