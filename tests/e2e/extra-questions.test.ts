import { expect, test } from 'vitest'
import { expectAccessible, openPage, signIn } from '#tests/support/browser.ts'

const ACTIVITY = '/projects/riverfront/trees'

test.each([{ javaScript: false }, { javaScript: true }])(
  'extra questions are asked, kept and shown (JavaScript: $javaScript)',
  async ({ javaScript }) => {
    const title = `A linden for the square ${Date.now()}`
    const visitor = await openPage({ javaScript, width: 360 })
    await visitor.goto(`${ACTIVITY}/new`)
    await visitor.getByText('Only the team sees this.').waitFor()
    await visitor.getByLabel('A flowering tree').check()
    await visitor.getByLabel('Who could water it in its first summer?').fill('The bakery next door.')
    await visitor.getByRole('button', { name: 'Continue' }).click()
    // The title is missing: what was answered stays.
    await visitor.getByRole('link', { name: 'Enter a title' }).waitFor()
    expect(await visitor.getByLabel('A flowering tree').isChecked()).toBe(true)
    expect(await visitor.getByLabel('Who could water it in its first summer?').inputValue()).toBe('The bakery next door.')
    if (javaScript) await expectAccessible(visitor)
    await visitor.locator('[name=title]').fill(title)
    await visitor.locator('[name=body]').fill('It smells of summer.')
    await visitor.locator('[name=areaId]').selectOption({ index: 1 })
    await visitor.getByLabel('Anonymously').check()
    await visitor.getByRole('button', { name: 'Continue' }).click()
    await visitor.getByRole('heading', { name: 'Check' }).first().waitFor()
    expect(await visitor.locator('.receipt').textContent()).toMatch(/What should be planted\?A flowering tree.*The bakery next door\./s)
    await visitor.locator('button[name=place][value=send]').click()
    await visitor.locator('#own-heading').waitFor()
    expect(await visitor.locator('.receipt').textContent()).toContain('The bakery next door.')
    const number = /No\. (\d+)/.exec((await visitor.locator('#own-heading').textContent()) ?? '')?.[1]

    const moderator = await openPage()
    await signIn(moderator, 'site.admin')
    await moderator.goto('/admin/moderation/waiting')
    await moderator.getByRole('link', { name: title }).first().click()
    await moderator.getByText('Only the team sees this').waitFor()
    await moderator.getByText('The bakery next door.').waitFor()
    await moderator
      .getByRole('button', { name: /^Publish/ })
      .first()
      .click()
    await moderator.getByText('Decided', { exact: true }).waitFor()
    if (javaScript) {
      const { data } = await moderator.evaluate(async () => (await fetch('/api/v2/activities')).json())
      const { id } = data.find(({ attributes }: { attributes: { kind: string } }) => attributes.kind === 'places')
      await moderator.goto(`/admin/contributions/activities/${id}`)
      const chart = moderator.getByRole('figure', { name: 'What should be planted?' })
      const [shown] = (await chart.getByRole('row', { name: 'A flowering tree' }).textContent())?.match(/\d+$/) ?? []
      expect(Number(shown)).toBeGreaterThan(1)
      expect(await moderator.getByRole('figure', { name: 'Who could water it' }).count()).toBe(0)
      await expectAccessible(moderator)
    }

    const reader = await openPage({ javaScript })
    await reader.goto(`${ACTIVITY}/${number}`)
    await reader.getByRole('heading', { level: 1, name: title }).waitFor()
    await reader.getByText('A flowering tree').waitFor()
    expect(await reader.content()).not.toContain('The bakery next door.')
  },
)
