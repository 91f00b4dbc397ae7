import type { HomeBlockView } from '#app/features/homepage/homepage.schema.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import { listInlines, parseRichText, type RichInline } from '#app/lib/rich-text.ts'

/**
 * The headings of a report's blocks, for its list of contents. Blocks without one are left out.
 * @param timeline the heading of a timeline without its own
 */
export const listContents = (blocks: readonly HomeBlockView[], timeline: string): { id: string; title: LocalisedText }[] =>
  blocks.flatMap((block) => {
    const title = findHeading(block, timeline)
    return title?.text.trim() ? [{ id: block.id, title }] : []
  })

export function findHeading(block: HomeBlockView, timeline: string): LocalisedText | undefined {
  if (block.type === 'rich_text') return findFirstHeading(block.body)
  if (block.type === 'timeline') return block.title.text.trim() ? block.title : { text: timeline }
  if (block.type === 'picture_text') return block.title
  const part = isReportBlock(block) ? block.data.part : null
  if (!part || !isReportBlock(block)) return undefined
  return block.title.text.trim() ? block.title : part.heading
}

type ReportBlockView = HomeBlockView<
  'report_figure' | 'report_theme' | 'report_people' | 'report_method' | 'report_decisions' | 'report_next'
>

export const isReportBlock = (block: HomeBlockView): block is ReportBlockView => block.type.startsWith('report_')

function findFirstHeading({ text, ...found }: LocalisedText): LocalisedText | undefined {
  const heading = parseRichText(text).find(({ type }) => type === 'heading')
  return heading && { text: listInlines(heading).flat().map(toText).join(''), ...found }
}

/** Its words without marks. */
export const toText = (inline: RichInline): string =>
  inline.type === 'text' ? inline.text : inline.type === 'break' ? ' ' : inline.content.map(toText).join('')
