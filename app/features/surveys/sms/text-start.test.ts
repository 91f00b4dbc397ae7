import { beforeAll, expect, test } from 'vitest'
import type { Language } from '#app/lib/languages.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { surveyKeywords } from '#app/server/db/schema/messages.ts'
import { siteFeatures } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { getSurveyForAnswering } from '../surveys.server.ts'

let runtime: TestRuntime

beforeAll(async () => {
  runtime = await createTestRuntime()
})

/** A site with this service for text messages. */
async function addSiteWith(service: { integration: string; settings: Record<string, string> } | undefined): Promise<Site> {
  const site = await addSite(runtime, { slug: `s${createId().slice(-12)}` })
  await runtime.database.site(site.id).tx(async (tx) => {
    await tx.insert(siteFeatures).values({ siteId: site.id, name: 'marketplace_sms_integration', enabled: true })
    if (service) await tx.insert(installations).values({ siteId: site.id, id: createId(), enabledAt: new Date(), ...service })
  })
  return site
}

/** What the page of a survey with these words says about texting, in each of these languages. */
async function readTextStart(site: Site, words: Partial<Record<Language, string>>, languages: readonly Language[] = ['en']) {
  const project = await addProject(runtime, site, { slug: `p${createId().slice(-12)}` })
  const { id } = await addSurvey(runtime, site, { projectId: project.id, slug: 'trip' })
  const rows = Object.entries(words).map(([language, keyword]) => ({
    siteId: site.id,
    surveyId: id,
    language: language as Language,
    keyword,
  }))
  if (rows.length > 0) await runtime.database.site(site.id).tx((tx) => tx.insert(surveyKeywords).values(rows))
  return Promise.all(
    languages.map(async (language) => {
      const ctx = createCtx(runtime, site, { language })
      return (await getSurveyForAnswering(ctx, { project: project.slug, survey: 'trip' })).survey.byText
    }),
  )
}

const twilio = (from: string) => ({ integration: 'sms-twilio', settings: { from } })

test('the page of a survey with a keyword names the word in its language and the number to text', async () => {
  const site = await addSiteWith(twilio('+16135550100'))
  expect(await readTextStart(site, { en: 'TRIP', 'fr-CA': 'TRAJET' }, ['en', 'fr-CA', 'cy'])).toEqual([
    { keyword: 'TRIP', number: '+1 613 555 0100' },
    { keyword: 'TRAJET', number: '+1 613 555 0100' },
    { keyword: 'TRIP', number: '+1 613 555 0100' },
  ])
})

test('it names none without a keyword, without a service, or if the service has no one number', async () => {
  expect(await readTextStart(await addSiteWith(twilio('+16135550100')), {})).toEqual([null])
  expect(await readTextStart(await addSiteWith(undefined), { en: 'TRIP' })).toEqual([null])
  expect(await readTextStart(await addSiteWith(twilio(`MG${'0'.repeat(32)}`)), { en: 'TRIP' })).toEqual([null])
  expect(await readTextStart(await addSiteWith({ integration: 'sms-sandbox', settings: { sender: 'Riverbend' } }), { en: 'TRIP' })).toEqual(
    [null],
  )
})
