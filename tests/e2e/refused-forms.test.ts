import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import type { Language } from '#app/lib/languages.ts'
import { expectAccessible, openPage, signIn, takePartBefore } from '#tests/support/browser.ts'

interface RefusedForm {
  address: string
  /** What is typed; a radio button or checkbox is chosen by its value. */
  typed: Record<string, string>
  /** Which field each entry of the summary leads to, with its words in English. */
  expected: readonly [field: string, words: string][]
  button?: string
  asParticipant?: true
}

const long = (length: number) => 'word '.repeat(length / 5)
const TREES = '/projects/riverfront/trees'

const FORMS: Record<string, RefusedForm> = {
  register: {
    address: '/register',
    typed: { login: 'Ana', email: 'ana', password: 'short' },
    expected: [
      ['email', 'Enter an email address, such as name@example.org'],
      ['password', 'Password: Use at least 8 characters.'],
    ],
  },
  'sign in': {
    address: '/sign-in',
    typed: { email: 'nobody@riverbend.example', password: 'a wrong password' },
    expected: [['email', 'The email address and password do not match']],
  },
  'forgotten password': {
    address: '/forgot-password',
    typed: { email: 'ana' },
    expected: [['email', 'Enter an email address, such as name@example.org']],
  },
  'follow by email': {
    address: '/follow?project=riverfront',
    typed: { email: 'ana' },
    expected: [['email', 'Enter an email address, such as name@example.org']],
  },
  place: {
    address: `${TREES}/new`,
    button: 'main form button[name=place][value=check]:not([aria-hidden])',
    typed: { title: long(145), body: long(5005), 'fields.care': long(600), 'alt-1': 'A lime tree', placeText: 'The square' },
    expected: [
      ['title', 'Give the place a title: Shorten this to 140 characters or fewer'],
      ['body', 'What should happen here? Shorten this to 5,000 characters or fewer'],
      ['fields.care', 'Who could water it in its first summer? Shorten this to 500 characters or fewer'],
      ['photo-1', 'Choose the photo that you described, or delete its description'],
      ['shownAs', 'Choose how we should name you'],
    ],
  },
  reply: {
    address: `${TREES}/294/reply`,
    typed: { body: long(2005), shownName: long(100) },
    expected: [
      ['body', 'Your reply: Shorten this to 2,000 characters or fewer'],
      ['shownName', 'Name to show: Shorten this to 80 characters or fewer'],
    ],
  },
  report: {
    address: `${TREES}/294/report`,
    typed: { words: long(505), rule: 'abuse' },
    expected: [['words', 'Anything that helps us to see it: Shorten this to 500 characters or fewer']],
  },
  receipt: {
    address: '/receipt',
    typed: { code: 'zzz' },
    expected: [['code', 'Enter all 16 letters and numbers of the code']],
  },
  // Must stay last: it signs in, and the forms above are for visitors.
  'another email address': {
    address: '/account/email',
    asParticipant: true,
    typed: { email: 'new@riverbend.example', password: 'a wrong password' },
    expected: [['password', 'Your password: This is not your current password.']],
  },
}

const ERROR_TITLE: Partial<Record<Language, RegExp>> = { en: /^Error: /, 'fr-CA': /^Erreur\s: / }
const SECRET = /password/i

async function fillFields(page: Page, typed: RefusedForm['typed']): Promise<void> {
  for (const [name, value] of Object.entries(typed)) {
    const field = page.locator(`main form [name="${name}"]`)
    const choice = page.locator(`main form [name="${name}"][type=radio][value="${value}"]`)
    await ((await choice.count()) > 0 ? choice.check() : field.fill(value))
  }
}

async function submitForm(page: Page, form: RefusedForm, language: Language): Promise<void> {
  if (form.asParticipant) await signIn(page, 'participant')
  await page.goto(language === 'en' ? form.address : `/${language}${form.address}`)
  await takePartBefore(page)
  await fillFields(page, form.typed)
  await page
    .locator(form.button ?? 'main form.form [type=submit]:not([aria-hidden])')
    .first()
    .click()
  await page.locator('.error-summary').waitFor()
}

const readSummary = (page: Page): Promise<[string, string][]> =>
  page
    .locator('.error-summary li')
    .evaluateAll((items) =>
      items.map((item) => [item.querySelector('a')?.getAttribute('href')?.slice(1) ?? '', item.textContent] as [string, string]),
    )

/** Only what comes after the click counts: the field has focus, with its own words about the fault. */
async function expectToLeadTo(page: Page, field: string, javaScript: boolean): Promise<void> {
  await page.locator(`.error-summary a[href="#${field}"]`).click()
  const target = page.locator(`[id="${field}"]`)
  expect(await target.evaluate((element) => element.matches('input, textarea, select, fieldset')), field).toBe(true)
  if (javaScript) await expect.poll(() => target.evaluate((element) => element === document.activeElement), { message: field }).toBe(true)
  else expect(new URL(page.url()).hash).toBe(`#${field}`)
}

