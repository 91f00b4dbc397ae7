import { describe, expect, it } from 'vitest'
import type { Option } from '../../surveys.schema.ts'
import { formatOptionLines, readOptionLines, readTranslatedLines } from './option-lines.ts'

const NAMES = ['Ash Road', 'Beech Road', 'Cedar Road', 'Elm Road']
const options: Option[] = NAMES.map((name, index) => ({ id: `o${index}`, label: { en: name, cy: `${name} (cy)` } }))
let made = 0
const read = (lines: string[], from: readonly Option[] = options) =>
  readOptionLines(lines.join('\n'), from, 'en', (label) => ({ id: `new${made++}`, label: { en: label } }))
const tell = (list: readonly Option[]) =>
  list.map(({ id, label }) => `${id.replace(/\d+$/, (digits) => (id.startsWith('new') ? '' : digits))} ${label.en}`)

describe('options as lines of text', () => {
  it('keep themselves if nothing changes', () => {
    expect(read(formatOptionLines(options, 'en').split('\n'))).toEqual(options)
  })

  it('keep their ids when they are reworded, with their other languages', () => {
    const told = read(['Ash Road', 'Beech Lane', 'Cedar Road', 'Elm Lane'])
    expect(tell(told)).toEqual(['o0 Ash Road', 'o1 Beech Lane', 'o2 Cedar Road', 'o3 Elm Lane'])
    expect(told[1]?.label.cy).toBe('Beech Road (cy)')
  })

  it('keep their ids when they move', () => {
    expect(tell(read(['Elm Road', 'Ash Road', 'Beech Road', 'Cedar Road']))).toEqual([
      'o3 Elm Road',
      'o0 Ash Road',
      'o1 Beech Road',
      'o2 Cedar Road',
    ])
  })

  it('keep their ids when others come or go', () => {
    expect(tell(read(['Ash Road', 'Birch Road', '', 'Beech Road', 'Cedar Road', 'Elm Road', 'Fir Road']))).toEqual([
      'o0 Ash Road',
      'new Birch Road',
      'o1 Beech Road',
      'o2 Cedar Road',
      'o3 Elm Road',
      'new Fir Road',
    ])
    expect(tell(read(['Ash Road', 'Cedar Road', 'Elm Road']))).toEqual(['o0 Ash Road', 'o2 Cedar Road', 'o3 Elm Road'])
  })

  it('never give the answers of an option to another when it is unclear which line was reworded', () => {
    expect(tell(read(['Ash Road', 'Maple Road', 'Elm Road']))).toEqual(['o0 Ash Road', 'new Maple Road', 'o3 Elm Road'])
  })

  it('keep two of the same name apart', () => {
    const twins: Option[] = [...options, { id: 'o9', label: { en: 'Ash Road' } }]
    expect(tell(read(['Beech Road', 'Ash Road', 'Cedar Road', 'Elm Road', 'Ash Road'], twins))).toEqual([
      'o1 Beech Road',
      'o0 Ash Road',
      'o2 Cedar Road',
      'o3 Elm Road',
      'o9 Ash Road',
    ])
  })

  it('keep what is no longer offered', () => {
    const gone: Option[] = [{ id: 'old', label: { en: 'Old Road' }, removed: true }, ...options]
    expect(formatOptionLines(gone, 'en')).not.toContain('Old Road')
    expect(read(['Ash Road'], gone).map(({ id, removed }) => [id, removed])).toEqual([
      ['o0', undefined],
      ['old', true],
    ])
  })

  it('are translated line by line', () => {
    const told = readTranslatedLines(['Ffordd yr Onnen', '', 'Ffordd y Gedrwydden'].join('\n'), options, 'cy')
    expect(told.map(({ label }) => label.cy)).toEqual(['Ffordd yr Onnen', undefined, 'Ffordd y Gedrwydden', undefined])
    expect(told.map(({ id, label }) => [id, label.en])).toEqual(options.map(({ id, label }) => [id, label.en]))
  })
})
