import { expect, test } from 'vitest'
import { ACTIVITY_KINDS, getDefaultSettings } from './kinds.ts'
import { listSections } from './sections.ts'

test('a kind declares what the form about its activities offers, and what it begins with', () => {
  const offering = (name: string) => ACTIVITY_KINDS.filter((kind) => Object.hasOwn(getDefaultSettings(kind), name))
  expect(offering('reactions')).toEqual(['ideas', 'places'])
  expect(offering('geometries')).toEqual(['places'])
  expect(offering('border')).toEqual(['places'])
  expect(offering('answerDays')).toEqual(['questions'])
  expect(offering('photos')).toEqual(ACTIVITY_KINDS)
  expect(getDefaultSettings('places')).toMatchObject({
    geometries: ['points'],
    border: 'warn',
    reactions: 'support',
    asksArea: true,
    photos: 3,
  })
  expect(getDefaultSettings('questions')).toMatchObject({ answerDays: 10, asksArea: false, photos: 0 })
  expect(getDefaultSettings('stories')).toMatchObject({ photos: 3, shownNames: ['first_name', 'anonymous'] })
  expect(getDefaultSettings('ideas')).toMatchObject({ reactions: 'support', moderationDays: 3, photos: 0 })
})

test('the page about an activity offers every setting of its kind, once, and no other', () => {
  for (const kind of ACTIVITY_KINDS) {
    const offered = listSections(kind).flatMap(({ names }) => names.filter((name) => name.startsWith('settings.')))
    // Whom a verified activity lets in has no default.
    const declared = [...Object.keys(getDefaultSettings(kind)), 'verification'].map((name) => `settings.${name}`)
    expect(offered.toSorted(), kind).toEqual([...new Set(declared)].toSorted())
  }
  expect(listSections('places').map(({ section }) => section)).toContain('map')
  expect(listSections('ideas').map(({ section }) => section)).not.toContain('map')
})
