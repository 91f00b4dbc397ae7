import type { Language } from '#app/lib/languages.ts'
import { toSlug } from '#app/lib/slug.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { Rings } from '../polygons.schema.ts'
import type { AreaColumns, ShapeFault } from './area-files.schema.ts'
import type { ReadAreas, ReadShape } from './read-area-file.server.ts'

/** Shapes of a file under one name. */
export interface NamedShape {
  name: string
  names: Translated
  key: string
  rings: Rings
  parts: number
  fault: ShapeFault | null
  isCrossing: boolean
}

/** How two names are compared: without accents, case and punctuation. */
export const foldAreaName = (name: string): string => toSlug(name) || name.trim().toLowerCase()

const MAX_NAME_LETTERS = 120

/**
 * Names the shapes of a file by its columns. Those with the same name become one area, unless their keys differ; a shape without an outline, such as the
 * point of a label, is left out if others of its name have one.
 */
export function nameShapes({ columns, shapes }: Pick<ReadAreas, 'columns' | 'shapes'>, chosen: AreaColumns, main: Language): NamedShape[] {
  const readValue = (shape: ReadShape, column: string | undefined) =>
    column === undefined ? '' : (shape.values[columns.indexOf(column)] ?? '').slice(0, MAX_NAME_LETTERS)
  const named = shapes.map((shape): NamedShape => {
    const names = Object.fromEntries(
      Object.entries(chosen.names).flatMap(([language, column]) => {
        const name = readValue(shape, column)
        return name ? [[language, name]] : []
      }),
    ) as Translated
    const name = names[main] ?? ''
    const fault = shape.fault ?? (name ? null : 'no-name')
    return { name, names, key: readValue(shape, chosen.key), rings: shape.rings, parts: 1, fault, isCrossing: shape.isCrossing }
  })
  return joinParts(named)
}

function joinParts(named: readonly NamedShape[]): NamedShape[] {
  const found = new Map<string, NamedShape[]>()
  for (const [at, shape] of named.entries()) {
    const group = shape.name ? `${foldAreaName(shape.name)} ${shape.key}` : `without a name ${at}`
    found.set(group, [...(found.get(group) ?? []), shape])
  }
  return [...found.values()].flatMap((group) => {
    const drawn = group.filter(({ fault }) => fault !== 'no-outline')
    const [first] = drawn.length > 0 ? drawn : group
    if (!first) return []
    // The same outline twice would be a hole.
    const outlines = new Map(drawn.map(({ rings }) => [JSON.stringify(rings), rings]))
    const isCrossing = drawn.some((each) => each.isCrossing)
    return [{ ...first, isCrossing, rings: [...outlines.values()].flat(), parts: outlines.size }]
  })
}

const LANGUAGE_MARKS: Partial<Record<Language, RegExp>> = {
  en: /(^|[^a-z])(en|eng|english)([^a-z]|$)|nm$|name$/i,
  'fr-CA': /(^|[^a-z])(fr|fra|francais|français|french)([^a-z]|$)|nom/i,
  cy: /(^|[^a-z])(cy|cym|welsh|cymraeg)([^a-z]|$)|enw|nmw$/i,
}
const findMark = (language: Language): RegExp => LANGUAGE_MARKS[language] ?? new RegExp(`(^|[^a-z])${language.slice(0, 2)}([^a-z]|$)`, 'i')

const NAME_MARKS = /name|nom|enw|label|title|titre|ward|nm$|nmw$|district|quartier|arrondissement|secteur/i
const KEY_MARKS = /code|(^|[^a-z])(key|gss|cl[eé])([^a-z]|$)|cd$/i
/** Of programs, which give other numbers each time. */
const ROW_NUMBERS = /^(objectid|fid|gid|ogc_fid|shape_?(leng|area|length)\w*)$/i

/** Which columns of a file are likely to hold names and keys. */
export function guessColumns(
  { columns, shapes }: Pick<ReadAreas, 'columns' | 'shapes'>,
  { locale, languages }: { locale: Language; languages: readonly Language[] },
): AreaColumns {
  const facts = columns.map((name, at) => {
    const values = shapes.map((shape) => shape.values[at] ?? '').filter(Boolean)
    const isWords = values.filter((value) => /\p{L}{2}/u.test(value)).length > values.length / 2
    const distinct = new Set(values).size
    return { name, values: values.length, distinct, isWords }
  })
  const rankName = ({ name, isWords, values, distinct }: (typeof facts)[number], language: Language) => {
    if (!isWords || ROW_NUMBERS.test(name)) return 0
    const isOthers = languages.some((other) => other !== language && findMark(other).test(name))
    const mark = findMark(language).test(name) ? 4 : isOthers ? -4 : 0
    const kind = (NAME_MARKS.test(name) ? 4 : 1) - (KEY_MARKS.test(name) ? 3 : 0)
    return mark + kind + (2 * distinct) / Math.max(1, shapes.length) + values / Math.max(1, shapes.length)
  }
  const findBest = (language: Language, least: number) =>
    facts
      .map((fact) => ({ fact, rank: rankName(fact, language) }))
      .filter(({ rank }) => rank > least)
      .toSorted((a, b) => b.rank - a.rank)[0]?.fact.name
  const main = findBest(locale, 0)
  const names: AreaColumns['names'] = main ? { [locale]: main } : {}
  for (const language of languages) {
    // Of another language only a column that says so.
    const found = language === locale ? undefined : findBest(language, 7)
    if (found && found !== main) names[language] = found
  }
  const key = facts.find(
    ({ name, distinct, values }) => KEY_MARKS.test(name) && !ROW_NUMBERS.test(name) && values === shapes.length && distinct === values,
  )
  return { names, ...(key && { key: key.name }) }
}
