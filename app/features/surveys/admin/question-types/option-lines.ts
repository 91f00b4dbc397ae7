import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Option } from '../../surveys.schema.ts'

/** Long lists are edited as text, one option per line. */

export const listLines = (text: string): string[] => text.split(/\r?\n/)

const isOffered = (option: Option) => !option.removed

export const formatOptionLines = (options: readonly Option[], language: ContentLanguage): string =>
  options
    .filter(isOffered)
    .map((option) => option.label[language] ?? '')
    .join('\n')

const toLabel = (line: string) => line.trim().slice(0, 300)

/**
 * The options in a text: a line that was there keeps its option, wherever it is now, and a line that was reworded keeps it too, so that
 * answers stay. Options that are no longer offered stay at the end.
 * @param createOption for a line that is new
 */
export function readOptionLines(
  text: string,
  options: readonly Option[],
  language: ContentLanguage,
  createOption: (label: string) => Option,
): Option[] {
  const labels = listLines(text).map(toLabel).filter(Boolean)
  const offered = options.filter(isOffered)
  const labelOf = (option: Option | undefined) => option && toLabel(option.label[language] ?? '')
  let start = 0
  while (start < labels.length && start < offered.length && labels[start] === labelOf(offered[start])) start += 1
  let end = 0
  while (end < labels.length - start && end < offered.length - start && labels.at(-1 - end) === labelOf(offered.at(-1 - end))) end += 1
  const before = offered.slice(start, offered.length - end)
  const after = labels.slice(start, labels.length - end)
  const byLabel = Map.groupBy(before, labelOf)
  const kept = after.map((label) => byLabel.get(label)?.shift())
  const left = Array.from(byLabel.values()).flat()
  // As many lines as are gone: they were reworded, in the same order.
  const isReworded = left.length === kept.filter((option) => option === undefined).length
  const inOrder = isReworded ? before.filter((option) => left.includes(option)) : []
  const middle = after.map((label, index) => {
    const option = kept[index]
    if (option) return option
    const reworded = inOrder.shift()
    return reworded ? { ...reworded, label: { ...reworded.label, [language]: label } } : createOption(label)
  })
  return [...offered.slice(0, start), ...middle, ...offered.slice(offered.length - end), ...options.filter((option) => !isOffered(option))]
}

/** The same options with the labels of another language, line by line; an empty line has none yet. */
export function readTranslatedLines(text: string, options: readonly Option[], language: ContentLanguage): Option[] {
  const labels = listLines(text).map(toLabel)
  let line = 0
  return options.map((option) => {
    if (!isOffered(option)) return option
    const label = labels[line++] || undefined
    return label === option.label[language] ? option : { ...option, label: { ...option.label, [language]: label } }
  })
}
