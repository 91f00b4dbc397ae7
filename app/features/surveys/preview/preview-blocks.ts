import * as v from 'valibot'
import type { Translated } from '#app/lib/translated.ts'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import { SURVEY_VARIANTS, type SurveyVariant } from '#app/lib/vocabulary/surveys.ts'
import { type Definition, definitionSchema } from '../surveys.schema.ts'

/** A survey in the preview protocol: its head, pages and closing pages, each a separate block. So typing in one question sends one page. */
export interface PreviewedDraft {
  title: Translated
  intro: Translated
  variant: SurveyVariant
  anonymous: boolean
  minutes: number | null
  definition: Definition
}

/** No page can have such an id. */
const HEAD_BLOCK_ID = '-survey'

interface PreviewBlock {
  id: string
  type: string
}

const headSchema = v.object({
  title: createTranslatedSchema(200),
  intro: createTranslatedSchema(5000),
  variant: v.picklist(SURVEY_VARIANTS),
  anonymous: v.boolean(),
  minutes: v.nullable(v.number()),
})

const blockCache = new WeakMap<object, PreviewBlock>()

/** The same block for the same page, so that unchanged parts are not sent again. */
function toBlock(part: { id: string }, type: string): PreviewBlock {
  const block = blockCache.get(part) ?? { ...part, type }
  blockCache.set(part, block)
  return block
}

export const toHeadBlock = ({ definition: _definition, ...head }: PreviewedDraft): PreviewBlock => ({
  ...head,
  id: HEAD_BLOCK_ID,
  type: 'survey',
})

export const toPartBlocks = ({ pages, endings = [] }: Definition): PreviewBlock[] => [
  ...pages.map((page) => toBlock(page, 'page')),
  ...endings.map((ending) => toBlock(ending, 'ending')),
]

/** The draft in the blocks, or undefined if they are not a survey that can be shown. */
export function readPreviewedDraft(blocks: readonly object[]): PreviewedDraft | undefined {
  const listParts = (type: string) =>
    blocks.flatMap((block) => {
      if (!('type' in block) || block.type !== type) return []
      const { type: _type, ...part } = block
      return [part]
    })
  const [head] = listParts('survey')
  const read = v.safeParse(headSchema, head)
  const definition = v.safeParse(definitionSchema, { schema: 1, pages: listParts('page'), endings: listParts('ending') })
  return read.success && definition.success ? { ...read.output, definition: definition.output } : undefined
}