test.each([true, false])(
  'each form names each field that is at fault, leads there and keeps what was typed (JavaScript: %s)',
  async (javaScript) => {
    const page = await openPage({ javaScript, width: 360 })
    for (const [name, form] of Object.entries(FORMS)) {
      await submitForm(page, form, 'en')
      await expect.poll(() => page.title(), { message: name }).toMatch(/^Error: /)
      expect(await readSummary(page), name).toEqual(form.expected)
      for (const [typedInto, value] of Object.entries(form.typed)) {
        const field = page.locator(`main form [name="${typedInto}"]`)
        const kind = await field.first().getAttribute('type')
        if (SECRET.test(typedInto)) expect(await field.inputValue(), 'no password is sent back').toBe('')
        else if (kind === 'radio')
          expect(await page.locator(`main form [name="${typedInto}"][value="${value}"]`).isChecked(), typedInto).toBe(true)
        else expect(await field.inputValue(), typedInto).toBe(value)
      }
      const beside = await page.locator('main form .field-error').count()
      expect(beside, `each field of ${name} says it too`).toBe(form.address === '/sign-in' ? 0 : form.expected.length)
      for (const [field] of form.expected) await expectToLeadTo(page, field, javaScript)
      if (javaScript) await expectAccessible(page)
    }
  },
)

test('a refused form says beside the password that it has to be typed again, in each language', async () => {
  const words = {
    en: 'Enter your password again.',
    'fr-CA': 'Entrez votre mot de passe de nouveau.',
  } as const
  for (const language of ['en', 'fr-CA'] as const) {
    const page = await openPage({ javaScript: false, language })
    await submitForm(page, { ...FORMS['register']!, typed: { login: 'Ana', email: 'ana', password: 'a long river of words' } }, language)
    await expect.poll(() => page.title()).toMatch(ERROR_TITLE[language] ?? /./)
    expect(await page.locator('#password-hint').textContent()).toContain(words[language])
    await submitForm(page, FORMS['sign in']!, language)
    expect(await page.locator('#password-hint').textContent()).toContain(words[language])
  }
  const welsh = await openPage({ site: 'dyffryn', javaScript: false, language: 'cy' })
  await submitForm(welsh, { ...FORMS['sign in']!, typed: { email: 'neb@dyffryn.example', password: 'cyfrinair anghywir' } }, 'cy')
  expect(await welsh.locator('#password-hint').textContent()).toContain('Rhowch eich cyfrinair eto.')
  // What is asked for the first time says nothing of the kind.
  await welsh.goto('/cy/sign-in')
  expect(await welsh.locator('#password-hint').count()).toBe(0)
})

test('no entry of a summary is in English on a page in another language', async () => {
  const page = await openPage({ javaScript: false, language: 'fr-CA' })
  for (const form of Object.values(FORMS)) {
    await submitForm(page, form, 'fr-CA')
    const summary = await readSummary(page)
    expect(summary.map(([field]) => field)).toEqual(form.expected.map(([field]) => field))
    const english = new Set(form.expected.map(([, words]) => words))
    expect(summary.filter(([, words]) => english.has(words) || /\b(the|your|characters)\b/i.test(words))).toEqual([])
  }
})

test('support that is refused says so beside its button', async () => {
  const page = await openPage({ width: 360 })
  await page.goto(`${TREES}/294`)
  await takePartBefore(page)
  // More than one person may give in ten minutes.
  await page.evaluate(async () => {
    for (let at = 0; at < 150; at++) {
      const body = new URLSearchParams({ reaction: at % 2 === 0 ? 'support' : 'none' })
      const { status } = await fetch(location.pathname, { method: 'POST', body, redirect: 'manual' })
      if (status === 429) return
    }
  })
  await page.locator('#support button[name=reaction]').click()
  await page.locator('#support .error-summary').waitFor()
  expect(await page.locator('.error-summary').textContent()).toMatch(/minute/)
  const between = await page.evaluate(() => {
    const [summary, button] = ['#support .error-summary', '#support button[name=reaction]'].map((selector) =>
      document.querySelector(selector)!.getBoundingClientRect(),
    )
    return button!.top - summary!.bottom
  })
  expect(between).toBeLessThan(120)
})

test('a mail that is not sent again says so beside its button', async () => {
  const page = await openPage({ javaScript: false, width: 360 })
  const email = `again.${Date.now()}@example.org`
  await page.goto('/register')
  await fillFields(page, { login: 'Ana', email, password: 'a long river of words' })
  await page.locator('main form.form [type=submit]').click()
  await page.waitForURL('**/check-mail**')
  await page.goto('/sign-in')
  await fillFields(page, { email, password: 'a long river of words' })
  await page.locator('main form.form [type=submit]').click()
  await page.waitForURL((url) => url.pathname === '/')
  await page.goto('/account')
  const again = page.locator('form:has(input[value="resend"])')
  for (let i = 0; i < 6 && (await page.locator('.error-summary').count()) === 0; i++) await again.locator('[type=submit]').click()
  await expect.poll(() => page.locator('.notice .error-summary').textContent()).toMatch(/minute/)
})
