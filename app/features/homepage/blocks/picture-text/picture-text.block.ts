import { action, choice, line, picture, rich } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

/** A picture beside text; stacked on a phone. */
export const pictureText = defineBlock(
  'picture_text',
  { title: line(), body: rich(4000), picture: picture(), side: choice(['left', 'right']), action: action() },
  { isEmpty: ({ title, body, picture: file }) => !title.text && !body.text && !file },
)
