import { and, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { activities, contributionLinks, contributions } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { takePartBefore } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

describe('what was being written when an activity closed', () => {
  const { db, product } = useSharedProduct()

  test('stays on the page and goes to the team, without JavaScript', async () => {
    const site = await addSite(db.runtime, { slug: 'late' })
    const admin = await addPerson(db.runtime, site, { role: 'site_admin' })
    const project = await addProject(db.runtime, site, { slug: 'quay' })
    const activity = await addActivity(db.runtime, site, { projectId: project.id, slug: 'ideas' })
    const { page } = await product.visit(site, { javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
    await page.goto('/projects/quay/ideas/new')
    await takePartBefore(page)
    await page.getByLabel('Give your idea a title').fill('Benches of oak')
    await page.getByLabel('What is your idea?').fill('They outlast us all.')
    await page.getByLabel('Anonymously').check()
    const inSite = db.runtime.database.site(site.id)
    // Within a minute of closing it would still be taken: archiving ends it at once.
    await inSite.tx((tx) => tx.update(activities).set({ status: 'archived' }).where(eq(activities.id, activity.id)))
    await page.getByRole('button', { name: 'Send my idea' }).click()
    await page.getByText('This closed while you were writing').waitFor()
    const message = page.getByLabel('Your message to the team')
    expect(await message.inputValue()).toBe('Benches of oak\n\nThey outlast us all.')
    await page.getByLabel('Your email address').fill('ana at example')
    await page.getByRole('button', { name: 'Send it to the team' }).click()
    await page.getByRole('link', { name: /email address/ }).waitFor()
    expect(await message.inputValue()).toBe('Benches of oak\n\nThey outlast us all.')
    await page.getByLabel('Your email address').fill('ana@example.com')
    await page.getByRole('button', { name: 'Send it to the team' }).click()
    await page.getByText('The team has your message').waitFor()
    const mails = await inSite.tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.userId, admin.id)))
    expect(mails.map(({ bodyText }) => bodyText)).toEqual([
      expect.stringMatching(/Benches of oak\s+They outlast us all\.[^]*ana@example\.com/),
    ])
  })

  test('a reply stays as well: for the team once its idea is taken down, or for the idea that its own was brought together with', async () => {
    const site = await addSite(db.runtime, { slug: 'gone' })
    const admin = await addPerson(db.runtime, site, { role: 'site_admin' })
    const project = await addProject(db.runtime, site, { slug: 'quay' })
    const { id: activityId } = await addActivity(db.runtime, site, { projectId: project.id, slug: 'ideas', moderation: 'after' })
    const [first, second] = [
      await addContribution(db.runtime, site, { activityId, number: 1 }),
      await addContribution(db.runtime, site, { activityId, number: 2 }),
    ]
    const { page } = await product.visit(site, { javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
    const inSite = db.runtime.database.site(site.id)
    const write = async (number: number, state: 'removed' | 'merged') => {
      await page.goto(`/projects/quay/ideas/${number}/reply`)
      await takePartBefore(page)
      await page.getByLabel('Your reply').fill('Make them of oak.')
      await inSite.tx((tx) =>
        tx
          .update(contributions)
          .set({ state, mergedInto: state === 'merged' ? first.id : null })
          .where(and(eq(contributions.activityId, activityId), eq(contributions.number, number))),
      )
      await page.getByRole('button', { name: 'Send my reply' }).click()
    }
    await inSite.tx((tx) =>
      tx.insert(contributionLinks).values({
        siteId: site.id,
        id: createId(),
        contributionId: second.id,
        targetId: first.id,
        kind: 'duplicate_of',
        reason: 'The same',
      }),
    )
    await write(2, 'merged')
    expect(await page.getByLabel('Your reply').inputValue()).toBe('Make them of oak.')
    await page.getByRole('button', { name: 'Send my reply' }).click()
    await page.waitForURL(/\/ideas\/1\?sent=reply/)
    await page.getByText('Make them of oak.').waitFor()
    await write(1, 'removed')
    await page.getByText('This was taken down while you were writing').waitFor()
    expect(await page.getByLabel('Your message to the team').inputValue()).toBe('Make them of oak.')
    await page.getByRole('button', { name: 'Send it to the team' }).click()
    await page.getByText('The team has your message').waitFor()
    const mails = await inSite.tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.userId, admin.id)))
    expect(mails.map(({ bodyText }) => bodyText)).toEqual([expect.stringMatching(/reply to No. 1 [^]*Make them of oak\./)])
  })
})
