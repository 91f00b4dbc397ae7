import { expect, test } from 'vitest'
import { countResponses } from '#app/features/dashboard/count-responses.server.ts'
import { rollUpReach } from '#app/features/reach/roll-up.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { reachSalts } from '#app/server/db/schema/reach.ts'
import { loadSitesWithWork } from '#app/server/jobs/sites-with-work.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { refreshSiteFigures } from './site-figures.server.ts'

/** 10 p.m. in Toronto. */
const EVENING = new Date('2026-05-05T02:00:00Z')
const MINUTE_MS = 60_000

test('the platform counts a site again when a day with visits ends, hourly while emails wait, and otherwise every six hours', async () => {
  const runtime = await createTestRuntime()
  const [idle, visited, mailing] = [
    await addSite(runtime, { slug: 'idle' }),
    await addSite(runtime, { slug: 'visited' }),
    await addSite(runtime, { slug: 'mailing' }),
  ]
  let minutes = 0
  const goTo = (minute: number) => {
    minutes = minute
    runtime.setNow(new Date(EVENING.getTime() + minutes * MINUTE_MS))
  }
  const loadDue = async () => {
    const due = await loadSitesWithWork(runtime, 'count-platform-figures')
    return [idle, visited, mailing].filter(({ id }) => due.includes(id)).map(({ slug }) => slug)
  }
  goTo(0)
  await countResponses(runtime)
  await runtime.database
    .site(visited.id)
    .tx((tx) =>
      tx.insert(reachSalts).values({ siteId: visited.id, day: '2026-05-04', id: createId(), salt: Buffer.alloc(16), changed: true }),
    )
  const mail = { recipient: 'ann@people.example', language: 'en' as const, subject: '', bodyText: '', bodyHtml: '' }
  await runtime.database
    .site(mailing.id)
    .tx((tx) => tx.insert(outboxMails).values({ siteId: mailing.id, id: createId(), ...mail, nextAttemptAt: runtime.now() }))
  expect(await loadDue()).toEqual(['idle', 'visited', 'mailing'])
  await refreshSiteFigures(runtime)
  expect(await loadDue()).toEqual([])

  goTo(61)
  expect(await loadDue()).toEqual(['visited', 'mailing'])
  await refreshSiteFigures(runtime)
  // 12:15 a.m.
  goTo(135)
  await refreshSiteFigures(runtime)
  goTo(136)
  await rollUpReach(runtime)
  expect(await loadDue()).toEqual(['visited'])
  await refreshSiteFigures(runtime)
  goTo(142)
  expect(await loadDue()).toEqual([])

  goTo(359)
  expect(await loadDue()).toEqual(['mailing'])
  goTo(360)
  expect(await loadDue()).toEqual(['idle', 'mailing'])
})
