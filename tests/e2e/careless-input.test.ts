import { eq } from 'drizzle-orm'
import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { inviteToActivity } from '#app/features/contributions/managing/activity-invitations.server.ts'
import { decideOnContribution } from '#app/features/contributions/moderation/decide.server.ts'
import { inviteToSurvey } from '#app/features/surveys/responses/access/survey-invitations.server.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { moderationDecisions } from '#app/server/db/schema/moderation.ts'
import { siteFeatures } from '#app/server/db/schema/sites.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { addActivity } from '#tests/factories/contributions.ts'
import { addPerson as addEditor, addProject, addSurvey, POLL } from '#tests/factories/surveys.ts'
import { expectAccessible, takePartBefore } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { createOwnDatabase } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const db = await createOwnDatabase()
const product = await db.start({ SEGMENT_WRITE_KEY: 'k' })
const site = await addSite(db.runtime, { slug: 'careless', languages: ['en', 'fr-CA', 'cy'] })
const scoped = db.database.site(site.id)
const admin = await addPerson(db.runtime, site, { role: 'site_admin' })
const project = await addProject(db.runtime, site, { slug: 'quay' })
await addActivity(db.runtime, site, { projectId: project.id, slug: 'ideas', postAccess: 'anyone' })
const jury = await addActivity(db.runtime, site, { projectId: project.id, slug: 'jury', postAccess: 'invited', reactAccess: 'invited' })
const panel = await addSurvey(db.runtime, site, { projectId: project.id, slug: 'panel', access: 'invited' })
const editor = createCtx(db.runtime, site, { viewer: await addEditor(db.runtime, site, { roles: [{ role: 'site_admin' }] }) })
let written = 0

const DAY = 86_400_000
/** The languages whose words are written out here. */
type Spoken = 'en' | 'fr-CA' | 'cy'
/** In a language each, so that every language is seen with and without scripts. */
const READERS: readonly { language: Spoken; javaScriptEnabled: boolean }[] = [
  { language: 'en', javaScriptEnabled: true },
  { language: 'fr-CA', javaScriptEnabled: false },
  { language: 'cy', javaScriptEnabled: true },
]
const ERROR_TITLE = { en: /^Error: /, 'fr-CA': /^Erreur\s: /, cy: /^Gwall: / }
const localise = (language: Spoken, path: string) => (language === 'en' ? path : `/${language}${path}`)

async function visit({ language, javaScriptEnabled }: (typeof READERS)[number], at = site) {
  const { page, complaints } = await product.visit(at, { javaScriptEnabled, locale: language, viewport: { width: 360, height: 800 } })
  return { page, complaints }
}

const readSummary = async (page: Page): Promise<string[]> => {
  await page.locator('.error-summary').waitFor()
  const texts = await page.locator('.error-summary li').allInnerTexts()
  return texts.map((text) => text.replaceAll(/\s/g, ' '))
}

/** The title says that something is wrong, in the reader's language; the summary has these words and takes focus. */
async function expectRefusal(page: Page, language: Spoken, words: readonly string[]): Promise<void> {
  // What was pressed may still be on its way.
  await expect.poll(() => readSummary(page).catch(() => [])).toEqual(words)
  await expect.poll(() => page.title()).toMatch(ERROR_TITLE[language])
  await expect.poll(() => page.locator('.error-summary').evaluate((box) => box === document.activeElement)).toBe(true)
}

