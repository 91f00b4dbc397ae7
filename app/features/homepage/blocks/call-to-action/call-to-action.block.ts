import { action, choice, line, text } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

/** A call to action in a band of its own. */
export const callToAction = defineBlock(
  'call_to_action',
  { title: line(), text: text(), action: action(), second: action(), tone: choice(['deep', 'wash']) },
  { isEmpty: ({ title, text: words, action: button }) => !title.text && !words.text && !button },
)
