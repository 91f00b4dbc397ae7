import { getFormatter } from '#app/lib/format.ts'
import type { SuppressibleCount } from '#app/lib/suppressed-cells.ts'
import type { Ctx } from '#app/server/context.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { compareWithPopulation, type Population, type TookPart } from './compare-with-population.ts'

/** A cell as people read it and as a spreadsheet computes with it. */
interface ComparedCell {
  text: string
  value: string | number | null
}

/** A comparison in the language of the request. */
export interface DescribedComparison {
  caption: string
  heads: string[]
  rows: ComparedCell[][]
  /** What the numbers mean and where they are from. The sum of the smaller shares is among them, never without its table. */
  notes: string[]
  /** Groups with far fewer participants than their share of the population: group, question, both shares, in cells. */
  unheard: ComparedCell[][]
}

interface ComparisonInput {
  title: string
  /** Names of all options, in their order. */
  options: readonly { id: string; label: string }[]
  /** An option without people may be missing. */
  took: readonly TookPart[]
  /** People who said nothing. */
  silent: SuppressibleCount
  all: number
  population: Population
}

/** Says who took part beside who lives there: people who preferred not to say, or said nothing, are shown too. */
export function describeComparison(
  { language, site }: Ctx,
  { title, options, took, silent, all, population }: ComparisonInput,
): DescribedComparison {
  const t = getTranslator(language, 'populations')
  const format = getFormatter({ language, timeZone: site.timeZone, region: site.region })
  const peopleOf = new Map(took.map(({ option, people }) => [option, people]))
  const names = new Map([...options.map(({ id, label }) => [id, label] as const), ['', t('compared.silent')]])
  const listed = [
    ...options.map(({ id }) => ({ option: id, people: peopleOf.has(id) ? (peopleOf.get(id) ?? null) : 0 })),
    { option: '', people: silent },
  ]
  const comparison = compareWithPopulation(listed, population.people, all)
  const hidden: ComparedCell = { text: t('compared.not-shown'), value: null }
  const nothing: ComparedCell = { text: '–', value: null }
  const toCount = (people: number | null, otherwise: ComparedCell) =>
    people === null ? otherwise : { text: format.number(people), value: people }
  const toShare = (share: number | null, otherwise: ComparedCell) =>
    share === null ? otherwise : { text: format.percent(share), value: Math.round(share * 1000) / 1000 }
  const toRatio = (ratio: number | null, otherwise: ComparedCell) => {
    if (ratio === null) return otherwise
    const rounded = Math.round(ratio * 100) / 100
    return { text: format.number(rounded), value: rounded }
  }
  const rows = comparison.options.map(({ option, people, share, population: lives, populationShare, ratio }) => {
    const unknown = lives === null ? nothing : hidden
    const name = names.get(option) ?? option
    return [
      { text: name, value: name },
      toCount(people, hidden),
      toShare(share, unknown),
      toCount(lives, nothing),
      toShare(populationShare, nothing),
      toRatio(ratio, populationShare ? unknown : nothing),
    ]
  })
  return {
    unheard: comparison.unheard.map(({ option, share, populationShare }) => {
      const name = names.get(option) ?? option
      return [{ text: name, value: name }, { text: title, value: title }, toShare(share, hidden), toShare(populationShare, nothing)]
    }),
    caption: t('compared.caption', { question: title }),
    heads: (['option', 'took-part', 'share', 'lives', 'population-share', 'ratio'] as const).map((head) => t(`compared.${head}`)),
    rows,
    notes: [
      [
        ...(comparison.compared === null ? [] : [t('compared.of', { number: format.number(comparison.compared) })]),
        ...(comparison.options.some(({ people }) => people === null) ? [t('compared.of-hidden')] : []),
        t('compared.ratio-means'),
      ].join(' '),
      comparison.index === null ? t('compared.no-index') : t('compared.index', { share: format.percent(comparison.index) }),
      [
        t('compared.source', { source: population.source, year: String(population.year), licence: population.licence }),
        ...(population.areas.length > 0 ? [t('compared.areas', { areas: format.list(population.areas) })] : []),
      ].join(' '),
      t('compared.chose-to'),
    ],
  }
}