describe.each(READERS)('in $language (JavaScript: $javaScriptEnabled)', ({ language, javaScriptEnabled }) => {
  const reader = { language, javaScriptEnabled }

  /** Posts an idea, which is declined. @returns the address of the decision, whose author the page is */
  async function openDecision(page: Page): Promise<string> {
    const title = `Light the slipway ${++written}`
    await page.goto(localise(language, '/projects/quay/ideas/new'))
    await takePartBefore(page)
    await page.locator('[name=title]').fill(title)
    await page.locator('[name=body]').fill('The harbour master sleeps.')
    await page.locator('[name=shownAs][value=anonymous]').check()
    await page.locator('form.form .form-actions button').first().click()
    await page.waitForURL(/receipt/)
    const [row] = await scoped.tx((tx) => tx.select().from(contributions).where(eq(contributions.title, title)))
    const viewer = await loadViewer({ db: scoped, database: db.database }, admin.token, new Date())
    await decideOnContribution(createCtx(db.runtime, site, { viewer }), row?.id ?? '', 'decline', { rule: 'abuse', words: 'An insult.' })
    await page.reload()
    return (await page.locator('a[href*="/appeals/"]').first().getAttribute('href')) ?? ''
  }
  const appeal = async (page: Page, words: string) => {
    await page.locator('[name=words]').fill(words)
    await page.locator('form:has([name=words]) [type=submit]:not([aria-hidden])').first().click()
  }

  test('an appeal that is empty, too long, or far too long is refused with everything that was typed', async () => {
    const words = {
      en: ['Say why the decision is wrong', 'Why should your text be on the site?: Shorten this to 2,000 characters or fewer'],
      'fr-CA': [
        'Dites en quoi la décision est une erreur',
        'Pourquoi votre texte devrait-il être sur le site? : Raccourcissez à 2 000 caractères ou moins',
      ],
      cy: ['Dywedwch pam mae’r penderfyniad yn anghywir', 'Pam y dylai eich testun fod ar y safle?: Byrhewch hwn i 2,000 nod neu lai'],
    }[language]
    const { page } = await visit(reader)
    const address = await openDecision(page)
    await page.goto(address)
    await appeal(page, '   ')
    await expectRefusal(page, language, words.slice(0, 1))
    await appeal(page, 'é'.repeat(2001))
    await expectRefusal(page, language, words.slice(1))
    expect(await page.locator('[name=words]').inputValue()).toBe('é'.repeat(2001))
    await appeal(page, 'word '.repeat(8000))
    await expectRefusal(page, language, words.slice(1))
    expect((await page.locator('[name=words]').inputValue()).length).toBe(40_000)
    await appeal(page, '<b>مرحبا</b> 😀 ᐃᓄᒃᑎᑐᑦ')
    await page.getByText('<b>مرحبا</b> 😀 ᐃᓄᒃᑎᑐᑦ').waitFor()
  })

  test('an appeal from a page that was open too long says why it was not sent, and shows what was typed', async () => {
    const words = {
      en: [
        'You have already appealed, or the decision has changed since you opened this page. Your text was not sent.',
        'The time to appeal is over. Your text was not sent.',
        'We no longer know in this browser that this concerns you, so your text was not sent. Copy it, then sign in or enter the code of your receipt.',
      ],
      'fr-CA': [
        'Vous avez déjà contesté cette décision, ou elle a changé depuis que vous avez ouvert la page. Votre texte n’a pas été envoyé.',
        'Le délai pour contester la décision est passé. Votre texte n’a pas été envoyé.',
        'Ce navigateur ne sait plus que la décision vous concerne : votre texte n’a pas été envoyé. Copiez-le, puis ouvrez une session ou entrez le code de votre reçu.',
      ],
      cy: [
        'Rydych eisoes wedi apelio, neu mae’r penderfyniad wedi newid ers i chi agor y dudalen hon. Ni chafodd eich testun ei anfon.',
        'Mae’r amser i apelio wedi dod i ben. Ni chafodd eich testun ei anfon.',
        'Nid yw’r porwr hwn yn gwybod mwyach fod hyn yn ymwneud â chi, felly ni chafodd eich testun ei anfon. Copïwch ef, yna mewngofnodwch neu rhowch god eich derbynneb.',
      ],
    }[language]
    const { page } = await visit(reader)
    const expectUnsent = async (at: Page, why: string, typed: string) => {
      await expectRefusal(at, language, [why])
      expect(await at.locator('section[aria-labelledby=unsent]').innerText()).toContain(typed)
    }
    const address = await openDecision(page)
    await page.goto(address)
    const other = await page.context().newPage()
    await other.goto(address)
    await appeal(page, 'He told me so.')
    await page.getByText('He told me so.').waitFor()
    expect(await page.locator('.error-summary').count()).toBe(0)
    await appeal(other, 'And his wife did.')
    await expectUnsent(other, words[0] ?? '', 'And his wife did.')
    if (javaScriptEnabled) await expectAccessible(other)

    const late = await openDecision(page)
    await page.goto(late)
    const decision = late.split('/').at(-1) ?? ''
    await scoped.tx((tx) =>
      tx
        .update(moderationDecisions)
        .set({ decidedAt: new Date(Date.now() - 31 * DAY) })
        .where(eq(moderationDecisions.id, decision)),
    )
    await appeal(page, 'I was away.')
    await expectUnsent(page, words[1] ?? '', 'I was away.')

    await page.goto(await openDecision(page))
    await page.context().clearCookies()
    await appeal(page, 'I pressed the wrong button.')
    await expectUnsent(page, words[2] ?? '', 'I pressed the wrong button.')
    await page.locator('[name=code]').fill('')
    await page.locator('form:has([name=code]) [type=submit]').click()
    await expectRefusal(page, language, [
      { en: 'Enter the code of your receipt', 'fr-CA': 'Entrez le code de votre reçu', cy: 'Rhowch god eich derbynneb' }[language],
    ])
  })

  test.each(['/projects/quay/surveys/panel', '/projects/quay/jury'])(
    'a code that is no code is refused at %s, and can be mended',
    async (path) => {
      const words = {
        en: [
          'Enter the code from your invitation',
          'Enter all 16 letters and numbers of the code',
          /has this code\. Check it against your invitation/,
        ],
        'fr-CA': ['Entrez le code de votre invitation', 'Entrez les 16 lettres et chiffres du code', /code/],
        cy: ['Rhowch y cod o’ch gwahoddiad', 'Rhowch bob un o 16 llythyren a rhif y cod', /cod hwn/],
      }[language] as [string, string, RegExp]
      const { page } = await visit(reader)
      const use = async (code: string) => {
        await page.locator('[name=invitation]').fill(code)
        await page.locator('form:has([name=invitation]) [type=submit]').first().click()
      }
      await page.goto(localise(language, path))
      await use('  ')
      await expectRefusal(page, language, [words[0]])
      // Letters of another alphabet that look right, and far too many.
      for (const typed of ['АВСЕ-НКМО-РТХА-ВСЕН', 'a'.repeat(5000)]) {
        await use(typed)
        await expectRefusal(page, language, [words[1]])
        expect(await page.locator('[name=invitation]').inputValue()).toBe(typed)
      }
      await use('AAAA-AAAA-AAAA-AAAA')
      expect((await readSummary(page)).join(' ')).toMatch(words[2])
      const { told } = path.endsWith('jury')
        ? await inviteToActivity(editor, jury.id, { kind: 'codes', count: 1 })
        : await inviteToSurvey(editor, panel.id, { kind: 'codes', count: 1 })
      await use(` ${told?.codes?.[0]?.toLowerCase().replaceAll('-', ' ')} `)
      await page.locator('.error-summary').waitFor({ state: 'detached' })
    },
  )

  test('a poll that nobody chose in, or that has closed, takes nothing and says so', async () => {
    const own = await addProject(db.runtime, site, { slug: `poll-${language.toLowerCase()}` })
    const poll = await addSurvey(db.runtime, site, {
      projectId: own.id,
      slug: 'night',
      definition: POLL,
      access: 'anyone_once',
      resultsPublic: true,
    })
    const { page } = await visit(reader)
    const send = { en: 'Send my answer', 'fr-CA': 'Envoyer ma réponse', cy: 'Anfon fy ateb' }[language]
    await page.goto(localise(language, `/projects/${own.slug}`))
    await takePartBefore(page)
    if (javaScriptEnabled) await page.waitForLoadState('networkidle')
    await page.getByRole('button', { name: send }).click()
    if (javaScriptEnabled) await page.locator('.field-error').waitFor()
    else {
      await page.waitForURL('**/surveys/night?**')
      await page.locator('form:has([name="sendKey"]) button[type="submit"]:not([name])').click()
      await page.locator('.error-summary').waitFor()
      await expect.poll(() => page.title()).toMatch(ERROR_TITLE[language])
    }
    await page.goto(localise(language, `/projects/${own.slug}`))
    await page.locator('[type=radio][value=friday]').check()
    await scoped.tx((tx) =>
      tx
        .update(surveys)
        .set({ closesAt: new Date(Date.now() - 2 * DAY) })
        .where(eq(surveys.id, poll.id)),
    )
    await page.getByRole('button', { name: send }).click()
    const closed = { en: /closed/i, 'fr-CA': /terminé|fermé/i, cy: /cau|gau/i }[language]
    if (javaScriptEnabled) await page.locator('#main .notice').filter({ hasText: closed }).waitFor()
    else await page.getByRole('heading', { level: 1, name: closed }).waitFor()
  })

  test('consent that says neither yes nor no is asked again; a choice may be made twice', async () => {
    const asking = await addSite(db.runtime, {
      slug: `asking-${language.toLowerCase()}`,
      languages: ['en', 'fr-CA', 'cy'],
      consentRequired: true,
    })
    const feature = { siteId: asking.id, name: 'segment_analytics_participant' as const, enabled: true }
    await db.database.site(asking.id).tx((tx) => tx.insert(siteFeatures).values(feature))
    const { page } = await visit(reader, asking)
    await page.goto(localise(language, '/cookies'))
    // As a form that was altered: browsers themselves ask for a choice.
    await page.evaluate(() => {
      const form = document.querySelector('form:has([name=consent][type=radio])') as HTMLFormElement
      form.noValidate = true
      form.requestSubmit()
    })
    await expectRefusal(page, language, [
      { en: 'Choose whether you agree', 'fr-CA': 'Choisissez si vous acceptez ou non', cy: 'Dewiswch a ydych yn cytuno ai peidio' }[
        language
      ],
    ])
    for (let time = 0; time < 2; time++) {
      await page.locator('[name=consent][value=denied]').check()
      await page.locator('form:has([name=consent][type=radio]) [type=submit]').click()
      await page.locator('.error-summary').waitFor({ state: 'detached' })
    }
    expect(await page.locator('[name=consent][value=denied]').isChecked()).toBe(true)
    await page.goto(localise(language, '/'))
    expect(await page.locator('.consent').count()).toBe(0)
  })
})
