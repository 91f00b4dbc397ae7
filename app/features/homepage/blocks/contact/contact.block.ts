import { line, plain, text } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

/** Contact details. */
export const contact = defineBlock(
  'contact',
  { title: line(), text: text(), email: plain('email'), phone: plain('phone'), place: text(300) },
  { isEmpty: ({ email, phone, place, text: words }) => !email && !phone && !place.text && !words.text },
)
