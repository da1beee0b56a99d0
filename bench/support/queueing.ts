/** Mean times of an M/M/c queue: Poisson arrivals, exponential service, c servers, first come first served. */
export interface MmcFigures {
  /**
   * Share of time in which servers are busy; from 1 on the queue grows without end and all other values are
   * infinite.
   */
  readonly utilization: number;
  /** Share of arrivals that wait at all (Erlang's C formula). */
  readonly waiting: number;
  readonly meanWaitS: number;
  /** 95 % of requests wait no longer. */
  readonly p95WaitS: number;
}

/** Rates in 1/s. Source: L. Kleinrock, Queueing Systems, Volume 1, section 3.5. */
export function mmc(uploadEvents: number, serviceS: number, servers: number): MmcFigures {
  const load = uploadEvents * serviceS;
  const utilization = load / servers;
  if (utilization >= 1) {
    return {
      utilization,
      waiting: 1,
      meanWaitS: Number.POSITIVE_INFINITY,
      p95WaitS: Number.POSITIVE_INFINITY,
    };
  }
  // Erlang's B by its recurrence, which does not overflow as factorials do.
  let blocked = 1;
  for (let count = 1; count <= servers; count++) blocked = (load * blocked) / (count + load * blocked);
  const waiting = blocked / (1 - utilization * (1 - blocked));
  const drain = servers / serviceS - uploadEvents;
  return {
    utilization,
    waiting,
    meanWaitS: waiting / drain,
    p95WaitS: Math.max(0, Math.log(waiting / 0.05) / drain),
  };
}

/** Minimum number of servers with which 95 % of requests wait no longer than this. */
export function serversFor(uploadEvents: number, serviceS: number, p95WaitS: number): number {
  let servers = Math.floor(uploadEvents * serviceS) + 1;
  while (mmc(uploadEvents, serviceS, servers).p95WaitS > p95WaitS) servers++;
  return servers;
}

export interface SimulatedQueue {
  readonly uploadEvents: number;
  readonly servers: number;
  readonly seconds: number;
  /** Draws how long one request takes, in seconds. */
  readonly drawServiceS: () => number;
  /** 0 to 1, as `Math.random`. */
  readonly random: () => number;
}

/** Waiting and response times of requests, in seconds, sorted. */
export function simulate({ uploadEvents, servers, seconds, drawServiceS, random }: SimulatedQueue) {
  const freeAtS = new Float64Array(servers);
  const waitsS: number[] = [];
  const totalsS: number[] = [];
  let busyS = 0;
  for (
    let nowS = exponential(random) / uploadEvents;
    nowS < seconds;
    nowS += exponential(random) / uploadEvents
  ) {
    let first = 0;
    for (let server = 1; server < servers; server++) if (freeAtS[server]! < freeAtS[first]!) first = server;
    const startS = Math.max(nowS, freeAtS[first]!);
    const serviceS = drawServiceS();
    freeAtS[first] = startS + serviceS;
    busyS += serviceS;
    waitsS.push(startS - nowS);
    totalsS.push(startS - nowS + serviceS);
  }
  const sort = (values: number[]) => Float64Array.from(values).sort();
  return { waitsS: sort(waitsS), totalsS: sort(totalsS), utilization: busyS / (servers * seconds) };
}

/** Draws from the exponential distribution with mean 1. */
export function exponential(random: () => number): number {
  return -Math.log(1 - random());
}

/** Log-normal, by its median and 99th percentile. */
export function logNormal(median: number, p99: number, random: () => number): number {
  const sigma = Math.log(p99 / median) / 2.326;
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return median * Math.exp(sigma * normal);
}

export function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.floor((sorted.length - 1) * share)]!;
}
