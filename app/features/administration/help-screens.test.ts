import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findHelpScreen, HELP_SCREENS } from './help-screens.ts'

test('every screen of the administration has a help page, and every help page a screen', () => {
  const screens = readdirSync(new URL('../../routes/admin', import.meta.url))
    // Downloads, the frame, and what belongs to another screen.
    .filter((name) => !/\[|^route\.tsx$/.test(name) && !['help', 'updates'].includes(name))
    .map((name) => (name === 'index.tsx' ? 'dashboard' : name.replace(/\.tsx$/, '')))
  expect(screens.toSorted()).toEqual([...HELP_SCREENS].toSorted())
})

test('help opens for the screen one is on', () => {
  expect(findHelpScreen('/admin')).toBe('dashboard')
  expect(findHelpScreen('/admin/surveys/42/responses')).toBe('surveys')
  expect(findHelpScreen('/admin/updates/42')).toBe('projects')
})
