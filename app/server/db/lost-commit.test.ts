import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addProject } from '#tests/factories/surveys.ts'
import { TEST_SECRET } from '#tests/support/cluster.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { buildAppUrl, getAppRole } from '../connection-string.ts'
import { openDatabase } from './client.ts'
import { projects } from './schema/projects.ts'

test('a transaction whose commit was executed but never answered is not made again', async () => {
  const runtime = await createTestRuntime()
  const site = await addSite(runtime)
  const { id } = await addProject(runtime, site, { picture: 'before' })
  const database = openDatabase(buildAppUrl(runtime.ownerUrl, TEST_SECRET, getAppRole('template_parley')), { max: 1 })
  let commits = 0
  database.pool.on('acquire', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
    const loseFirstCommit = async (...args: [string | { text: string }, ...unknown[]]) => {
      const [asked] = args
      const answer = await query(...args)
      if ((typeof asked === 'string' ? asked : asked.text) === 'commit' && ++commits === 1) throw new Error('Connection terminated')
      return answer
    }
    client.query = loseFirstCommit as typeof client.query
  })
  const addLetter = () =>
    database.site(site.id).tx((tx) =>
      tx
        .update(projects)
        .set({ picture: sql`${projects.picture} || '+'` })
        .where(eq(projects.id, id)),
    )
  try {
    // The caller is told that it is not known what became of it, and can look.
    await expect(addLetter()).rejects.toThrow('Connection terminated')
    expect(commits).toBe(1)
    const [row] = await database
      .site(site.id)
      .read((tx) => tx.select({ picture: projects.picture }).from(projects).where(eq(projects.id, id)))
    expect(row?.picture).toBe('before+')
  } finally {
    await database.close()
  }
})
