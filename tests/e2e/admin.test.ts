import { describe, expect, test } from 'vitest'
import { consoleErrors, expectAccessible, newPage, signIn } from '#tests/support/browser.ts'

describe('administration', () => {
  test('a visitor is asked to sign in and led back; a participant is told it is not theirs', async () => {
    const visitor = await newPage()
    await visitor.goto('/admin/projects')
    expect(new URL(visitor.url()).pathname).toBe('/sign-in')
    const participant = await newPage()
    await signIn(participant, 'participant')
    expect((await participant.goto('/admin'))?.status()).toBe(403)
  })

  test('a site administrator writes a project in each language and publishes it; a visitor sees it at once', async () => {
    const page = await newPage()
    await signIn(page, 'site.admin')
    await page.goto('/admin')
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Projects', exact: true }).click()
    await page.getByRole('link', { name: 'New project' }).click()
    await page.getByLabel('Title').fill('Benches for Mill Lane')
    await page.getByLabel('Summary').fill('Where would you like to sit down?')
    await page.getByRole('button', { name: 'Create the draft' }).click()
    await page.getByRole('heading', { level: 1, name: 'Benches for Mill Lane' }).waitFor()
    await expectAccessible(page)

    // Publishing asks for what is missing in French.
    await page.getByRole('button', { name: 'Publish…' }).click()
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByText('Some texts are not translated').waitFor()
    await page.getByText('Title: Français').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('tab', { name: /Français/ }).click()
    await page.getByLabel('Title').fill('Des bancs pour Mill Lane')
    await page.getByLabel('Summary').fill('Où aimeriez-vous vous asseoir?')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Everything is saved').waitFor()
    await page.getByRole('button', { name: 'Publish…' }).click()
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByRole('heading', { level: 1, name: /Published/ }).waitFor()
    // The browser itself notes the refusal above; nothing else may stand in its console.
    expect(consoleErrors(page).filter((text) => !text.includes('status of 422'))).toEqual([])

    const visitor = await newPage({ javaScript: false })
    await visitor.goto('/fr-CA/projects/benches-for-mill-lane')
    expect(await visitor.getByRole('heading', { level: 1 }).textContent()).toContain('Des bancs pour Mill Lane')
  })

  test('two editors at once: the second sees both versions and loses neither', async () => {
    const [first, second] = [await newPage(), await newPage()]
    await signIn(first, 'site.admin')
    await signIn(second, 'site.admin')
    await first.goto('/admin/projects?status=draft')
    const address = await first.getByRole('link', { name: 'A night market on Canal Street' }).getAttribute('href')
    await Promise.all([first.goto(address ?? ''), second.goto(address ?? '')])
    await first.getByLabel('Summary').fill('The first summary')
    await first.getByRole('button', { name: 'Save', exact: true }).click()
    await first.getByText('Everything is saved').waitFor()
    await second.getByLabel('Summary').fill('The second summary')
    await second.getByRole('button', { name: 'Save', exact: true }).click()
    await second.getByText('Somebody else changed the same thing').waitFor()
    await second.getByText('The first summary').waitFor()
    expect(await second.getByLabel('Summary').inputValue()).toBe('The second summary')
    await second.getByRole('button', { name: 'Keep mine' }).click()
    await second.getByRole('button', { name: 'Save', exact: true }).click()
    await second.getByText('Everything is saved').waitFor()
    await first.reload()
    expect(await first.getByLabel('Summary').inputValue()).toBe('The second summary')
  })

  test('a project administrator sees what is theirs and asks for review instead of publishing', async () => {
    const page = await newPage()
    await signIn(page, 'project.admin')
    await page.goto('/admin/projects')
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
    expect(await page.getByRole('link', { name: 'New project' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Outbox' }).count()).toBe(0)
  })

  test.each([
    ['riverbend', 'fr-CA', 'Tableau de bord', 'Projets'],
    ['dyffryn', 'cy', 'Dangosfwrdd', 'Prosiectau'],
    ['harbour', 'en', 'Dashboard', 'Projects'],
  ] as const)('speaks the language of %s: %s', async (site, language, dashboard, projects) => {
    const page = await newPage({ site, width: 360 })
    await signIn(page, 'site.admin')
    await page.goto(`/admin?lng=${language}`)
    await page.getByRole('heading', { level: 1, name: dashboard }).waitFor()
    await expectAccessible(page)
    await page.goto('/admin/projects')
    await page.getByRole('heading', { level: 1, name: projects }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await expectAccessible(page)
  })
})
