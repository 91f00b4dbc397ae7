import { line, text } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

/** Invites visitors to create an account. */
export const signUp = defineBlock('sign_up', { title: line(), text: text() })
