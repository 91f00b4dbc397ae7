import * as v from 'valibot'
import type { Translated } from '#app/lib/translated.ts'
import { translatedSchema } from '#app/lib/translated-schema.ts'
import { type Definition, definitionSchema, SURVEY_VARIANTS, type SurveyVariant } from '../surveys.schema.ts'

/**
 * A survey as the preview's protocol carries it: its head, then its pages and closing pages, each as a block of its own. So typing in
 * one question sends one page.
 */
export interface PreviewedDraft {
  title: Translated
  intro: Translated
  variant: SurveyVariant
  anonymous: boolean
  minutes: number | null
  definition: Definition
}

/** No page has such an id. */
const HEAD = '-survey'

interface Block {
  id: string
  type: string
}

const headSchema = v.object({
  title: translatedSchema(200),
  intro: translatedSchema(5000),
  variant: v.picklist(SURVEY_VARIANTS),
  anonymous: v.boolean(),
  minutes: v.nullable(v.number()),
})

const made = new WeakMap<object, Block>()

/** The same block for the same page: what did not change is not sent again. */
function blockOf(part: { id: string }, type: string): Block {
  const block = made.get(part) ?? { ...part, type }
  made.set(part, block)
  return block
}

export const headBlock = ({ definition: _definition, ...head }: PreviewedDraft): Block => ({ ...head, id: HEAD, type: 'survey' })

export const partBlocks = ({ pages, endings = [] }: Definition): Block[] => [
  ...pages.map((page) => blockOf(page, 'page')),
  ...endings.map((ending) => blockOf(ending, 'ending')),
]

/** What blocks say, or nothing where they are no survey that could be shown. */
export function readPreviewedDraft(blocks: readonly object[]): PreviewedDraft | undefined {
  const of = (type: string) =>
    blocks.flatMap((block) => {
      if (!('type' in block) || block.type !== type) return []
      const { type: _type, ...part } = block
      return [part]
    })
  const [head] = of('survey')
  const read = v.safeParse(headSchema, head)
  const definition = v.safeParse(definitionSchema, { schema: 1, pages: of('page'), endings: of('ending') })
  return read.success && definition.success ? { ...read.output, definition: definition.output } : undefined
}
