import type { Locator, Page } from 'playwright'

/** Chooses in a field that searches on the server: opens it, types, and takes what is found under exactly this name. */
export async function chooseRecord(inside: Page | Locator, label: string, name: string): Promise<void> {
  const page = 'keyboard' in inside ? inside : inside.page()
  await inside.getByLabel(label, { exact: true }).and(inside.locator('button')).click()
  await page.getByRole('combobox', { name: 'Type to find' }).fill(name)
  await page.getByRole('option', { name, exact: true }).click()
  await inside.getByRole('button', { name: `${label} ${name}` }).waitFor()
}
