/** Resolves no sooner than after `ms`, whatever `work` does: for answers whose timing would reveal what was found. */
export async function withMinimumDuration<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const waited = new Promise<void>((done) => setTimeout(done, ms))
  try {
    return await work()
  } finally {
    await waited
  }
}
