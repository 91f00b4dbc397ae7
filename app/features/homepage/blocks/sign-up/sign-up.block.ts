import { line, text } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

/** An account, and what it is good for. */
export const signUp = defineBlock('sign_up', { title: line(), text: text() })
