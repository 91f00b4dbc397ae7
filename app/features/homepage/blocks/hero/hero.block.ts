import { action, line, picture, text } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

/** The first thing on the page. Without words of its own it says who the site is. */
export const hero = defineBlock('hero', {
  title: line(),
  text: text(),
  picture: picture(),
  action: action(),
  second: action(),
})
