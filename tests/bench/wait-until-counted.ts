import { setTimeout as wait } from 'node:timers/promises'
import { queryAsOwner } from '#tests/support/remote-api.ts'

const COUNTED_WITHIN_MS = 20 * 60_000

/** Waits until the jobs have counted all responses. @returns how long that took, in milliseconds */
export async function waitUntilCounted(databaseUrl: string): Promise<number> {
  const from = performance.now()
  for (;;) {
    const [row] = await queryAsOwner<{ left: boolean }>(
      databaseUrl,
      'select exists (select from response_changes) or exists (select from engaged_days_due) as left',
    )
    if (!row?.left) return performance.now() - from
    if (performance.now() - from > COUNTED_WITHIN_MS) throw new Error('The responses were not counted in time')
    await wait(500)
  }
}
