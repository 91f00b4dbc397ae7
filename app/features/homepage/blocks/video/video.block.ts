import { line, picture, plain, text } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'
import { parseVideoSource } from '#app/lib/video-source.ts'

/** A video on another site. Nothing is loaded from there until the visitor presses play. */
export const video = defineBlock(
  'video',
  { title: line(), text: text(), address: plain('address'), picture: picture() },
  { isEmpty: ({ address }) => parseVideoSource(address) === undefined },
)
