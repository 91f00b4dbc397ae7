import { action, line, picture, text } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

/** The first block of a page. Without text, it shows the site's name and tagline. */
export const hero = defineBlock('hero', {
  title: line(),
  text: text(),
  picture: picture(),
  action: action(),
  second: action(),
})
