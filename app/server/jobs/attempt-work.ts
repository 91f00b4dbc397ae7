import { isDatabaseAway } from '../db/database-down.ts'

/**
 * Does one piece of a job's work. What it fails with is recorded as its own fault, so that the job goes on with the next piece. If the database
 * is away, nothing is wrong with the piece: nothing is recorded, and the job ends.
 * @param record what the failed piece returns instead
 */
export async function attemptWork<T>(work: () => Promise<T>, record: (error: unknown) => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isDatabaseAway(error)) throw error
    return await record(error)
  }
}
