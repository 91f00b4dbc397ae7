import { SaxesParser } from 'saxes'
import { beforeAll, describe, expect, test } from 'vitest'
import { VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson, addProject } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { buildActivityFeed, serveActivityFeed } from './activity-feed.server.ts'

let runtime: TestRuntime
let site: Site
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend', languages: ['en', 'cy'] })
})

const asVisitor = () => createCtx(runtime, site, { viewer: VISITOR, language: 'en' })
type Activity = Awaited<ReturnType<typeof addActivity>>
const addressOf = (activity: Activity, slug = activity.projectSlug) => ({ project: slug, activity: activity.slug })
const readAll = (feed: string, pattern: RegExp) => [...feed.matchAll(pattern)].map((match) => match[1])

/** @throws {Error} if it is no XML */
function requireXml(text: string): void {
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.write(text).close()
}

describe('the feed of an activity', () => {
  test('has what is published, newest first, as text in its own language', async () => {
    const activity = await addActivity(runtime, site)
    const add = (number: number, day: string, more: Partial<Parameters<typeof addContribution>[2]> = {}) =>
      addContribution(runtime, site, { activityId: activity.id, number, publishedAt: new Date(`2026-01-${day}T00:00:00Z`), ...more })
    await add(1, '06', { title: 'Coed <b>& meinciau</b>', language: 'cy', shownName: 'Eleri' })
    await add(2, '08', { title: 'Seats', body: '<script>alert(1)</script>' })
    await add(3, '09', { title: 'Waits', state: 'held' })
    await add(4, '10', { title: 'Gone', state: 'removed' })
    const feed = await buildActivityFeed(asVisitor(), addressOf(activity))
    requireXml(feed)
    expect(readAll(feed, /<entry[^>]*>[^]*?<title>([^<]*)<\/title>/g)).toEqual(['Seats', 'Coed &lt;b&gt;&amp; meinciau&lt;/b&gt;'])
    expect(readAll(feed, /<entry xml:lang="([^"]+)"/g)).toEqual(['en', 'cy'])
    expect(readAll(feed, /<updated>([^<]+)</g)[0]).toBe('2026-01-08T00:00:00.000Z')
    expect(feed).toContain('<author><name>Eleri</name></author>')
    expect(feed).toContain(`/projects/${activity.projectSlug}/${activity.slug}/2"`)
    expect(feed).not.toContain('<script')
  })

  test('is empty but valid before anything is published, and exists in each language', async () => {
    const activity = await addActivity(runtime, site)
    const feed = await buildActivityFeed(createCtx(runtime, site, { viewer: VISITOR, language: 'cy' }), addressOf(activity))
    requireXml(feed)
    expect(feed).not.toContain('<entry')
    expect(readAll(feed, /hreflang="en" href="[^"]+(\/feed\.atom)"/g)).toEqual(['/feed.atom'])
    expect(feed).toContain(`/cy/projects/${activity.projectSlug}/${activity.slug}/feed.atom`)
  })

  test('shows nobody more than a visitor may see: no drafts, and nothing of a project for members', async () => {
    const admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
    const ctx = createCtx(runtime, site, { viewer: admin, language: 'en' })
    const draft = await addActivity(runtime, site, { status: 'draft' })
    await expect(buildActivityFeed(ctx, addressOf(draft))).rejects.toMatchObject({ code: 'not-found' })
    for (const visibility of ['members', 'link'] as const) {
      const project = await addProject(runtime, site, { visibility })
      const inside = await addActivity(runtime, site, { projectId: project.id })
      await expect(buildActivityFeed(ctx, addressOf(inside, project.slug))).rejects.toMatchObject({ code: 'not-found' })
    }
    const { status } = await serveActivityFeed({
      context: { ctx } as Parameters<typeof serveActivityFeed>[0]['context'],
      params: { slug: 'no-such', activity: 'thing' },
    })
    expect(status).toBe(404)
  })
})
