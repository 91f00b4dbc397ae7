import { choice } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

/** A line or space between two blocks. */
export const divider = defineBlock('divider', { look: choice(['line', 'space']) })
