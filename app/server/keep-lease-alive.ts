/**
 * Renews a lease at intervals until stopped. A failed renewal is retried at the next interval: the holder must check its lease again before
 * acting on it.
 * @returns a function that stops renewing and resolves once no renewal is running
 */
export function keepLeaseAlive(everyMs: number, renew: () => Promise<unknown>): () => Promise<void> {
  let underWay: Promise<unknown> | undefined
  const timer = setInterval(() => {
    underWay ??= renew()
      .catch(() => {})
      .finally(() => (underWay = undefined))
  }, everyMs)
  return async () => {
    clearInterval(timer)
    await underWay
  }
}

/** The same for as long as `work` runs. */
export async function keepLeaseAliveDuring<T>(everyMs: number, renew: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  const stop = keepLeaseAlive(everyMs, renew)
  try {
    return await work()
  } finally {
    await stop()
  }
}
