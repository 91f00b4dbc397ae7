import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import { findTextGaps, type TextGapCode, type TranslatedText } from '#app/lib/translated-texts.ts'
import type { AnyField, Fields, Picture } from './block-fields.ts'
import { BLOCKS, type HomeBlock } from './homepage.schema.ts'

/** A text of the page that is missing in one language. */
export interface MissingText {
  code: TextGapCode
  /** Key used to waive it: `<block>.<field>.<language>`; in a list the item's id comes before the field. */
  name: string
  blockId: string
  /** JSON pointer into the content: `/blocks/0/title/cy`. */
  pointer: string
  language: ContentLanguage
  field: string
}

/** The texts of blocks in all languages, and the alternative texts of meaningful pictures, with pointers into the page's content. */
export function listBlockTexts(blocks: readonly HomeBlock[]): TranslatedText[] {
  return blocks.flatMap((block, at) => listOfFields(BLOCKS[block.type].fields, block, [block.id], `/blocks/${at}`))
}

function listOfFields(fields: Fields, values: object, path: readonly string[], pointer: string): TranslatedText[] {
  return Object.entries(fields as Record<string, AnyField>).flatMap(([name, field]): TranslatedText[] => {
    const value = (values as Record<string, unknown>)[name]
    const [inPath, inPointer] = [[...path, name], `${pointer}/${name}`]
    switch (field.kind) {
      case 'line':
      case 'text':
      case 'rich': {
        const { kind, max } = field
        return [
          { pointer: inPointer, name: inPath.join('.'), text: value as Translated, max, ...(kind === 'line' ? {} : { format: kind }) },
        ]
      }
      case 'action':
        return value
          ? [{ pointer: `${inPointer}/label`, name: [...inPath, 'label'].join('.'), text: (value as { label: Translated }).label, max: 60 }]
          : []
      case 'picture': {
        const picture = value as Picture | null
        if (!picture || picture.decorative) return []
        const place = { pointer: `${inPointer}/alt`, name: [...inPath, 'alt'].join('.') }
        return [{ ...place, text: picture.alt, isNeeded: true, isAlternative: true, max: 300 }]
      }
      case 'list':
        return (value as { id: string }[]).flatMap((item, at) =>
          listOfFields(field.fields, item, [...inPath, item.id], `${inPointer}/${at}`),
        )
      default:
        return []
    }
  })
}

/**
 * Texts that exist in one of the site's languages but not in another, and meaningful pictures without alternative text. A text that exists
 * in no language is unused, not missing.
 */
export const findMissingTexts = (blocks: readonly HomeBlock[], languages: readonly ContentLanguage[]): MissingText[] =>
  findTextGaps(listBlockTexts(blocks), languages).map((gap) => {
    const path = gap.name.split('.').slice(0, -1)
    return { ...gap, blockId: path[0] ?? '', field: path.findLast((step) => step !== 'label' && step !== 'alt') ?? '' }
  })
