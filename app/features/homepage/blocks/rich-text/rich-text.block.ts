import { rich } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

/** Rich text with headings, lists and links. */
export const richText = defineBlock('rich_text', { body: rich() }, { isEmpty: ({ body }) => body.text.trim() === '' })
