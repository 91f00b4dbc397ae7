/**
 * Renews a lease again and again until it is stopped. A renewal that fails is tried again at its next turn: whoever holds the lease asks
 * whether it still does before it acts on it.
 * @returns stops it, and resolves once no renewal is under way
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

/** The same while `work` goes on. */
export async function keepLeaseAliveDuring<T>(everyMs: number, renew: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  const stop = keepLeaseAlive(everyMs, renew)
  try {
    return await work()
  } finally {
    await stop()
  }
}
