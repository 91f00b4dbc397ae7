import { expect, test } from 'vitest'
import { createSampleParticipant, VISITOR } from '#app/server/auth/viewer.ts'
import { findAdminLanguage } from './admin-language.ts'

const site = { languages: ['en', 'cy'] as const }
const viewer = { ...createSampleParticipant(), locale: 'cy' as const }

test('the administration speaks the language of the account, whatever was chosen on a page', () => {
  expect(findAdminLanguage({ pathname: '/admin/projects', search: '', viewer, site })).toBe('cy')
  expect(findAdminLanguage({ pathname: '/admin', search: '?lng=en', viewer, site })).toBe('en')
  expect(findAdminLanguage({ pathname: '/admin', search: '?lng=fr', viewer, site })).toBe('cy')
})

test('pages of the site do not, nor does a language that the site does not offer', () => {
  expect(findAdminLanguage({ pathname: '/projects', search: '', viewer, site })).toBeUndefined()
  expect(findAdminLanguage({ pathname: '/administer', search: '', viewer: VISITOR, site })).toBeUndefined()
  expect(findAdminLanguage({ pathname: '/admin', search: '', viewer: VISITOR, site })).toBeUndefined()
  expect(findAdminLanguage({ pathname: '/admin', search: '', viewer: { ...viewer, locale: 'fr-CA' }, site })).toBeUndefined()
  expect(findAdminLanguage({ pathname: '/admin', search: '', viewer: createSampleParticipant(), site })).toBeUndefined()
})
