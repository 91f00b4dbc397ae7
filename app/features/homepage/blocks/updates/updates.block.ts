import type { LocalisedText } from '#app/lib/localised-text.ts'
import { line, number } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

export interface UpdatesData {
  updates: {
    id: string
    slug: string
    title: LocalisedText
    text: string
    publishedAt: string
    project: { slug: string; title: LocalisedText }
  }[]
}

/** The newest updates of all projects. */
export const updates = defineBlock(
  'updates',
  { title: line(), limit: number(1, 9, 3) },
  {
    isEmpty: (_, { updates: found }: UpdatesData) => found.length === 0,
  },
)
