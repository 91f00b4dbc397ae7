import { expect, test } from 'vitest'
import { groupTimeZones, isTimeZone, listTimeZones, nameTimeZone, toCurrentTimeZone } from './time-zones.ts'

const FORMER = ['America/Godthab', 'Asia/Calcutta', 'Asia/Saigon', 'Europe/Kiev', 'Pacific/Truk', 'America/Indianapolis']

test('time zones are offered under the names that the IANA database gives them today', () => {
  const zones = listTimeZones()
  expect(zones.filter((zone) => FORMER.includes(zone))).toEqual([])
  expect(zones).toEqual(
    expect.arrayContaining([
      'UTC',
      'America/Nuuk',
      'Asia/Kolkata',
      'Asia/Ho_Chi_Minh',
      'Europe/Kyiv',
      'America/Toronto',
      'Europe/London',
      'Australia/Sydney',
    ]),
  )
  expect(new Set(zones).size).toBe(zones.length)
  expect(
    zones.filter((zone) => !/^UTC$|^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/[A-Z]/.test(zone)),
  ).toEqual([])
})

test('each of them can be used, and means what its former name meant', () => {
  const read = (timeZone: string) =>
    new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'full', timeStyle: 'full' }).format(Date.UTC(2026, 6, 1))
  expect(listTimeZones().map(read)).not.toContain('')
  for (const zone of FORMER) {
    expect(toCurrentTimeZone(zone)).not.toBe(zone)
    expect(read(toCurrentTimeZone(zone))).toBe(read(zone))
  }
})

test('a site keeps a zone that it chose under its former name, and nothing else is taken for a zone', () => {
  expect(['Europe/Kiev', 'Europe/Kyiv', 'UTC'].map(isTimeZone)).toEqual([true, true, true])
  expect(['Europe/Atlantis', '', 'EST', 'Etc/GMT+5', 'utc'].map(isTimeZone)).toEqual([false, false, false, false, false])
})

test('zones are grouped by part of the world, with the names of cities', () => {
  const groups = groupTimeZones(['UTC', 'Europe/Kyiv', 'America/Toronto', 'America/Argentina/Buenos_Aires', 'America/St_Johns'])
  expect(groups).toEqual([
    {
      region: 'America',
      cities: [
        { zone: 'America/Argentina/Buenos_Aires', name: 'Buenos Aires (Argentina)' },
        { zone: 'America/St_Johns', name: 'St Johns' },
        { zone: 'America/Toronto', name: 'Toronto' },
      ],
    },
    { region: 'Europe', cities: [{ zone: 'Europe/Kyiv', name: 'Kyiv' }] },
  ])
})

test('a zone is named as people say it', () => {
  expect(['America/Halifax', 'America/Argentina/Buenos_Aires', 'UTC'].map(nameTimeZone)).toEqual([
    'Halifax',
    'Buenos Aires (Argentina)',
    'UTC',
  ])
})
