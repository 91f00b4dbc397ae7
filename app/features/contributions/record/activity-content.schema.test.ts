import { expect, test } from 'vitest'
import {
  type ActivityContent,
  listDifferences,
  mergeActivityContents,
  readActivityContent,
  takeContentValue,
} from './activity-content.schema.ts'

const BASE: ActivityContent = readActivityContent({
  titleTranslations: { en: 'Trees', 'fr-CA': 'Arbres' },
  settings: { photos: 3, moderationDays: 3 },
})

test('what differs is named setting by setting; what nobody filled in makes no difference', () => {
  const after = {
    ...BASE,
    introTranslations: { en: ' ' },
    settings: { ...BASE.settings, photos: 1, categories: [] },
    closesAt: '2027-01-01T00:00:00Z',
  }
  expect(listDifferences(BASE, after).toSorted()).toEqual(['closesAt', 'settings.categories', 'settings.photos'])
  expect(listDifferences(BASE, takeContentValue(after, 'settings.photos', BASE))).not.toContain('settings.photos')
  const moment = { ...after, closesAt: '2027-01-01T00:00:00.000Z' }
  expect(listDifferences(after, moment)).toEqual([])
})

test('two people’s changes are merged by setting and by language, and contradict each other only where both changed the same', () => {
  const mine = { ...BASE, titleTranslations: { en: 'Trees and shade', 'fr-CA': 'Arbres' }, settings: { ...BASE.settings, photos: 1 } }
  const theirs = {
    ...BASE,
    titleTranslations: { en: 'Trees', 'fr-CA': 'Arbres et ombre' },
    closesAt: '2027-01-01T00:00:00.000Z',
    settings: { ...BASE.settings, moderationDays: 2 },
  }
  expect(mergeActivityContents(BASE, mine, theirs)).toMatchObject({
    isClear: true,
    mine: {
      titleTranslations: { en: 'Trees and shade', 'fr-CA': 'Arbres et ombre' },
      closesAt: '2027-01-01T00:00:00.000Z',
      settings: { photos: 1, moderationDays: 2 },
    },
  })
  const other = { ...BASE, settings: { ...BASE.settings, photos: 5 } }
  expect(mergeActivityContents(BASE, mine, other)).toMatchObject({
    isClear: false,
    mine: { settings: { photos: 1 } },
    theirs: { settings: { photos: 5 } },
  })
})
