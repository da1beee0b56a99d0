import { setTimeout as pause } from 'node:timers/promises';
import { parseLogLine } from '../support/log-line.ts';
import { type ProcessFigures, processFigures } from '../support/process-figures.ts';
import { tempFolder } from '../support/temp-folder.ts';
import type { Attack, Scene, Setup } from './attack.ts';
import { type AttackReport, runAttacker } from './attacker/run-attacker.ts';
import { runBurner } from './attacker/run-burner.ts';
import { LoadWatch } from './machine-load.ts';
import { allowedOpenFiles, allowedRssBytes, isTooSlow, type Measured } from './measured.ts';
import { Target } from './target/target.ts';
import { warmUp } from './target/warm-up.ts';
import type { Sample } from './victim/samples.ts';
import { VictimHandle } from './victim/victim-handle.ts';

const IDLE_MS = 5_000;
/** An attack during which others waited too long is repeated so often at most: other programs use the machine as well. */
const MAX_ATTEMPTS = 3;
const LOOK_EVERY_MS = 250;
/** What a service may take to give back memory and connections. */
const RECOVERY_MS = 15_000;
/** No attack goes on longer, unless the full counts are asked for. */
const LIMIT_MS = 12_000;
const FULL_LIMIT_MS = 600_000;

export interface AbuseRun {
  readonly mode: Scene['mode'];
  readonly seed: number;
  readonly isFull: boolean;
  readonly attacks: readonly Attack[];
  readonly onProgress: (text: string) => void;
  readonly onMeasured: (measured: Measured) => void;
}

/** One attack after the other, those of one setup on one service; a service that was harmed is replaced. */
export async function runAbuse(run: AbuseRun): Promise<void> {
  let stage: Stage | undefined;
  try {
    for (const attack of run.attacks) {
      if (stage === undefined || stage.setup !== setupOf(attack)) {
        await stage?.[Symbol.asyncDispose]();
        run.onProgress(`starting a service (${setupOf(attack)})`);
        stage = await Stage.open(run, setupOf(attack));
      }
      run.onProgress(attack.name);
      const measured = await stage.measure(attack);
      run.onMeasured(measured);
      const isHarmed = measured.hasEnded || measured.idle.some(({ status }) => status < 200 || status > 299);
      if (!isHarmed) continue;
      await stage[Symbol.asyncDispose]();
      stage = undefined;
    }
  } finally {
    await stage?.[Symbol.asyncDispose]();
  }
}

function setupOf({ setup = 'usual' }: Attack): Setup {
  return setup;
}

/** A service and its victim. */
class Stage implements AsyncDisposable {
  readonly setup: Setup;
  readonly #run: AbuseRun;
  readonly #target: Target;
  readonly #victim: VictimHandle;

  static async open(run: AbuseRun, setup: Setup): Promise<Stage> {
    const target = await Target.open(setup);
    const victim = new VictimHandle({ url: target.service.url, key: target.keys.victim });
    const stage = new Stage({ run, setup, target, victim });
    const publicUrl = target.settings['LARDER_PUBLIC_URL'];
    await warmUp({ url: target.service.url, key: target.keys.victim, publicUrl });
    await stage.#idle();
    return stage;
  }

  private constructor(parts: { run: AbuseRun; setup: Setup; target: Target; victim: VictimHandle }) {
    this.#run = parts.run;
    this.setup = parts.setup;
    this.#target = parts.target;
    this.#victim = parts.victim;
  }

  async measure(attack: Attack): Promise<Measured> {
    const logFrom = this.#target.service.out.length;
    const load = new LoadWatch();
    const idle = await this.#idle();
    const machine = load.end();
    const before = this.#figures();
    const attempts = [await this.#attack(attack)];
    const control: Sample[] = [];
    const seen = () => ({ idle, attempts: attempts.map(({ samples }) => samples), control });
    while (attempts.length < MAX_ATTEMPTS && isTooSlow(seen()) && !this.#target.hasEnded) {
      const { report, lastedMs } = attempts.at(-1)!;
      control.push(...(await this.#during(() => runBurner(report.cpuSeconds, lastedMs))));
      attempts.push(await this.#attack(attack));
    }
    const reports = attempts.map(({ report }) => report);
    const after = await this.#recovered(before);
    return {
      attack,
      report: { ...reports[0]!, breaches: [...new Set(reports.flatMap(({ breaches }) => breaches))] },
      ...seen(),
      before,
      peakRssBytes: Math.max(...attempts.map(({ peakRssBytes }) => peakRssBytes)),
      after,
      verified: await this.#victim.verify(),
      defects: defectsIn(this.#target.logFrom(logFrom)),
      hasEnded: this.#target.hasEnded,
      machine,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#victim[Symbol.asyncDispose]();
    await this.#target[Symbol.asyncDispose]();
  }

  async #attack({ name, fullLimitMs = FULL_LIMIT_MS }: Attack) {
    using folder = tempFolder();
    const { service, pid, keys, dataDir, settings, clockFile } = this.#target;
    const startedAt = performance.now();
    let peakRssBytes = 0;
    const looking = setInterval(() => {
      peakRssBytes = Math.max(peakRssBytes, this.#figures().rssBytes);
    }, LOOK_EVERY_MS);
    let report!: AttackReport;
    const samples = await this.#during(async () => {
      report = await runAttacker({
        ...{ name, pid, dataDir, settings, clockFile, folder: folder.path },
        ...{ mode: this.#run.mode, url: service.url, key: keys.attacker, victimKey: keys.victim },
        ...{ seed: this.#run.seed, isFull: this.#run.isFull },
        limitMs: this.#run.isFull ? fullLimitMs : LIMIT_MS,
      });
    });
    clearInterval(looking);
    return { report, samples, peakRssBytes, lastedMs: performance.now() - startedAt };
  }

  #idle(): Promise<readonly Sample[]> {
    return this.#during(() => pause(IDLE_MS));
  }

  async #during(work: () => Promise<unknown>): Promise<readonly Sample[]> {
    this.#victim.begin();
    await work();
    return this.#victim.end();
  }

  async #recovered(before: ProcessFigures): Promise<ProcessFigures> {
    const deadlineMs = performance.now() + RECOVERY_MS;
    for (;;) {
      const now = this.#figures();
      const isBack = now.rssBytes <= allowedRssBytes(before) && now.openFiles <= allowedOpenFiles(before);
      if (isBack || performance.now() > deadlineMs) return now;
      await pause(LOOK_EVERY_MS);
    }
  }

  #figures(): ProcessFigures {
    return this.#target.hasEnded
      ? { rssBytes: 0, rssOfFilesBytes: 0, openFiles: 0, threads: 0 }
      : processFigures(this.#target.pid);
  }
}

interface LogLine {
  readonly msg: string;
  readonly level: string;
  readonly status?: number;
  readonly route?: string;
  readonly err?: { readonly message?: string };
}

/** Requests that ended with 500, whoever asked, and threads that crashed. */
function defectsIn(lines: readonly string[]): string[] {
  return lines.flatMap((text) => {
    const line = parseLogLine<LogLine>(text);
    if (line?.status === 500) return [`500 of ${line.route}`];
    const isCrash = line?.msg === 'an API thread crashed and is replaced' || line?.level === 'fatal';
    return isCrash ? [`${line.msg}: ${line.err?.message}`] : [];
  });
}
